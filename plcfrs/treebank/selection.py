"""Selection of trees by their numbers and lengths."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from plcfrs.errors import InputError
from plcfrs.trees import DependencyTree, Tree

Item = TypeVar("Item")

_RANGE = re.compile(r"([0-9]{1,18})(?:-([0-9]{1,18}))?")


@dataclass(frozen=True, slots=True)
class Selection:
    """A choice of trees.

    Parameters
    ----------
    sentences : tuple of range
        Numbers of trees, counted from 1 over all files, including malformed trees. Empty for all.
    max_length : int, optional
        The largest number of tokens, without null elements.

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
        """Yield the items of the trees of a treebank, up to the last one that may be selected."""
        if not self.sentences:
            yield from items
            return
        last = max((numbers[-1] for numbers in self.sentences if numbers), default=0)
        yield from islice(items, min(last, sys.maxsize))

    def includes(self, number: int, tree: Tree | DependencyTree) -> bool:
        """Whether a tree with a number is selected."""
        if self.sentences and not any(number in numbers for numbers in self.sentences):
            return False
        length = sum(not token.is_null for token in tree.tokens)
        return self.max_length is None or length <= self.max_length


EVERYTHING = Selection()


def parse_ranges(text: str) -> tuple[range, ...]:
    """Return the ranges of numbers in a text.

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
