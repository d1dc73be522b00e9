"""Searches in treebanks, and what they have found, kept as long as there is memory for it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sized
from threading import Lock
from typing import Any, NamedTuple, TypeVar
from weakref import WeakValueDictionary

from plcfrs.query.hits import Hits

Found = TypeVar("Found", bound=Sized)

_MOST, _MOST_LISTS = 1 << 26, 100  # bytes, and lists, of each treebank
_PER_HIT, _PER_COUNT, _PER_LIST = 24, 300, 1000  # bytes, about

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
    """Lists of matches and counts; those that nobody has asked for longest are dropped first."""

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._found: dict[Hashable, Any] = {}
        self._looking: WeakValueDictionary[Hashable, Any] = WeakValueDictionary()
        self._lock = Lock()

    def get(self, key: Hashable, find: Callable[[], Found]) -> Found:
        """Return what has been found for a key; what several ask for at once is found once."""
        with self._lock:
            looking = self._looking.setdefault(key, Lock())
        with looking:
            with self._lock:
                found: Found | None = self._found.get(key)
            found = find() if found is None else found
            with self._lock:
                self._keep(key, found)
            return found

    @property
    def size(self) -> int:
        """How many bytes they take, about."""
        return sum(map(_size, self._found.values()))

    def _keep(self, key: Hashable, found: Sized) -> None:
        self._found.pop(key, None)
        self._found[key] = found  # the last one
        while len(self._found) > 1 and (self.size > self._most or len(self._found) > _MOST_LISTS):
            del self._found[next(iter(self._found))]


def _size(found: Sized) -> int:
    each = _PER_HIT + 8 * len(found.named) if isinstance(found, Hits) else _PER_COUNT
    return _PER_LIST + each * len(found)
