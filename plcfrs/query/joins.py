"""The operators over arrays: which elements of one array are in a relation to elements of another.

Each relation, or its inverse, says that a number of the right element (itself, its mother, its
first token) lies in a range that depends on the left element. So a search in sorted numbers answers
for whole arrays.

Children are ordered by their first tokens. A precedes B if all tokens of A are before all tokens of
B, and directly if no token is between them; so a constituent does not precede or follow a node in
its gaps. The last descendants (``<<'``) end with the last token. Null elements are tokens. In trees
without crossing branches, all operators are as in tgrep2 (Rohde 2005), and those for heads (``<#``)
as in Tregex (Levy and Andrew 2006).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

import numpy as np

from plcfrs.query.segment import NEVER, Elements, Mask, Segment
from plcfrs.treebank.compiled import Integers, spread

_MOST_PAIRS = 1 << 21  # at once

Pairs = tuple[Integers, Integers]


class Ranges(NamedTuple):
    """Ranges of numbers of right elements, ``low <= number < high``."""

    rows: Integers  # the left element of each range
    low: Integers
    high: Integers
    limit: Integers | None = None  # for the further test


_Numbers = Callable[[Segment, Elements], Integers]
_Further = Callable[[Segment, Elements, Elements, Integers], Mask]


class Join(NamedTuple):
    """A relation of left and right elements."""

    number: _Numbers  # of right elements; negative for those without a relation
    ranges: Callable[[Segment, Elements], Ranges]
    # Tests pairs of elements with numbers in a range, given the limit.
    further: _Further | None = None

    def left(self, segment: Segment, left: Elements, right: Elements) -> Mask:
        """Return which left elements have the relation to any right element."""
        is_related = np.zeros(len(left), bool)
        if self.further is None:
            ranges, starts, stops, _ = self._located(segment, left, right)
            is_related[ranges.rows[starts < stops]] = True
        else:
            for at, _ in self.pairs(segment, left, right):
                is_related[at] = True
        return is_related

    def right(self, segment: Segment, left: Elements, right: Elements) -> Mask:
        """Return which right elements have the relation from any left element."""
        is_related = np.zeros(len(right), bool)
        if self.further is None:
            _, starts, stops, order = self._located(segment, left, right)
            stops = np.maximum(starts, stops)
            changes = np.bincount(starts, minlength=len(order) + 1) - np.bincount(
                stops, minlength=len(order) + 1
            )
            is_related[order] = np.cumsum(changes)[:-1] > 0
        else:
            for _, at in self.pairs(segment, left, right):
                is_related[at] = True
        return is_related

    def pairs(self, segment: Segment, left: Elements, right: Elements) -> Iterator[Pairs]:
        """Yield all pairs in portions, as places in both arrays."""
        ranges, starts, stops, order = self._located(segment, left, right)
        counts = np.maximum(stops - starts, 0)
        for begin, end in _portions(counts):
            portion = counts[begin:end]
            rows = np.repeat(np.arange(begin, end), portion)
            at = order[spread(starts[begin:end], portion)]
            yield self._tested(segment, ranges, left, right, rows, at)

    def holds(self, segment: Segment, left: Elements, right: Elements) -> Mask:
        """Return for each pair of elements whether the relation holds."""
        ranges = self.ranges(segment, left)
        number = self.number(segment, right)[ranges.rows]
        rows = np.flatnonzero((number >= ranges.low) & (number < ranges.high) & (number >= 0))
        at, _ = self._tested(segment, ranges, left, right, rows, ranges.rows[rows])
        found = np.zeros(len(left), bool)
        found[at] = True
        return found

    def _tested(
        self,
        segment: Segment,
        ranges: Ranges,
        left: Elements,
        right: Elements,
        rows: Integers,
        at: Integers,
    ) -> Pairs:
        """Return pairs of a row of the ranges and a right element that pass the further test."""
        owners = ranges.rows[rows]
        if self.further is not None:
            limit = rows if ranges.limit is None else ranges.limit[rows]
            passed = self.further(segment, left[owners], right[at], limit)
            owners, at = owners[passed], at[passed]
        return owners, at

    def _located(
        self, segment: Segment, left: Elements, right: Elements
    ) -> tuple[Ranges, Integers, Integers, Integers]:
        """Return the ranges, where they start and stop among the right numbers, and their order."""
        ranges = self.ranges(segment, left)
        number = self.number(segment, right)
        order = np.flatnonzero(number >= 0)
        number = number[order]
        if len(number) and (number[1:] < number[:-1]).any():
            by_number = np.argsort(number, kind="stable")
            order, number = order[by_number], number[by_number]
        starts, stops = (_positions(number, bound) for bound in (ranges.low, ranges.high))
        return ranges, starts, stops, order


def _portions(counts: Integers) -> Iterator[tuple[int, int]]:
    """Cut counts into intervals whose sums are not too large; yield at least one."""
    sums = np.cumsum(counts)
    begin, before = 0, 0
    while True:
        end = max(int(np.searchsorted(sums, before + _MOST_PAIRS, side="right")), begin + 1)
        yield begin, min(end, len(counts))
        if end >= len(counts):
            return
        begin, before = end, int(sums[end - 1])


def _positions(numbers: Integers, bounds: Integers) -> Integers:
    """Return how many of the sorted numbers are below each bound."""
    if not len(numbers) or numbers[-1] > 8 * len(bounds):
        return np.searchsorted(numbers, bounds)
    # A table is faster for many bounds.
    below = np.append(0, np.cumsum(np.bincount(numbers)))
    return below.take(np.clip(bounds, 0, len(below) - 1))


def _pair(major: Integers, minor: Integers) -> Integers:
    """Return one number for two, ordered by the first, then the second; negative if one is."""
    return np.where((major < 0) | (minor < 0), -1, (major.astype(np.int64) << 32) + minor)


def _each(low: Integers, high: Integers) -> Ranges:
    """Return one range for each left element."""
    return Ranges(np.arange(len(low)), low, high)


def _one(number: Integers) -> Ranges:
    """Return a range of one number for each left element."""
    return _each(number, number + 1)


def _same(_: Segment, elements: Elements) -> Ranges:
    return _one(elements)


def _with_tokens(segment: Segment, elements: Elements) -> Integers:
    return np.where(segment.first(elements) < 0, -1, elements)


def _below(segment: Segment, elements: Elements) -> Ranges:
    return _each(elements + 1, segment.end(elements))


def _below_at(edge_of: _Numbers) -> Join:
    """Return the relation to elements below with the same edge."""

    def ranges(segment: Segment, elements: Elements) -> Ranges:
        edge, end = edge_of(segment, elements), segment.end(elements)
        return _each(_pair(edge, elements + 1), _pair(edge, end))

    return Join(lambda segment, elements: _pair(edge_of(segment, elements), elements), ranges)


def _mother_of_only_child(segment: Segment, elements: Elements) -> Integers:
    is_only = (elements & 1 == 1) | segment.only_children[elements >> 1]
    return np.where(is_only, segment.mother(elements), -1)


def _last(segment: Segment, elements: Elements) -> Integers:
    """Return the last tokens; negative for elements without tokens."""
    return np.where(segment.first(elements) < 0, -1, segment.last(elements))


def _top(segment: Segment, elements: Elements) -> Integers:
    return segment.tops.take(elements >> 1)


def _mother_of_head(segment: Segment, elements: Elements) -> Integers:
    is_head = (elements & 1 == 1) | segment.are_heads[elements >> 1]
    return np.where(is_head, segment.mother(elements), -1)


def _head_top(segment: Segment, elements: Elements) -> Integers:
    return segment.head_tops.take(elements >> 1)


def _mother_of_rank(rank: int) -> _Numbers:
    def number(segment: Segment, elements: Elements) -> Integers:
        ranks = segment.ranks[rank < 0][elements >> 1]
        has_rank = np.where(elements & 1, np.sign(rank), ranks) == rank
        return np.where(has_rank, segment.mother(elements), -1)

    return number


def _next(segment: Segment, elements: Elements) -> Ranges:
    return _one(segment.last(elements) + 1)


def _later(segment: Segment, elements: Elements) -> Ranges:
    return _each(segment.last(elements) + 1, segment.tree_bounds(elements)[1])


def _mother_and_itself(segment: Segment, elements: Elements) -> Integers:
    return _pair(segment.mother(elements), elements)


def _sisters(segment: Segment, elements: Elements) -> Ranges:
    mother, itself = segment.mother(elements), _mother_and_itself(segment, elements)
    rows = np.arange(len(elements))
    low = [_pair(mother, np.zeros_like(elements)), itself + 1]
    high = [itself, _pair(mother + 1, np.zeros_like(elements))]
    high[1][mother < 0] = -1
    return Ranges(np.tile(rows, 2), np.concatenate(low), np.concatenate(high))


def _mother_and_first(segment: Segment, elements: Elements) -> Integers:
    return _pair(segment.mother(elements), segment.first(elements))


def _next_sister(segment: Segment, elements: Elements) -> Ranges:
    return _one(_pair(segment.mother(elements), segment.last(elements) + 1))


def _later_sisters(segment: Segment, elements: Elements) -> Ranges:
    mother = segment.mother(elements)
    low = _pair(mother, segment.last(elements) + 1)
    return _each(low, _pair(mother, np.full_like(mother, NEVER)))


def _in_gaps(segment: Segment, elements: Elements) -> Ranges:
    degrees = segment.gap_degrees[elements >> 1]
    places, starts, gaps = segment.gaps
    rows = np.repeat(np.arange(len(elements)), degrees)
    gapped = np.flatnonzero(degrees)
    begin = starts[np.searchsorted(places, elements[gapped] >> 1)]
    low, high = gaps[spread(begin, degrees[gapped])].T
    return Ranges(rows, low, high, limit=high)


def _ends_before(segment: Segment, _left: Elements, right: Elements, limit: Integers) -> Mask:
    return segment.last(right) < limit


def _edges_if_whole(segment: Segment, elements: Elements) -> Integers:
    edges = _pair(segment.first(elements), segment.last(elements) + 1)
    return np.where(segment.gap_degrees[elements >> 1], -1, edges)


def _whole_gaps(segment: Segment, elements: Elements) -> Ranges:
    gaps = _in_gaps(segment, elements)
    number = _pair(gaps.low, gaps.high)
    return Ranges(gaps.rows, number, number + 1)


def _first_if_gapped(segment: Segment, elements: Elements) -> Integers:
    return np.where(segment.gap_degrees[elements >> 1], segment.first(elements), -1)


def _in_tree(segment: Segment, elements: Elements) -> Ranges:
    gapped = np.flatnonzero(segment.gap_degrees[elements >> 1])
    return Ranges(gapped, *segment.tree_bounds(elements[gapped]))


def _interleaves(segment: Segment, left: Elements, right: Elements, _: Integers) -> Mask:
    """Test whether elements with gaps overlap, but none is above or in a gap of the other."""
    return (
        ((right >= segment.end(left)) | (left >= segment.end(right)))
        & (segment.first(left) < segment.last(right))
        & (segment.first(right) < segment.last(left))
        & ~_JOINS["<~"].holds(segment, left, right)
        & ~_JOINS["<~"].holds(segment, right, left)
    )


_JOINS = {
    "<": Join(Segment.mother, _same),
    "<<": Join(_with_tokens, _below),
    "<:": Join(_mother_of_only_child, _same),
    "<<,": _below_at(Segment.first),
    "<<`": _below_at(_last),
    "<<:": _below_at(_top),
    "<#": Join(_mother_of_head, _same),
    "<<#": _below_at(_head_top),
    ".": Join(Segment.first, _next),
    "..": Join(Segment.first, _later),
    "$": Join(_mother_and_itself, _sisters),
    "$.": Join(_mother_and_first, _next_sister),
    "$..": Join(_mother_and_first, _later_sisters),
    "<~": Join(Segment.first, _in_gaps, _ends_before),
    "<~:": Join(_edges_if_whole, _whole_gaps),
    "<@": Join(Segment.antecedent, _same),
    "><": Join(_first_if_gapped, _in_tree, _interleaves),
}

_RANKS = {"<,": 1, "<-": -1, "<`": -1}
_INVERSES = {",": ".", ",,": "..", "$,": "$.", "$,,": "$.."}
_INVERSES |= {name.replace("<", ">"): name for name in (*_JOINS, *_RANKS) if name[0] == "<"}

OPERATORS = (*_JOINS, *_RANKS, *_INVERSES)
"""All operators but those with a number, ``<N`` and ``>N`` for the N-th child."""

NUMBERED = re.compile(r"([<>])(-?[1-9][0-9]{0,8})")

OPERATOR = "|".join(
    [
        "[<>]-?[1-9][0-9]{0,8}(?![0-9])",
        "(?:<<|>>|<|>)'",
        *map(re.escape, sorted(OPERATORS, key=len, reverse=True)),
    ]
)
"""A regular expression for operators, the longest first. NLTK has ``'`` for the backquote of
tgrep2; both are accepted."""


@cache
def join_of(operator: str) -> tuple[Join, bool]:
    """Return the join of an operator, and whether its left and right elements are swapped."""
    operator = operator.replace("'", "`")
    numbered = NUMBERED.fullmatch(operator)
    is_inverse = operator in _INVERSES or (numbered is not None and numbered[1] == ">")
    operator = _INVERSES.get(operator, operator)
    rank = int(numbered[2]) if numbered else _RANKS.get(operator)
    if rank is not None:
        return Join(_mother_of_rank(rank), _same), is_inverse
    return _JOINS[operator], is_inverse
