"""Linear layers whose rounded weights stay whole numbers, which onnxruntime multiplies.

A row of inputs is rounded to whole numbers of 8 bits with its own step. So the outputs of a row do
not depend on the other rows of a batch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from plcfrs.networks.kernel import Float32, from_whole, to_whole
from plcfrs.networks.quantization import Matrix, Quantized, rows_of

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

Linear = Callable[[Float32], Float32]
"""Maps inputs, of the shape (rows, inputs), to outputs (rows, outputs)."""

# An ONNX file with one step, y = MatMulInteger(x, w) of uint8 and int8, in the format of Protocol
# Buffers: its version is 8, and its operations have the version 10.
_PRODUCT = (
    b"\x08\x08"
    b":\x3e"
    b"\n\x18\n\x01x\n\x01w\x12\x01y\x22\rMatMulInteger"
    b"\x12\x01g"
    b"Z\x09\n\x01x\x12\x04\n\x02\x08\x02"
    b"Z\x09\n\x01w\x12\x04\n\x02\x08\x03"
    b"b\x09\n\x01y\x12\x04\n\x02\x08\x06"
    b"B\x02\x10\x0a"
)

# Where processors lack the newest instructions, onnxruntime adds two products in 16 bits.
_LARGEST_SUM = 2**15 - 1


def linear_layer(weights: Sequence[Matrix], biases: Sequence[Float32]) -> Linear:
    """Return a layer that has the outputs of several layers with the same inputs side by side."""
    bias = np.concatenate(biases)
    rounded = [each for each in weights if isinstance(each, Quantized)]
    if len(rounded) == len(weights):
        return RoundedLinear(rounded, bias)
    matrix = np.concatenate([rows_of(each) for each in weights])

    def run(rows: Float32) -> Float32:
        outputs: Float32 = rows @ matrix.T
        outputs += bias
        return outputs

    return run


class RoundedLinear:
    """A layer of rounded matrices, for the same inputs.

    Inputs of a row are about ``low + step * whole``, weights of an output ``scale * whole``.

    >>> weights = Quantized.of(np.float32([[1, -0.5, 0.2], [0.1, 0.2, 0.4]]), 8)
    >>> layer = RoundedLinear([weights], np.float32([0, 10]))
    >>> print(layer(np.float32([[1, 2, 3], [0.1, 0, 0]])).round(1))
    [[ 0.6 11.7]
     [ 0.1 10. ]]
    """

    def __init__(self, weights: Sequence[Quantized], bias: Float32) -> None:
        numbers = np.concatenate([each.whole_numbers() for each in weights])
        self._weights = np.ascontiguousarray(numbers.T)
        self._scales = np.concatenate([each.scales for each in weights])
        self._sums = numbers.sum(1, dtype=np.float32) * self._scales
        self._bias = bias
        largest = max(2 ** (each.bits - 1) - 1 for each in weights)
        self._most = np.float32(min(255, _LARGEST_SUM // (2 * largest)))

    def __call__(self, rows: Float32) -> Float32:
        """Return the outputs."""
        lows = rows.min(1)
        steps = (rows.max(1) - lows) / self._most
        whole = np.empty(rows.shape, np.uint8)
        to_whole(rows, lows, steps, whole)
        (products,) = _session().run(None, {"x": whole, "w": self._weights})
        outputs = np.empty(products.shape, np.float32)
        from_whole(products, lows, steps, self._scales, self._sums, self._bias, outputs)
        return outputs


@cache
def _session() -> InferenceSession:
    import onnxruntime  # here, since grammars do not need it

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(_PRODUCT, options, ["CPUExecutionProvider"])
