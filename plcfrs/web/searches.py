"""Searches in treebanks, and what they have found, kept as long as there is memory for it."""

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
"""How many matches have each combination of values."""
Found = TypeVar("Found", Hits, Counts)

_MOST, _MOST_LISTS = 1 << 26, 100  # bytes, and lists, of each treebank
_PER_HIT, _PER_LIST = 24, 1000  # bytes, about, besides places

Kind = tuple[tuple[str, str], ...]
"""Keys of matches, perhaps of named nodes, each with the value that is wanted."""


class Search(NamedTuple):
    """A query, and another one: only trees in which that finds something are searched."""

    text: str
    within: str
    transformed: bool

    @property
    def other(self) -> Search:
        """The search for the other query."""
        return Search(self.within, "", self.transformed)


def names_of(keys: Iterable[str]) -> tuple[str, ...]:
    """Return the names of nodes in keys, each once.

    >>> names_of(["n.label", "words", "v.tags", "n.length"])
    ('n', 'v')
    """
    names = (key.rpartition(".")[0] for key in keys)
    return tuple(dict.fromkeys(filter(None, names)))


class Kept:
    """Lists of matches and counts; the ones that were unused for the longest time go first.

    What is larger than all that may be kept is found again each time.
    """

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._found: dict[Hashable, tuple[Any, int]] = {}  # with its size
        self._looking: WeakValueDictionary[Hashable, Any] = WeakValueDictionary()
        self._lock = Lock()

    def get(self, key: Hashable, find: Callable[[], Found]) -> Found:
        """Return what has been found for a key; what several ask for at once is found once."""
        with self._lock:
            looking = self._looking.setdefault(key, Lock())
        with looking:
            with self._lock:
                kept: tuple[Found, int] | None = self._found.get(key)
            if kept is None:
                found = find()
                kept = found, _size(found)
            with self._lock:
                self._keep(key, kept)
            return kept[0]

    @property
    def size(self) -> int:
        """How many bytes they take, about."""
        return sum(size for _, size in self._found.values())

    def _keep(self, key: Hashable, kept: tuple[Hits | Counts, int]) -> None:
        self._found.pop(key, None)
        if kept[1] > self._most:
            return
        self._found[key] = kept  # the last one
        while self.size > self._most or len(self._found) > _MOST_LISTS:
            del self._found[next(iter(self._found))]


def _size(found: Hits | Counts) -> int:
    if isinstance(found, Hits):
        places = sum(column.nbytes for column in (found.places, *found.named.values()))
        return _PER_LIST + places + _PER_HIT * len(found)
    values = set(chain.from_iterable(found))  # kinds share them
    return _PER_LIST + getsizeof(found) + sum(map(getsizeof, chain(found, values)))
