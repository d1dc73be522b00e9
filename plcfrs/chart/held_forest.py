"""The derivations of a forest that agree with what is fixed of a tree.

An item over the tokens of required constituents is split by which of them its derivation has. So
the derivations with all of them belong to some of the new items.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from plcfrs.chart.estimates import prune
from plcfrs.chart.forest import Forest, edges_of
from plcfrs.chart.kernel.arrays import Bits, Costs, Int32, Int64
from plcfrs.chart.kernel.sums import choose_scored_edges, settle
from plcfrs.grammar import Nonterminal
from plcfrs.trees import Fixed, FixedConstituent

# What a derivation costs for each required constituent that it lacks and each forbidden one that it
# has; what it costs for each constituent that crosses a required one; and by how much the costs of
# its rules may exceed those of others with the same costs of these kinds.
_BROKEN, _CROSSING, _MARGIN = 2.0**22, 2.0**12, 2.0**11


NO_OTHERS: Mapping[Nonterminal, Nonterminal] = MappingProxyType({})


class HeldForest(NamedTuple):
    """The derivations of a forest that break as little as possible of what is fixed.

    Parameters
    ----------
    forest : Forest
        Without cycles; its goal is the last item.
    edges : int64 array (E,)
        The number of each of its edges in the whole forest.
    broken : int
        How many required constituents they lack, and how many forbidden ones they have.
    """

    forest: Forest
    edges: Int64
    broken: int


def hold(
    forest: Forest, fixed: Fixed, originals: Mapping[Nonterminal, Nonterminal] = NO_OTHERS
) -> HeldForest:
    """Return the derivations of a forest that break as little as possible of what is fixed.

    Some symbols may stand for `originals`.

    >>> from plcfrs.chart import ChartParser
    >>> from plcfrs.chart.forest import count_derivations
    >>> from plcfrs.grammar import Grammar, Nonterminal, Rule, tag
    >>> from plcfrs.trees import FixedConstituent
    >>> s, a = Nonterminal("S"), tag("a")
    >>> grammar = Grammar({Rule(s, (s, s), ((0, 1),)): 1, Rule(s, (a,), ((0,),)): 1}, start=s)
    >>> forest = ChartParser(grammar).forest([{a: 0.0}] * 4)
    >>> fixed = Fixed((FixedConstituent("S", 0b110),))
    >>> count_derivations(forest), count_derivations(hold(forest, fixed).forest)
    (5, 2)
    """
    symbols = [originals.get(symbol, symbol) for symbol in forest.compiled.labels]
    required = _required_over(forest, fixed, symbols)
    split = _split(forest, required)
    penalty = _penalties(forest, fixed, symbols)[forest.edge_mother[split.edges]]
    weighted = split.forest._replace(
        edge_rule=np.arange(len(split.edges), dtype=np.int32),
        edge_cost=split.forest.edge_cost + penalty - _BROKEN * split.gain,
    )
    _, cost = settle(edges_of(weighted))
    goal_costs = cost[split.goals] - _BROKEN * split.goal_gains
    best = np.argmin(goal_costs)
    pruned = prune(weighted._replace(cost=cost, goal=int(split.goals[best])), _MARGIN)
    edges = split.edges[pruned.edge_rule]
    costs = forest.edge_cost[edges]
    total, chosen = np.empty(len(pruned.label) + 1), np.empty(len(pruned.label), np.int64)
    choose_scored_edges(
        pruned.edge_start, pruned.edge_left, pruned.edge_right, -costs, total, chosen
    )
    held = pruned._replace(
        ceiling=forest.ceiling, cost=-total[:-1], edge_rule=forest.edge_rule[edges], edge_cost=costs
    )
    return HeldForest(held, edges, required.all + int(goal_costs[best] // _BROKEN))


class _Required(NamedTuple):
    """The number of required constituents, and those over the tokens of each item (I,).

    `number` says how many there are, and the bits of `found` which of them the item is.
    """

    all: int
    number: Int64
    found: Int64


class _Split(NamedTuple):
    """A forest with several items for one, and the number of each edge in the whole forest.

    `gain` (E,) says how many required constituents the children of an edge have over their tokens;
    these are not those of the mother. `goals` are the items for the goal, and `goal_gains` says
    how many they have.
    """

    forest: Forest
    edges: Int64
    gain: Int64
    goals: Int64
    goal_gains: Int64


def _required_over(forest: Forest, fixed: Fixed, symbols: Sequence[Nonterminal]) -> _Required:
    categories_over: dict[int, list[str | None]] = defaultdict(list)
    for each in fixed.required:
        categories_over[each.span].append(each.category)
    number, found = np.zeros((2, len(forest.label)), np.int64)
    total = 0
    for span, given in categories_over.items():
        named = sorted({each for each in given if each})
        categories: list[str | None] = [*named] if named else [None]
        total += len(categories)
        over = np.flatnonzero((forest.bits == _words(forest, span)).all(axis=1))
        number[over] = len(categories)
        for item in over.tolist():
            symbol = symbols[forest.label[item]]
            if symbol.kind == "category":
                fits = [
                    FixedConstituent(category, span).fits(symbol.category, span)
                    for category in categories
                ]
                found[item] = sum(1 << place for place, fit in enumerate(fits) if fit)
    return _Required(total, number, found)


def _split(forest: Forest, required: _Required) -> _Split:
    """Return a forest with an item for each set of required constituents that it may have."""
    copies = 1 << required.number
    first = np.concatenate([[0], np.cumsum(copies)])
    item = np.repeat(np.arange(len(copies)), copies)
    left, right = forest.edge_left, forest.edge_right
    choices = np.append(copies, 1)  # the last is for the child -1
    numbers = choices[left] * choices[right]
    edges = np.repeat(np.arange(len(left)), numbers)
    choice = np.arange(len(edges)) - np.repeat(np.cumsum(numbers) - numbers, numbers)
    left, right = left[edges], right[edges]
    of_left, of_right = np.divmod(choice, choices[right])
    mother = forest.edge_mother[edges]
    is_unary = right < 0  # then the child has the tokens of the mother
    mother = first[mother] + (required.found[mother] | np.where(is_unary, of_left, 0))
    order = np.argsort(mother, kind="stable")
    sizes = np.array([state.bit_count() for state in range(int(copies.max()))])
    goals = np.arange(first[forest.goal], first[forest.goal + 1])
    split = forest._replace(
        **{
            name: getattr(forest, name)[item]
            for name in ("label", "bits", "cost", "outside", "component", "is_popped")
        },
        edge_start=np.searchsorted(mother[order], np.arange(len(item) + 1)),
        edge_left=_children(left, first, of_left)[order],
        edge_right=_children(right, first, of_right)[order],
        edge_cost=forest.edge_cost[edges[order]],
    )
    gain = np.where(is_unary, 0, sizes[of_left] + sizes[of_right])
    return _Split(split, edges[order], gain[order], goals, sizes[goals - goals[0]])


def _children(child: Int32, first: Int64, state: Int64) -> Int32:
    return np.where(child < 0, -1, first[child] + state).astype(np.int32)


def _penalties(forest: Forest, fixed: Fixed, symbols: Sequence[Nonterminal]) -> Costs:
    """Return what the items cost that are forbidden, or cross required constituents."""
    bits = forest.bits
    is_category = np.array([symbol.kind == "category" for symbol in symbols])
    crossed: Costs = np.zeros(len(bits))
    for span in {each.span for each in fixed.required}:
        words = _words(forest, span)
        common = bits & words
        is_crossing = common.any(axis=1) & (common != words).any(axis=1)
        crossed += is_crossing & (common != bits).any(axis=1)
    is_forbidden = np.zeros(len(bits), np.bool_)
    for each in fixed.forbidden:
        fits = [
            symbol.kind == "category" and each.fits(symbol.category, each.span)
            for symbol in symbols
        ]
        is_over = (bits == _words(forest, each.span)).all(axis=1)
        is_forbidden |= is_over & np.array(fits)[forest.label]
    penalties: Costs = _CROSSING * crossed * is_category[forest.label] + _BROKEN * is_forbidden
    return penalties


def _words(forest: Forest, span: int) -> Bits:
    """Return a span as an item of a forest has it."""
    size = forest.bits.shape[1]
    return np.frombuffer(span.to_bytes(8 * size, "little"), "<u8").astype(np.uint64)
