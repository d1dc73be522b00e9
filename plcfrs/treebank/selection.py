"""Which trees of a treebank are wanted: by their numbers and their lengths."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from plcfrs.errors import InputError
from plcfrs.trees import Tree

Item = TypeVar("Item")

_RANGE = re.compile(r"([0-9]{1,18})(?:-([0-9]{1,18}))?")


@dataclass(frozen=True, slots=True)
class Selection:
    """A choice of trees.

    Parameters
    ----------
    sentences : tuple of range
        Numbers of trees, from 1 on, over all files; malformed trees count. None are for all.
    max_length : int, optional
        The largest number of tokens, null elements not counted.

    Examples
    --------
    >>> from plcfrs.treebank import read_trees
    >>> first = Selection((range(1, 4), range(7, 8)))
    >>> [tree.id for tree in read_trees("plcfrs:demo", selection=first)]
    ['demo:1', 'demo:2', 'demo:3', 'demo:7']
    """

    sentences: tuple[range, ...] = ()
    max_length: int | None = None

    def until_last(self, items: Iterable[Item]) -> Iterator[Item]:
        """Yield what stands for the trees of a treebank, up to the last one that may be wanted."""
        if not self.sentences:
            yield from items
            return
        last = max((numbers[-1] for numbers in self.sentences if numbers), default=0)
        yield from islice(items, min(last, sys.maxsize))

    def includes(self, number: int, tree: Tree) -> bool:
        """Whether the tree with a number is wanted."""
        if self.sentences and not any(number in numbers for numbers in self.sentences):
            return False
        return self.max_length is None or _length(tree) <= self.max_length


EVERYTHING = Selection()


def parse_ranges(text: str) -> tuple[range, ...]:
    """Return what ranges of numbers say.

    Raises
    ------
    InputError
        If one is not a number or a range.

    Examples
    --------
    >>> parse_ranges("1-500, 600")
    (range(1, 501), range(600, 601))
    """
    ranges = []
    for part in text.split(","):
        found = _RANGE.fullmatch(part.strip())
        if found is None:
            raise InputError(f"{part!r} is not a number or a range such as 1-500")
        ranges.append(range(int(found[1]), int(found[2] or found[1]) + 1))
    return tuple(ranges)


def _length(tree: Tree) -> int:
    return sum(not token.is_null for token in tree.tokens)
