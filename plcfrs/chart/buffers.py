"""Memory that is used for one sentence after another."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

# Larger arrays are not kept for the next sentence.
_LARGEST = 1 << 25  # bytes


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
        """Return an array of a shape, which is valid until the name is asked for again."""
        size = prod(shape) if isinstance(shape, tuple) else shape
        kept = self._arrays.get(name)
        if kept is None or kept.size < size:
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
