"""Memory that is reused from sentence to sentence."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

MOST_BYTES = 1 << 32
"""Limit for the arrays of one search, so that a long sentence does not kill the process."""

# Larger arrays are not reused.
_LARGEST = 1 << 25  # bytes


def check_room(arrays: Iterable[object], more: int) -> None:
    """Raise an error if some arrays with this many more bytes are too large.

    Systems such as Linux grant more memory than they have, and kill a process that uses it.

    Raises
    ------
    MemoryError
    """
    used = sum(array.nbytes for array in arrays if isinstance(array, np.ndarray))
    if used + more > MOST_BYTES:
        raise MemoryError


class Buffers:
    """Arrays by name, made once and enlarged if a sentence needs more.

    An array with a *fill* has that value everywhere when it is returned. The caller must restore
    the value wherever it wrote another one, so that nothing has to be cleared.
    """

    def __init__(self) -> None:
        self._arrays: dict[str, NDArray[Any]] = {}

    def array(
        self,
        name: str,
        shape: int | tuple[int, ...],
        dtype: DTypeLike,
        fill: float | NDArray[np.void] | None = None,
    ) -> NDArray[Any]:
        """Return an array of a shape, valid until the next call with this name.

        Raises
        ------
        MemoryError
        """
        size = prod(shape) if isinstance(shape, tuple) else shape
        kept = self._arrays.get(name)
        if kept is None or kept.size < size:
            self._arrays.pop(name, None)
            check_room(self._arrays.values(), size * np.dtype(dtype).itemsize)
            kept = np.empty(size, dtype) if fill is None else np.full(size, fill, dtype)
            self._arrays[name] = kept
        return kept[:size].reshape(shape)

    def keep(self, name: str, array: NDArray[Any]) -> None:
        """Keep an array that may have replaced the one that was returned."""
        if array.size and not np.may_share_memory(array, self._arrays[name]):
            self._arrays[name] = array.reshape(-1)

    def trim(self) -> None:
        """Free the largest arrays."""
        self._arrays = {
            name: array for name, array in self._arrays.items() if array.nbytes <= _LARGEST
        }
