"""Lists of the labels among which a search chooses."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence

import numpy as np

from plcfrs.dependency.kernel.labels import Candidates


class CandidateLists:
    """Lists of candidates, found by keys.

    Parameters
    ----------
    lists : mapping of key to labels
        The numbers of the candidates; no list is empty.

    Attributes
    ----------
    arrays : Candidates
        The lists, as kernels see them.

    Examples
    --------
    >>> lists = CandidateLists({("NP", "DT"): {4, 2}, ("NP",): {1, 2, 4}})
    >>> lists.find([("NP", "DT"), ("NP",)]), lists.find([("NP", "JJ"), ("NP",)])
    (0, 1)
    >>> lists.arrays.labels.tolist()
    [2, 4, 1, 2, 4]
    """

    def __init__(self, lists: Mapping[Hashable, Iterable[int]]) -> None:
        self._numbers = {key: number for number, key in enumerate(lists)}
        parts = list(map(sorted, lists.values()))
        self.arrays = Candidates(
            np.cumsum([0, *map(len, parts)], dtype=np.int64),
            np.array([label for part in parts for label in part], np.int32),
        )

    def find(self, keys: Iterable[Hashable]) -> int:
        """Return the number of the list of the first key that has one."""
        return next(self._numbers[key] for key in keys if key in self._numbers)


def check_lists(lists: Collection[Sequence[int]], labels: int) -> None:
    """Raise a ValueError if there are no lists, one is empty, or a label is out of range."""
    if (
        not lists
        or not all(lists)
        or not all(label in range(labels) for each in lists for label in each)
    ):
        raise ValueError("the lists of candidates are damaged")
