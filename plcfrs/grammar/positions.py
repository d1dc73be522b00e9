"""Constituents as text: ``VP 0,3-4`` is a category with token positions.

Positions count from 0, as in discbracket files.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from plcfrs.errors import InputError
from plcfrs.grammar.example import Range

_WANT = re.compile(r"\s*(\S+)\s+(\d+(?:-\d+)?(?:\s*,\s*\d+(?:-\d+)?)*)\s*")


class Want(NamedTuple):
    """A constituent that a parse is expected to have, with half-open ranges of positions, from 0.

    The category is ``VP`` with any split and functions, or a whole symbol such as ``VP^HINF_2``.
    """

    category: str
    ranges: tuple[Range, ...]

    def __str__(self) -> str:
        return f"{self.category} {render_ranges(self.ranges)}"


def parse_want(text: str) -> Want:
    """Read a category and token positions, from 0; raise an InputError if they are wrong.

    >>> parse_want("VP 0,3-4")
    Want(category='VP', ranges=((0, 1), (3, 5)))
    """
    match = _WANT.fullmatch(text)
    if match is None:
        raise InputError(
            f"{text!r} should be like 'VP 0,3-4': a category and token positions, from 0"
        )
    ranges = []
    for part in match[2].split(","):
        first, _, last = part.strip().partition("-")
        ranges.append((int(first), int(last or first) + 1))
    if any(left >= right for left, right in ranges) or any(
        one[1] > other[0] for one, other in pairwise(ranges)
    ):
        raise InputError(f"the positions {match[2]} must be in ascending order")
    return Want(match[1], tuple(ranges))


def render_ranges(ranges: Sequence[Range]) -> str:
    """Return ranges of positions as text.

    >>> render_ranges([(0, 1), (3, 5)])
    '0,3-4'
    """
    return ",".join(
        f"{left}" if right == left + 1 else f"{left}-{right - 1}" for left, right in ranges
    )
