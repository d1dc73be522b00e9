"""The memory of the search, which sentences share."""

from __future__ import annotations

from math import inf, prod
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

_GIB = 1 << 30  # bytes

# Larger arrays are not reused.
_LARGEST = 1 << 27  # bytes


class ChartWorkspace:
    """Arrays by name, made once and enlarged if a sentence needs more, up to a size in GiB.

    Systems such as Linux grant more memory than they have, and kill a process that uses it. An
    array with a *fill* has that value everywhere when it is returned: the caller must restore the
    value wherever it wrote another one.
    """

    def __init__(self, max_memory: float = inf) -> None:
        self._most_bytes = max_memory * _GIB
        self._arrays: dict[str, NDArray[Any]] = {}

    def array(
        self,
        name: str,
        shape: int | tuple[int, ...],
        dtype: DTypeLike,
        fill: float | NDArray[np.void] | None = None,
    ) -> NDArray[Any]:
        """Return an array of a shape, valid until the next call with this name."""
        size = prod(shape) if isinstance(shape, tuple) else shape
        kept = self._arrays.get(name)
        if kept is None or kept.size < size:
            self._arrays.pop(name, None)
            self.check_room(size * np.dtype(dtype).itemsize)
            kept = np.empty(size, dtype) if fill is None else np.full(size, fill, dtype)
            self._arrays[name] = kept
        return kept[:size].reshape(shape)

    def filled(
        self, name: str, shape: int | tuple[int, ...], dtype: DTypeLike, value: float
    ) -> NDArray[Any]:
        """Return an array with a value everywhere; the caller need not restore it."""
        array = self.array(name, shape, dtype)
        array.fill(value)
        return array

    def doubled(self, name: str, array: NDArray[Any]) -> NDArray[Any]:
        """Return an array with twice as many rows; the first ones are those of the old array."""
        size, kept = 2 * array.size, self._arrays[name]
        if kept.size < size:
            self.check_room(2 * array.nbytes)
            kept = np.empty(size, array.dtype)
            kept[: array.size] = array.reshape(-1)
            self._arrays[name] = kept
        return kept[:size].reshape(2 * len(array), *array.shape[1:])

    def check_room(self, more: int) -> None:
        """Raise a MemoryError if the arrays would be too large with this many more bytes."""
        if sum(array.nbytes for array in self._arrays.values()) + more > self._most_bytes:
            raise MemoryError

    def trim(self) -> None:
        """Free the largest arrays."""
        self._arrays = {
            name: array for name, array in self._arrays.items() if array.nbytes <= _LARGEST
        }
