"""The activation function of transformers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from plcfrs.jit import kernel

Float32 = NDArray[np.float32]

# Approximation of the error function, with errors up to 3e-7 (Abramowitz and Stegun 1964, 7.1.28).
_A1, _A2 = np.float32(0.0705230784), np.float32(0.0422820123)
_A3, _A4 = np.float32(0.0092705272), np.float32(0.0001520143)
_A5, _A6 = np.float32(0.0002765672), np.float32(0.0000430638)

_ONE, _HALF, _ROOT = np.float32(1), np.float32(0.5), np.float32(0.5**0.5)


@kernel
def gelu(rows: Float32, bias: Float32) -> None:
    """Add a bias to rows, and replace each x by ``x * P(X < x)`` for a standard normal X.

    With the complementary error function, which is small and positive, this is
    ``max(x, 0) - |x| / 2 * erfc(|x| / sqrt(2))`` (Hendrycks and Gimpel 2016).

    Parameters
    ----------
    rows : Float32
        (rows, units), overwritten.
    bias : Float32
        (units,).
    """
    for row in range(rows.shape[0]):
        for unit in range(rows.shape[1]):
            x = rows[row, unit] + bias[unit]
            z = abs(x) * _ROOT
            power = _ONE + z * (_A1 + z * (_A2 + z * (_A3 + z * (_A4 + z * (_A5 + z * _A6)))))
            power *= power
            power *= power
            power *= power
            power *= power
            # Numba checks divisions, and does not vectorize them.
            rows[row, unit] = _HALF * (x + abs(x) - abs(x) * np.reciprocal(power))
