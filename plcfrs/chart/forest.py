"""The parse forest: all popped items, and all ways in which they were deduced.

It gives sums over all its derivations (Baker 1979): probabilities, posteriors and expected rule
counts. It also gives the derivation with the most constituents expected to be correct (Goodman
1996).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from math import inf, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plcfrs.chart.bounds import first_rows
from plcfrs.chart.compile import CompiledGrammar
from plcfrs.chart.kernel import arrays
from plcfrs.chart.kernel.arrays import Bits, Chart, Costs, Int32, Int64
from plcfrs.chart.kernel.forest import order_items
from plcfrs.chart.kernel.sums import Edges, choose_edges, sum_inside, sum_outside
from plcfrs.errors import GrammarError
from plcfrs.grammar import Derivation, Nonterminal, Rule

SymbolPosteriors = Mapping[tuple[Nonterminal, int], float]
"""The probability of each symbol over each span, a bitset (see `plcfrs.trees.tree`)."""


class Forest(NamedTuple):
    """The packed derivations of one sentence, with I items and E edges.

    Children come before their mothers, except that the items of a *component*, a cycle of unary
    rules, follow each other in any order. The forest has every derivation with a cost up to the
    ceiling, and more expensive ones if all their items are also in cheaper ones.

    Parameters
    ----------
    compiled : CompiledGrammar
        The grammar, with its symbols and rules by their numbers.
    goal : int
        The item of the start symbol over the whole sentence.
    ceiling : float
        Every derivation with a cost up to this is in the forest; infinite for all derivations.
    label : int32 array (I,)
    bits : uint64 array (I, words)
        Bit ``i`` is token ``i``.
    cost : float64 array (I,)
        Cost of the best derivation of the item.
    outside : float64 array (I,)
        ``-log`` of upper bounds of the outside sums of the item's components, added up; negative
        infinity if unknown.
    component : int64 array (I,)
        Number of the item's component, in ascending order.
    is_popped : bool array (I,)
        False for items beyond the ceiling: they have edges, but are the child in none.
    edge_start : int64 array (I + 1,)
        Where the edges with the item as mother start in the next arrays.
    edge_rule : int32 array (E,)
        -1 for a scanned tag.
    edge_left, edge_right : int32 arrays (E,)
        Items of the children, -1 for none.
    edge_cost : float64 array (E,)
        Cost of the rule or of the scanned tag.
    """

    compiled: CompiledGrammar
    goal: int
    ceiling: float
    label: Int32
    bits: Bits
    cost: Costs
    outside: Costs
    component: Int64
    is_popped: NDArray[np.bool_]
    edge_start: Int64
    edge_rule: Int32
    edge_left: Int32
    edge_right: Int32
    edge_cost: Costs

    @property
    def has_derivation(self) -> bool:
        """Whether there is a derivation: a search that was stopped may lack edges of the goal."""
        return bool(self.edge_start[self.goal] < self.edge_start[self.goal + 1])

    @property
    def edge_mother(self) -> Int64:
        """The mother of each edge."""
        return np.repeat(np.arange(len(self.label)), np.diff(self.edge_start))


def build_forest(
    compiled: CompiledGrammar, chart: Chart, ceiling: float, *, is_bounded: bool
) -> Forest:
    """Return the forest of a chart whose edges were kept."""
    items = int(chart.counters[arrays.ITEMS])
    records = chart.items[:items]
    edges = chart.edges[: int(chart.counters[arrays.KEPT])]
    if chart.counters[arrays.IMPROVED]:  # then an edge may be there again
        columns = edges["mother"], edges["rule"], edges["left"], edges["right"]
        order = np.lexsort(columns)
        edges = edges[np.sort(order[first_rows(*(column[order] for column in columns))])]
    mother, left, right = edges["mother"], edges["left"], edges["right"]
    order = np.argsort(mother, kind="stable")
    ordered, component = order_items(_starts(mother, items), order, left, right)
    number = np.empty(items + 1, np.int32)
    number[ordered] = np.arange(items, dtype=np.int32)
    number[-1] = -1  # for a missing child
    tokens = np.unpackbits(chart.bits[:items].view(np.uint8), axis=1).sum(axis=1)
    # As in the search: of edges with the same cost, the first one attaches low.
    order = np.lexsort((edges["rule"], tokens[left], right < 0, number[mother]))
    return Forest(
        compiled,
        int(number[chart.counters[arrays.GOAL]]),
        ceiling,
        records["label"][ordered],
        chart.bits[ordered],
        records["cost"][ordered],
        records["outside"][ordered] if is_bounded else np.full(items, -np.inf),
        component[ordered],
        records["is_entered"][ordered],
        _starts(number[mother], items),
        edges["rule"][order],
        number[left[order]],
        number[right[order]],
        edges["cost"][order],
    )


def _starts(mother: Int32, items: int) -> Int64:
    """Return where the edges of each mother start, if they are ordered by their mothers."""
    return np.concatenate([[0], np.cumsum(np.bincount(mother, minlength=items))])


def count_derivations(forest: Forest) -> float:
    """Return the number of derivations, a whole number; infinity if there are cycles.

    >>> from plcfrs.chart import ChartParser
    >>> from plcfrs.grammar import Grammar, tag
    >>> s, a = Nonterminal("S"), tag("a")
    >>> grammar = Grammar({Rule(s, (s, s), ((0, 1),)): 1, Rule(s, (a,), ((0,),)): 1}, start=s)
    >>> count_derivations(ChartParser(grammar).forest([{a: 0.0}] * 5))
    14
    """
    counts: list[float] = []
    component = forest.component.tolist()
    starts, lefts, rights = (
        column.tolist() for column in (forest.edge_start, forest.edge_left, forest.edge_right)
    )
    for item in range(forest.goal + 1):
        counts.append(0)
        for edge in range(starts[item], starts[item + 1]):
            children = [child for child in (lefts[edge], rights[edge]) if child >= 0]
            is_cyclic = any(component[child] == component[item] for child in children)
            counts[item] += inf if is_cyclic else prod(counts[child] for child in children)
    return counts[forest.goal]


class Sums(NamedTuple):
    """Sums over the derivations of a forest of I items and E edges, in natural logarithms.

    The sums include derivations that go through a unary cycle any number of times. Posteriors are
    expected numbers for a derivation drawn by its probability; with unary cycles they can exceed 1.

    Parameters
    ----------
    log_probability : float
        Of the sentence.
    inside : float64 array (I,)
        Sum over the derivations of each item.
    outside : float64 array (I,)
        Sum over the complete derivations with a hole at each item; -inf if there are none.
    posterior : float64 array (I,)
        Expected number of occurrences of each item in a derivation (not a logarithm).
    edge_posterior : float64 array (E,)
        Expected number of occurrences of each edge in a derivation (not a logarithm).
    """

    log_probability: float
    inside: Costs
    outside: Costs
    posterior: Costs
    edge_posterior: Costs


def inside_outside(forest: Forest) -> Sums:
    """Return the inside and outside sums of a forest, and the posteriors (Baker 1979).

    Parameters
    ----------
    forest : Forest

    Raises
    ------
    GrammarError
        If the probabilities along a cycle of unary rules add up to infinity.

    Examples
    --------
    >>> from plcfrs.chart import ChartParser
    >>> from plcfrs.grammar import Grammar, tag
    >>> s, a = Nonterminal("S"), tag("a")
    >>> grammar = Grammar({Rule(s, (s, s), ((0, 1),)): 2, Rule(s, (a,), ((0,),)): 3}, start=s)
    >>> sums = inside_outside(ChartParser(grammar).forest([{a: 0.0}] * 3))
    >>> float(round(np.exp(sums.log_probability), 5))  # twice 0.4 ** 2 * 0.6 ** 3
    0.06912
    """
    edges = edges_of(forest)
    inside = np.empty(len(forest.label))
    outside = np.empty(len(forest.label))
    failed = sum_inside(edges, inside)
    if failed >= 0:
        symbol = list(forest.compiled.labels)[forest.label[failed]]
        raise GrammarError(
            f"the sum over the derivations of {symbol} is infinite, because a cycle of unary rules "
            f"leads from {symbol} back to it with probability 1 or more: "
            "the probabilities of the rules of one symbol must add up to 1"
        )
    sum_outside(edges, forest.goal, inside, outside)
    log_probability = float(inside[forest.goal])
    below = np.append(inside, 0.0)  # the last is for the child -1
    log_edge = outside[forest.edge_mother] - forest.edge_cost
    log_edge += below[forest.edge_left] + below[forest.edge_right]
    return Sums(
        log_probability,
        inside,
        outside,
        np.exp(inside + outside - log_probability),
        np.exp(log_edge - log_probability),
    )


def expected_rule_counts(forest: Forest, sums: Sums) -> dict[Rule, float]:
    """Return the expected count of each rule in a derivation, without zeros.

    The rules are those of the compiled grammar.

    Parameters
    ----------
    forest : Forest
    sums : Sums
    """
    rules = forest.compiled.rules
    is_rule = forest.edge_rule >= 0
    counts = np.bincount(
        forest.edge_rule[is_rule], sums.edge_posterior[is_rule], minlength=len(rules)
    )
    return {rules[number]: float(counts[number]) for number in np.flatnonzero(counts)}


def constituent_posteriors(
    forest: Forest, posterior: Costs
) -> dict[tuple[Nonterminal, int], float]:
    """Return the expected count of each constituent and tag in a derivation, without zeros.

    A span is a bitset (see `plcfrs.trees.tree`). Intermediate symbols are left out.

    Parameters
    ----------
    forest : Forest
    posterior : float64 array (I,)
    """
    symbols = list(forest.compiled.labels)
    counts: dict[tuple[Nonterminal, int], float] = defaultdict(float)
    for item in np.flatnonzero(posterior).tolist():
        symbol = symbols[forest.label[item]]
        if symbol.kind != "intermediate":
            counts[symbol, span_of_item(forest, item)] += float(posterior[item])
    return dict(counts)


def edges_of(forest: Forest) -> Edges:
    """Return the part of a forest that the kernels see."""
    return Edges(
        forest.component, forest.edge_start, forest.edge_left, forest.edge_right, forest.edge_cost
    )


def span_of_item(forest: Forest, item: int) -> int:
    """Return the tokens of an item as a bitset (see `plcfrs.trees.tree`)."""
    return int.from_bytes(forest.bits[item].astype("<u8").tobytes(), "little")


def trace_items(left: Int32, right: Int32, goal: int) -> list[int]:
    """Return the items of the derivation of an item, mothers first; a missing child is -1."""
    items = []
    stack = [goal]
    while stack:
        item = stack.pop()
        items.append(item)
        stack.extend(child for child in (int(left[item]), int(right[item])) if child >= 0)
    return items


def trace_back(
    compiled: CompiledGrammar, label: Int32, rule: Int32, left: Int32, right: Int32, goal: int
) -> Derivation:
    """Return the derivation of an item, given the last steps; -1 is a tag or a missing child."""
    symbols = list(compiled.labels)
    derivations: dict[int, Derivation] = {}
    for item in reversed(trace_items(left, right, goal)):
        children = [int(child) for child in (left[item], right[item]) if child >= 0]
        derivations[item] = Derivation(
            symbols[label[item]],
            compiled.rules[rule[item]].yield_function if rule[item] >= 0 else (),
            tuple(derivations[child] for child in children),
        )
    return derivations[goal]


def most_constituents(forest: Forest, sums: Sums) -> tuple[float, Derivation]:
    """Return the derivation with the most constituents expected to be correct.

    For the binary trees of Goodman (1996, Parsing algorithms and metrics), which all have the same
    number of constituents, this is his Labelled Recall algorithm. Here the number differs, so each
    wrong constituent is counted against a correct one: the sum of ``2 * posterior - 1`` over the
    items of treebank categories is maximal. Constituents with different splits or functions
    count as different.

    No item is below itself: in a cycle of unary rules, children have lower Viterbi costs than their
    mothers. So the most probable derivation is among the candidates. Of equal sums the lower cost
    wins, then the first edge.

    Parameters
    ----------
    forest : Forest
    sums : Sums

    Returns
    -------
    cost : float
        ``-log p`` (natural logarithm).
    derivation : Derivation
        Of the compiled grammar.
    """
    is_category = np.array([symbol.kind == "category" for symbol in forest.compiled.labels])
    gain = np.where(is_category[forest.label], 2.0 * sums.posterior - 1.0, 0.0)
    chosen = choose_edges(edges_of(forest), gain)
    left, right = forest.edge_left[chosen], forest.edge_right[chosen]
    items = trace_items(left, right, forest.goal)
    cost = float(forest.edge_cost[chosen[items]].sum())
    rule = forest.edge_rule[chosen]
    return cost, trace_back(forest.compiled, forest.label, rule, left, right, forest.goal)
