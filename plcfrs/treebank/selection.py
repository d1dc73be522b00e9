"""Some trees of a treebank: by their numbers and their lengths."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import inf

from plcfrs.errors import InputError
from plcfrs.trees import Tree

Ranges = tuple[tuple[int, int], ...]
"""The first and the last number of each range."""


def parse_ranges(text: str) -> Ranges:
    """Return what ranges of numbers say.

    Raises
    ------
    InputError
        If one is not a number or a range.

    Examples
    --------
    >>> parse_ranges("1-500, 600")
    ((1, 500), (600, 600))
    """
    ranges = []
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()):
            raise InputError(f"{part!r} is not a number or a range such as 1-500")
        ranges.append((int(first), int(last or first)))
    return tuple(ranges)


def select(
    numbered: Iterable[tuple[int, Tree]], ranges: Ranges = (), max_length: int | None = None
) -> Iterator[Tree]:
    """Yield the trees whose number is in a range and that are not too long.

    Parameters
    ----------
    numbered : iterable of (int, Tree)
        By ascending numbers; nothing is read behind the last one of the ranges.
    ranges : tuple of (int, int)
        None for all.
    max_length : int, optional
        The most tokens, null elements not counted.
    """
    last = max((last for _, last in ranges), default=inf)
    for number, tree in numbered:
        wanted = not ranges or any(first <= number <= last for first, last in ranges)
        if wanted and (max_length is None or _length(tree) <= max_length):
            yield tree
        if number >= last:
            return


def _length(tree: Tree) -> int:
    return sum(not token.is_null for token in tree.tokens)
