"""Searches in treebanks, and a cache of their results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from itertools import chain
from sys import getsizeof
from threading import Lock
from typing import Any, NamedTuple, TypeVar
from weakref import WeakValueDictionary

from plcfrs.query.hits import Hits

Counts = Counter[tuple[str | int, ...]]
"""The number of matches with each combination of values."""
Result = TypeVar("Result", Hits, Counts)

_MOST_BYTES, _MOST_RESULTS = 1 << 26, 100  # in the cache of a treebank
_PER_HIT, _PER_RESULT = 24, 1000  # approximate bytes, without positions

Kind = tuple[tuple[str, str], ...]
"""The values that matches must have, each with its key."""


class TreebankSearch(NamedTuple):
    """A query in a treebank, perhaps only in the trees that match another query."""

    text: str
    within: str
    transformed: bool

    @property
    def outer(self) -> TreebankSearch:
        """The search for the trees to search in."""
        return TreebankSearch(self.within, "", self.transformed)


def names_of(keys: Iterable[str]) -> tuple[str, ...]:
    """Return the names of nodes in keys, without repetition.

    >>> names_of(["n.label", "words", "v.tags", "n.length"])
    ('n', 'v')
    """
    names = (key.rpartition(".")[0] for key in keys)
    return tuple(dict.fromkeys(filter(None, names)))


class SearchCache:
    """A cache of matches and counts that drops the least recently used ones.

    A result larger than the whole cache is not stored.
    """

    def __init__(self, most: int = _MOST_BYTES) -> None:
        self._most = most
        self._results: dict[Hashable, tuple[Any, int]] = {}  # with their sizes
        self._locks: WeakValueDictionary[Hashable, Any] = WeakValueDictionary()
        self._lock = Lock()

    def get(self, key: Hashable, search: Callable[[], Result]) -> Result:
        """Return the result for a key; threads that ask at the same time wait for one search."""
        with self._lock:
            lock = self._locks.setdefault(key, Lock())
        with lock:
            with self._lock:
                kept: tuple[Result, int] | None = self._results.get(key)
            if kept is None:
                result = search()
                kept = result, _size(result)
            with self._lock:
                self._keep(key, kept)
            return kept[0]

    @property
    def size(self) -> int:
        """The approximate size of all results in bytes."""
        return sum(size for _, size in self._results.values())

    def _keep(self, key: Hashable, kept: tuple[Hits | Counts, int]) -> None:
        self._results.pop(key, None)
        if kept[1] > self._most:
            return
        self._results[key] = kept  # now the most recently used one
        while self.size > self._most or len(self._results) > _MOST_RESULTS:
            del self._results[next(iter(self._results))]


def _size(result: Hits | Counts) -> int:
    if isinstance(result, Hits):
        places = sum(column.nbytes for column in (result.places, *result.named.values()))
        return _PER_RESULT + places + _PER_HIT * len(result)
    values = set(chain.from_iterable(result))  # combinations share them
    return _PER_RESULT + getsizeof(result) + sum(map(getsizeof, chain(result, values)))
