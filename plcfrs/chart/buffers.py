"""Memory that is used for one sentence after another."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

MOST_BYTES = 1 << 32
"""What the arrays of one search may take, so that no long sentence gets the process killed."""

# Larger arrays are not kept for the next sentence.
_LARGEST = 1 << 25  # bytes


def check_room(arrays: Iterable[object], more: int) -> None:
    """Raise an error if some arrays with so many bytes more are too large.

    A system such as Linux gives more memory than there is, and kills who uses it.

    Raises
    ------
    MemoryError
    """
    used = sum(array.nbytes for array in arrays if isinstance(array, np.ndarray))
    if used + more > MOST_BYTES:
        raise MemoryError


class Buffers:
    """Arrays by name, made once and enlarged when a sentence needs more.

    An array with a *fill* holds that value everywhere when it is handed out: who uses it writes the
    value back wherever it wrote another, so that nothing has to be cleared.
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
        """Return an array of a shape, which is valid until the name is asked for again.

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
        """Keep an array that may have taken the place of the one that was handed out."""
        if array.size and not np.may_share_memory(array, self._arrays[name]):
            self._arrays[name] = array.reshape(-1)

    def trim(self) -> None:
        """Give the largest arrays back to the system."""
        self._arrays = {
            name: array for name, array in self._arrays.items() if array.nbytes <= _LARGEST
        }
