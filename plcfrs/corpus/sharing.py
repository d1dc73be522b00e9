"""Objects that several processes use, with one copy of their arrays in memory."""

from __future__ import annotations

import multiprocessing
import pickle
from typing import Any

_ALIGNMENT = 64


class Shared:
    """An object for child processes, whose arrays lie in memory that all processes map.

    It is passed when a process starts (see `map_in_order`). Nobody may write into the arrays.

    Parameters
    ----------
    thing : object
        It must be possible to pickle it.

    Examples
    --------
    >>> import numpy as np
    >>> Shared({"costs": np.arange(3.0)}).load()
    {'costs': array([0., 1., 2.])}
    """

    def __init__(self, thing: object) -> None:
        arrays: list[pickle.PickleBuffer] = []
        rest = pickle.dumps(thing, protocol=5, buffer_callback=arrays.append)
        parts: list[bytes | memoryview] = [rest, *(array.raw() for array in arrays)]
        self._places: list[slice] = []
        end = 0
        for part in parts:
            start = end + -end % _ALIGNMENT
            end = start + len(part)
            self._places.append(slice(start, end))
        self._memory = multiprocessing.RawArray("B", end)
        view = memoryview(self._memory).cast("B")
        for place, part in zip(self._places, parts, strict=True):
            view[place] = part

    def load(self) -> Any:  # noqa: ANN401 (any object can be shared)
        """Return a new object with the same arrays."""
        view = memoryview(self._memory).cast("B")
        rest, *arrays = (view[place] for place in self._places)
        return pickle.loads(rest, buffers=arrays)
