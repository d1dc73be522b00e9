"""Matrices with fewer bits: packed whole numbers, with a scale for each row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plcfrs.errors import InputError

Float32 = NDArray[np.float32]

# Trained numbers are far smaller, and sums of products of two smaller numbers are finite.
LARGEST_WEIGHT = 1e15

FEWEST_BITS, MOST_BITS = 2, 8

_GROUP = 8  # numbers in a pack: together, 8 numbers of n bits fill n bytes
_LEAST = 4096  # numbers in a matrix that is worth rounding


class Quantized(NamedTuple):
    """A matrix whose rows are whole numbers times a scale.

    Parameters
    ----------
    bits : int
        Bits of each number, from 2 to 8.
    columns : int
    scales : array of (rows,)
    packed : array of (rows, bytes)
        The numbers plus 2^(bits - 1), eight of them in `bits` bytes, the lowest bits first.

    Examples
    --------
    >>> matrix = Quantized.of(np.float32([[1, -0.3, 0.2], [0, 0, 0]]), 4)
    >>> print(matrix.rows().round(2))
    [[ 1.   -0.29  0.14]
     [ 0.    0.    0.  ]]
    >>> matrix.packed.shape
    (2, 4)
    """

    bits: int
    columns: int
    scales: Float32
    packed: NDArray[np.uint8]

    @classmethod
    def of(cls, matrix: Float32, bits: int) -> Quantized:
        """Round a matrix; the number with the largest absolute value in a row stays exact."""
        most = 2 ** (bits - 1) - 1
        scales = np.abs(matrix).max(1, initial=0) / np.float32(most)
        divisors = np.where(scales > 0, scales, np.float32(1))[:, None]
        numbers = np.rint(matrix / divisors).astype(np.int64) + most + 1
        columns = numbers.shape[1]
        groups = np.pad(numbers, ((0, 0), (0, -columns % _GROUP))).reshape(len(numbers), -1, _GROUP)
        words = np.bitwise_or.reduce(groups << (bits * np.arange(_GROUP)), 2)
        packed = words.astype("<i8")[..., None].view(np.uint8)[..., :bits]
        return cls(bits, columns, scales, np.ascontiguousarray(packed.reshape(len(packed), -1)))

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and columns."""
        return len(self.packed), self.columns

    def rows(self, numbers: NDArray[np.integer] | slice = slice(None)) -> Float32:
        """Return some of the rows, or all of them."""
        rows = self.whole_numbers(numbers).astype(np.float32)
        rows *= self.scales[numbers][:, None]
        return rows

    def whole_numbers(self, numbers: NDArray[np.integer] | slice = slice(None)) -> NDArray[np.int8]:
        """Return some of the rows, or all of them, without their scales."""
        packed = self.packed[numbers].reshape(-1, self.packed.shape[1] // self.bits, self.bits)
        words = np.zeros((*packed.shape[:2], 8), np.uint8)
        words[..., : self.bits] = packed
        whole = words.view("<u8")[..., 0]
        rows = np.empty((*whole.shape, _GROUP), np.int8)
        for place in range(_GROUP):
            number = (whole >> np.uint64(self.bits * place)) & np.uint64(2**self.bits - 1)
            rows[..., place] = number.astype(np.int16) - 2 ** (self.bits - 1)
        return np.ascontiguousarray(rows.reshape(len(rows), -1)[:, : self.columns])

    def scaled(self, numbers: NDArray[np.integer], factors: Float32) -> Quantized:
        """Return some of the rows, each times a factor."""
        scales = self.scales[numbers] * factors
        return self._replace(scales=scales, packed=self.packed[numbers])

    def check(self) -> None:
        """Raise a ValueError if something is damaged."""
        groups = -(-self.columns // _GROUP)
        is_right = (
            FEWEST_BITS <= self.bits <= MOST_BITS
            and self.columns > 0
            and self.scales.ndim == 1
            and self.packed.shape == (len(self.scales), groups * self.bits)
            and (np.abs(self.scales) < LARGEST_WEIGHT / 2**MOST_BITS).all()  # a nan fails, too
        )
        if not is_right:
            raise ValueError("a rounded matrix is damaged")


Matrix = Float32 | Quantized


def rows_of(matrix: Matrix, numbers: NDArray[np.integer] | slice = slice(None)) -> Float32:
    """Return some rows of a matrix, or all of them."""
    return matrix.rows(numbers) if isinstance(matrix, Quantized) else matrix[numbers]


def quantized(arrays: Mapping[str, Matrix], bits: int) -> dict[str, Matrix]:
    """Return arrays by their names; large matrices are rounded.

    Raises
    ------
    InputError
        If the number of bits is not possible.
    """
    if not FEWEST_BITS <= bits <= MOST_BITS:
        raise InputError(f"quantize: expected {FEWEST_BITS} to {MOST_BITS} bits, not {bits}")

    def is_large(shape: tuple[Any, ...]) -> bool:
        return len(shape) == 2 and shape[0] * shape[1] >= _LEAST

    return {
        name: Quantized.of(rows_of(array), bits) if is_large(array.shape) else array
        for name, array in arrays.items()
    }
