"""The best parse of a sentence, the forest of good parses, and the best derivations of a forest.

The search for the best parse begins with cheap bounds and goes on to tight ones. The search for a
forest stops at parses that are not much worse than the best one; a finer grammar chooses among
them. Derivations come out of a forest one after another (Huang and Chiang 2005, algorithm 3).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush, heapreplace
from math import inf
from typing import Literal, NamedTuple

import numpy as np

from plcfrs.budget import Statistics
from plcfrs.chart.forest import Forest
from plcfrs.chart.growing import SearchLimits
from plcfrs.chart.kernel import arrays
from plcfrs.chart.search import ChartSearch
from plcfrs.grammar import Derivation, Nonterminal, Rule

Status = Literal["parsed", "no parse", "out of items", "out of time", "out of memory"]
# By how much the cost of an item may exceed that of its best derivation: the search has a tolerance
# of 1e-12, and such differences may add up along a derivation.
_TOLERANCE = 1e-6

# Digits of costs that count in the order of derivations, so that sums of the same costs are equal.
_DIGITS = 9

Items = frozenset[int]
Edge = tuple[int, int, float]  # left child, right child, cost

# Cost, number of the edge among those of the item, ranks of the derivations of the left and right
# child, whether the cost is exact or a lower bound. A candidate with a bound sorts before the exact
# one that replaces it, so that exact ones are taken in their own order.
Candidate = tuple[float, int, int, int, bool]


@dataclass(frozen=True, slots=True)
class ParseResult:
    """A derivation of a sentence, or the reason why there is none.

    Parameters
    ----------
    status : {"parsed", "no parse", "out of items", "out of time", "out of memory"}
        In the last three cases the budget was used up before any derivation was found.
    cost : float
        ``-log p`` (natural logarithm) of the derivation; infinite without a parse.
    derivation : Derivation or None
        Of the parser's grammar.
    statistics : Statistics
    lost_mass : float
        Upper bound for the fraction of probability mass that the sums over derivations lack, if the
        objective needs sums.
    gap : float or None
        How much less the most probable derivation may cost than this one: its cost less the
        greatest proven bound. 0 if this one is proven to be the most probable; infinite if nothing
        is proven. N-best parses are compared with the derivation of the same rank. None without a
        derivation, and for other objectives than the most probable derivation.
    """

    status: Status
    cost: float = inf
    derivation: Derivation | None = None
    statistics: Statistics = field(default_factory=Statistics)
    lost_mass: float = 0.0
    gap: float | None = None

    def _repr_svg_(self) -> str | None:
        """Return the picture of the derivation for a notebook."""
        return None if self.derivation is None else self.derivation._repr_svg_()


class Expectations(NamedTuple):
    """Sums over the derivations of a sentence.

    Parameters
    ----------
    log_probability : float
        Natural logarithm of the probability of the sentence.
    rule_counts : dict of Rule to float
        How often each rule of the grammar is expected in a derivation.
    constituents : dict of (Nonterminal, int) to float
        How often each nonterminal over each span (a bitset) is expected, without intermediate
        symbols. Touching ranges are one, and the nonterminal is that of `proper_gaps`.
    lost_mass : float
        Upper bound for the missing fraction of probability mass.
    """

    log_probability: float
    rule_counts: dict[Rule, float]
    constituents: dict[tuple[Nonterminal, int], float]
    lost_mass: float


class UnaryCycle(NamedTuple):
    """A component of the forest with unary edges inside."""

    edges: list[tuple[int, int, float]]  # inside the component: mother, child, cost
    exits: dict[int, float]  # the lowest bound of an item's other edges

    def bounds(self, path: Items) -> dict[int, float]:
        """Return lower bounds for the items with derivations that avoid the items of a path."""
        best = {item: cost for item, cost in self.exits.items() if item not in path}
        edges = [edge for edge in self.edges if path.isdisjoint(edge[:2])]
        changed = True
        while changed:
            changed = False
            for mother, child, cost in edges:
                if best.get(child, inf) + cost < best.get(mother, inf):
                    best[mother] = best[child] + cost
                    changed = True
        return best


class Stream(NamedTuple):
    """The derivations of an item found so far, best first, and a heap of candidates."""

    item: int
    component: range  # the items of the component
    path: Items  # in a cycle, the item and the items above it
    edges: list[Edge]
    candidates: list[Candidate]
    derivations: list[tuple[float, tuple[Derivation, ...]]]


_NO_ITEMS: Items = frozenset()
_NO_CHILD = Stream(-1, range(0), _NO_ITEMS, [], [], [(0.0, ())])


def best_derivations(forest: Forest) -> Iterator[tuple[float, Derivation]]:
    """Yield the derivations of a forest in the order of their costs, each once.

    Derivations in which an item is its own descendant are left out, so the list is finite.

    The cost of a derivation is the cost of its left part, plus that of its right part, plus that of
    its rule, added in this order, so that it is the same to the last bit in every forest.
    Derivations with equal costs are ordered by their topmost edges in the forest, as in the search
    for the best parse (see `ChartParser`); with the same edge, by their left parts, then by their
    right parts.

    Parameters
    ----------
    forest : Forest

    Yields
    ------
    cost : float
        ``-log p`` (natural logarithm).
    derivation : Derivation
        Of the compiled grammar. Derivations share parts.

    Examples
    --------
    >>> from plcfrs.chart import ChartParser
    >>> from plcfrs.grammar import Grammar, Nonterminal, Rule, tag
    >>> s, a = Nonterminal("S"), tag("A")
    >>> grammar = Grammar({Rule(s, (s, s), ((0, 1),)): 1, Rule(s, (a,), ((0,),)): 3}, start=s)
    >>> forest = ChartParser(grammar).forest([{a: 0.0}] * 4)
    >>> [round(cost, 2) for cost, _ in best_derivations(forest)]
    [5.31, 5.31, 5.31, 5.31, 5.31]
    """
    streams = _Streams(forest)
    goal = streams.open(forest.goal, _NO_ITEMS)
    rank = 0
    while streams.extend(goal, rank):
        cost, (derivation,) = goal.derivations[rank]
        yield cost, derivation
        rank += 1


class _Streams:
    """The streams of the items of a forest, made on first use.

    A candidate is an edge with the ranks of the derivations of its children; when it is taken, its
    successors are pushed. Two things are not in the paper:

    - A candidate is pushed with a lower bound of its cost. Its children are asked for their
      derivations only when it comes to the top of the heap. The first bounds come from the costs of
      the items, so only items in or near the wanted derivations are visited.
    - No item occurs twice on a path from the root to a leaf. That could happen only in a component
      of the forest, a cycle of unary rules: there, an item has a stream for each set of items above
      it.
    """

    def __init__(self, forest: Forest) -> None:
        self._forest = forest
        self._symbols = list(forest.compiled.labels)
        # The last bound is for the child -1.
        self._bounds = np.append(forest.cost - _TOLERANCE * (1.0 + np.abs(forest.cost)), 0.0)
        self._streams = {(-1, _NO_ITEMS): _NO_CHILD}
        self._cycles: dict[range, UnaryCycle] = {}
        self._component_start = np.append(0, np.cumsum(np.bincount(forest.component)))

    def open(self, item: int, above: Items) -> Stream:
        """Return the stream of an item, given the items above it in its cycle."""
        stream = self._streams.get((item, above))
        if stream is None:
            stream = self._streams[item, above] = self._new_stream(item, above)
        return stream

    def extend(self, stream: Stream, rank: int) -> bool:
        """Find the derivations of a stream up to a rank; return whether there are enough."""
        stack = [(stream, rank)]
        while stack:
            top, wanted = stack[-1]
            if wanted < len(top.derivations) or not top.candidates:
                stack.pop()
            elif top.candidates[0][-1]:
                self._take(top)
            else:
                stack.extend(self._make_exact(top))
        return rank < len(stream.derivations)

    def _take(self, stream: Stream) -> None:
        """Add the derivation of the best candidate, and replace it by its successors."""
        forest = self._forest
        bound, place, left, right, _ = heappop(stream.candidates)
        heappush(stream.candidates, (bound, place, left + 1, right, False))
        if left == 0:  # so that each pair of ranks is reached in one way
            heappush(stream.candidates, (bound, place, left, right + 1, False))
        left_child, right_child = self._children(stream, place)
        left_cost, left_part = left_child.derivations[left]
        right_cost, right_part = right_child.derivations[right]
        cost = left_cost + right_cost + stream.edges[place][2]
        rule = forest.edge_rule[forest.edge_start[stream.item] + place]
        derivation = Derivation(
            self._symbols[forest.label[stream.item]],
            forest.compiled.rules[rule].yield_function if rule >= 0 else (),
            left_part + right_part,
        )
        stream.derivations.append((cost, (derivation,)))

    def _make_exact(self, stream: Stream) -> list[tuple[Stream, int]]:
        """Replace the best candidate's bound by its cost, or remove it if it has no derivation.

        Return the derivations that have to be found first, as streams and ranks.
        """
        _, place, left, right, _ = stream.candidates[0]
        left_child, right_child = self._children(stream, place)
        if left < len(left_child.derivations) and right < len(right_child.derivations):
            cost = left_child.derivations[left][0] + right_child.derivations[right][0]
            cost += stream.edges[place][2]
            heapreplace(stream.candidates, (round(cost, _DIGITS), place, left, right, True))
            return []
        ranks = [(left_child, left), (right_child, right)]
        missing = [(child, rank) for child, rank in ranks if rank >= len(child.derivations)]
        if all(child.candidates for child, _ in missing):
            return missing
        heappop(stream.candidates)
        return []

    def _children(self, stream: Stream, place: int) -> tuple[Stream, Stream]:
        left, right, _ = stream.edges[place]
        above = stream.path if left in stream.component else _NO_ITEMS
        return self.open(left, above), self.open(right, _NO_ITEMS)

    def _new_stream(self, item: int, above: Items) -> Stream:
        component = int(self._forest.component[item])
        members = range(*self._component_start[component : component + 2].tolist())
        edges, bounds = self._edges(item)
        path = _NO_ITEMS
        if len(members) > 1:
            path = above | {item}
            best = self._cycle(members).bounds(path)
            for place, (child, _, cost) in enumerate(edges):
                if child in members:
                    bounds[place] = best.get(child, inf) + cost
        # An edge from the item to itself is in no derivation.
        candidates = [
            (bound, place, 0, 0, False)
            for place, bound in enumerate(bounds)
            if bound < inf and edges[place][0] != item
        ]
        heapify(candidates)
        return Stream(item, members, path, edges, candidates, [])

    def _cycle(self, members: range) -> UnaryCycle:
        cycle = self._cycles.get(members)
        if cycle is None:
            cycle = self._cycles[members] = UnaryCycle([], {})
            for item in members:
                for (child, _, cost), bound in zip(*self._edges(item), strict=True):
                    if child in members:
                        cycle.edges.append((item, child, cost))
                    else:
                        cycle.exits[item] = min(bound, cycle.exits.get(item, inf))
        return cycle

    def _edges(self, item: int) -> tuple[list[Edge], list[float]]:
        """Return the edges of an item, with lower bounds for the costs of their derivations."""
        forest = self._forest
        edges = slice(*forest.edge_start[item : item + 2].tolist())
        left, right, cost = (
            array[edges] for array in (forest.edge_left, forest.edge_right, forest.edge_cost)
        )
        bounds = self._bounds[left] + self._bounds[right] + cost
        return list(zip(left.tolist(), right.tolist(), cost.tolist(), strict=True)), bounds.tolist()


# The first search is among parses that cost at most this much more than the relaxation's best one,
# because their outside costs are found faster. If there are too many items, there is probably no
# such parse.
MARGIN = 4.0
FIRST_ITEMS = 1 << 12

# Then bounds are tightened for parses that cost at most this much more than the relaxation's best
# one; there may be too many others. As long as there is no parse, the number of items is limited,
# and doubled with each round.
_WIDER_MARGIN = 8.0
_MORE_ITEMS = 1 << 15
_ROUNDS = 16

# In a round, each search is for parses that cost at most this much more than the bound. The step is
# doubled while searches end. When one does not, it is halved, with twice as many items.
_STEP = 1.0

# What each token of an item is worth in a greedy search of a long sentence, and how many items
# there may be for each pair of tokens.
PULLS = 0.25, 0.15
ITEMS_FOR_PAIRS = 10

# The last search has no limit of items: its ceilings rise in steps above the bound, because items
# in parses that cost much more need not be made.
_STEPS = 4.0, 4.0, 4.0, 8.0, 16.0, 64.0, inf


def find_best(search: ChartSearch) -> None:
    """Find the best parse, if there is one, and set its cost and derivation.

    When the budget is used up, the best parse so far stays. No parse costs less than the bound.
    """
    if not _begin(search):
        return
    search.raise_ceiling(search.bound + MARGIN)
    search.try_within(SearchLimits(FIRST_ITEMS, ceiling=search.ceiling))
    for _ in _tightened_rounds(search, inf):
        if search.is_proven:
            return
    for step in _STEPS:
        if not search.is_proven:
            search.raise_ceiling(min(search.cost, search.bound + step))
            if search.ceiling < inf:
                search.tighten()
            search.try_within(SearchLimits(inf, ceiling=search.ceiling))


def _begin(search: ChartSearch) -> bool:
    """Estimate costs, or search without estimates; return whether the search has to go on."""
    if not search.is_guided:
        search.try_within(SearchLimits(inf))
        return False
    search.fill_estimates()
    return search.bound < inf


def _tightened_rounds(search: ChartSearch, most_items: float) -> Iterator[None]:
    """Search with tighter and tighter bounds; yield before they are tightened."""
    margin, wider = MARGIN, _WIDER_MARGIN
    for number in range(_ROUNDS):
        ceiling = max(search.bound + margin, search.relaxed + wider)
        if search.cost == inf and not search.is_proven:
            search.raise_ceiling(ceiling)
            _find_any(search, number)
            if number == 1:  # refuting is slow, and does not depend on the bounds: once is enough
                search.refute()
        yield
        most = most_items if search.cost < inf else _MORE_ITEMS << number
        if not _try_tightly(search, ceiling, most):
            margin, wider = margin / 2, wider / 2


def _find_any(search: ChartSearch, number: int) -> None:
    """Look for some parse: tighter bounds lead to one sooner than more items."""
    items = min(_MORE_ITEMS, ITEMS_FOR_PAIRS * search.length**2)
    near, far = PULLS
    for pull in (near, 0.0, far) if number else (near,):
        try_greedily(search, items, pull)


def _try_tightly(search: ChartSearch, ceiling: float, most_items: float) -> bool:
    """Tighten the bounds of parses up to a ceiling and search; return whether it was possible."""
    search.raise_ceiling(min(search.cost, ceiling))
    shares = search.tighten()
    if shares is None:
        return False
    if search.bound < search.ceiling:
        try_greedily(search, _MORE_ITEMS)
    items, step = 2 * FIRST_ITEMS, _STEP
    while search.bound < search.ceiling and not search.is_proven and items <= most_items:
        limits = SearchLimits(items, ceiling=min(search.ceiling, search.bound + step))
        if search.try_narrowly(limits):
            step *= 2
        else:
            items *= 2
            step /= 2
    if not search.is_proven:
        search.fill_estimates(shares)
    return True


def try_greedily(search: ChartSearch, items: int, pull: float = 0.0) -> None:
    """Look for some parse, if there is none yet."""
    if search.cost == inf and not search.is_proven:
        search.try_within(_greedy_limits(search, items, pull))


def _greedy_limits(search: ChartSearch, items: float, pull: float) -> SearchLimits:
    """Return the limits of a search that goes nearly straight to a parse.

    The excesses of an item's components over the relaxation's best parse are added up. In a long
    sentence this delays large items, unless a constant for each token makes up for it.
    """
    return SearchLimits(items, arrays.BY_EXCESSES, floor=search.bound, pull=pull)


# For a forest, bounds are tightened in a few rounds, until the cost of a parse exceeds the best one
# of the relaxation by at most this much. A long sentence gets no forest beyond twice as much.
_MOST_SLACK = 8.0
_FOREST_ROUNDS = 3
_LONG = 64  # tokens


def find_forest(search: ChartSearch, log_ratio: float, most_items: float) -> float | None:
    """Find a parse, and deduce all items of parses that are not much worse; return their log ratio.

    If the forest takes too many items, the ratio is halved. If it still takes too many, or if
    bounds are too far from the cost, as in very long sentences, the forest has the items that a
    greedy search pops. The result is None if there is no forest.
    """
    _find_some(search, log_ratio)
    if search.derivation is None:
        return None
    ratio = log_ratio
    for most in (most_items, 2 * most_items):
        if _can_collect(search) and search.collect(ratio, most):
            return ratio
        ratio /= 2
    if search.is_guided:
        search.raise_ceiling(max(search.relaxed + MARGIN + log_ratio, search.cost))
    search.keeps_edges = True
    for pull in (0.0, *PULLS):
        items = max(most_items, ITEMS_FOR_PAIRS * search.length**2)
        search.try_within(_greedy_limits(search, items, pull))
        if search.is_at_goal:
            return log_ratio
    return None


def _can_collect(search: ChartSearch) -> bool:
    """Whether the outside costs up to the cost of the parse are found in reasonable time."""
    is_short = not search.is_guided or search.length <= _LONG
    return is_short or search.cost - search.relaxed <= 2 * _MOST_SLACK


def _find_some(search: ChartSearch, log_ratio: float) -> None:
    """Find a parse, probably a good one, and bounds that are close to its cost."""
    if not _begin(search):
        return
    search.raise_ceiling(search.bound + MARGIN + log_ratio)
    try_greedily(search, FIRST_ITEMS)
    for number, _ in enumerate(_tightened_rounds(search, _MORE_ITEMS)):
        is_near = search.cost - search.relaxed <= _MOST_SLACK or number == _FOREST_ROUNDS
        if search.is_proven or (search.cost < inf and is_near):
            return
    if search.cost == inf and not search.is_proven:
        search.raise_ceiling(inf)
        search.try_within(SearchLimits(inf))
