"""The activation function of transformers, and inputs and outputs of layers of whole numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from plcfrs.jit import kernel

Float32 = NDArray[np.float32]
Int32 = NDArray[np.int32]
UInt8 = NDArray[np.uint8]

# Approximation of the error function, with errors up to 3e-7 (Abramowitz and Stegun 1964, 7.1.28).
_A1, _A2 = np.float32(0.0705230784), np.float32(0.0422820123)
_A3, _A4 = np.float32(0.0092705272), np.float32(0.0001520143)
_A5, _A6 = np.float32(0.0002765672), np.float32(0.0000430638)

_ONE, _HALF, _ROOT = np.float32(1), np.float32(0.5), np.float32(0.5**0.5)

_SMALLEST = np.float32(1e-30)  # a step of inputs that differ


@kernel
def gelu(rows: Float32) -> None:
    """Replace each x in rows by ``x * P(X < x)`` for a standard normal X.

    With the complementary error function, which is small and positive, this is
    ``max(x, 0) - |x| / 2 * erfc(|x| / sqrt(2))`` (Hendrycks and Gimpel 2016).

    Parameters
    ----------
    rows : Float32
        (rows, units), overwritten.
    """
    for row in range(rows.shape[0]):
        for unit in range(rows.shape[1]):
            x = rows[row, unit]
            z = abs(x) * _ROOT
            power = _ONE + z * (_A1 + z * (_A2 + z * (_A3 + z * (_A4 + z * (_A5 + z * _A6)))))
            power *= power
            power *= power
            power *= power
            power *= power
            # Numba checks divisions, and does not vectorize them.
            rows[row, unit] = _HALF * (x + abs(x) - abs(x) * np.reciprocal(power))


@kernel
def to_whole(rows: Float32, lows: Float32, steps: Float32, whole: UInt8) -> None:
    """Round each input to ``low + step * whole``.

    Parameters
    ----------
    rows : Float32
        (rows, inputs).
    lows, steps : Float32
        (rows,), not negative steps.
    whole : UInt8
        (rows, inputs), written.
    """
    for row in range(rows.shape[0]):
        factor = np.reciprocal(max(steps[row], _SMALLEST))
        for unit in range(rows.shape[1]):
            whole[row, unit] = np.uint8(np.int32((rows[row, unit] - lows[row]) * factor + _HALF))


@kernel
def from_whole(
    products: Int32,
    lows: Float32,
    steps: Float32,
    scales: Float32,
    sums: Float32,
    bias: Float32,
    outputs: Float32,
) -> None:
    """Write ``outputs = step * scale * products + low * sums + bias``.

    Parameters
    ----------
    products : Int32
        (rows, outputs), of whole inputs and weights.
    lows, steps : Float32
        (rows,).
    scales, sums, bias : Float32
        (outputs,), the sums of the weights of each output.
    outputs : Float32
        (rows, outputs), written.
    """
    for row in range(outputs.shape[0]):
        for unit in range(outputs.shape[1]):
            product = np.float32(products[row, unit]) * (steps[row] * scales[unit])
            outputs[row, unit] = product + lows[row] * sums[unit] + bias[unit]
