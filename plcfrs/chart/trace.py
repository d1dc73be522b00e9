"""The course of a search, item by item: which item is popped, and what follows from it."""

from __future__ import annotations

from itertools import islice
from math import inf
from typing import Literal, NamedTuple

import numpy as np

from plcfrs.chart.compile import CompiledGrammar
from plcfrs.chart.kernel import arrays
from plcfrs.chart.kernel.arrays import Chart
from plcfrs.chart.search import ChartSearch
from plcfrs.grammar import Nonterminal, Rule


class Deduced(NamedTuple):
    """An item that was put on the agenda, with its best derivation so far.

    Parameters
    ----------
    item : int
        Its number in the course.
    cost : float
        Of the derivation.
    bound : float
        Its priority: according to the relaxation, no parse with this derivation costs less. Without
        a relaxation, the cost itself.
    rule : Rule or None
        The rule that deduced it; None for a tag.
    children : tuple of int
        The items that it was deduced from.
    """

    item: int
    cost: float
    bound: float
    rule: Rule | None
    children: tuple[int, ...]


class Pop(NamedTuple):
    """A step: an item leaves the agenda, and is joined with those before it.

    Parameters
    ----------
    popped : Deduced
    following : list of Deduced
        The items that were put on the agenda in this step, some of them again with a lower cost.
    """

    popped: Deduced
    following: list[Deduced]


class Course(NamedTuple):
    """The course of a search (Evang and Kallmeyer 2011, figures 2 and 3).

    Parameters
    ----------
    items : list of (Nonterminal, int)
        The symbol and the span of each item; a span is a bitset (see `plcfrs.trees.tree`).
    scanned : list of Deduced
        The tags, with which the agenda begins.
    pops : list of Pop
    status : {"goal", "exhausted", "unfinished"}
        Whether the last item is the goal, nothing is left on the agenda, or there are more steps.
    relaxed : float
        Cost of the best parse of the relaxation, infinite if it has none; 0 without a relaxation.
    """

    items: list[tuple[Nonterminal, int]]
    scanned: list[Deduced]
    pops: list[Pop]
    status: Literal["goal", "exhausted", "unfinished"]
    relaxed: float


def follow(compiled: CompiledGrammar, search: ChartSearch, most: int) -> Course:
    """Return the course of a new search up to the goal, or its first `most` steps.

    An OutOfBudgetError is raised if the budget is used up.
    """
    relaxed = 0.0
    if search.is_guided:
        search.fill_estimates()
        search.raise_ceiling(inf)
        relaxed = search.relaxed
    observer = _ChangeObserver(compiled)
    course = Course(observer.items, [], [], "exhausted", relaxed)
    for chart, item in islice(search.pops(), most + 1):
        following = observer.changed(chart)
        if item < 0:
            course.scanned.extend(following)
        else:
            course.pops.append(Pop(observer.deduced(chart, item), following))
            if item == chart.counters[arrays.GOAL]:
                return course._replace(status="goal")
    return course._replace(status="unfinished") if len(course.pops) == most else course


class _ChangeObserver:
    """Notes what has changed in a chart from step to step."""

    def __init__(self, compiled: CompiledGrammar) -> None:
        self._rules = compiled.rules
        self._symbols = list(compiled.labels)
        self._costs = np.zeros(0)
        self.items: list[tuple[Nonterminal, int]] = []

    def changed(self, chart: Chart) -> list[Deduced]:
        """Return the items that are new or cheaper than before."""
        number = int(chart.counters[arrays.ITEMS])
        for item in range(len(self.items), number):
            symbol = self._symbols[chart.items[item]["label"]]
            self.items.append((symbol, int.from_bytes(chart.bits[item].tobytes(), "little")))
        costs = chart.items["cost"][:number].copy()
        before = np.full(number, inf)
        before[: len(self._costs)] = self._costs
        self._costs = costs
        return [self.deduced(chart, int(item)) for item in np.flatnonzero(costs != before)]

    def deduced(self, chart: Chart, item: int) -> Deduced:
        """Return an item as it is now."""
        row = chart.items[item]
        rule = self._rules[row["rule"]] if row["rule"] >= 0 else None
        children = tuple(int(child) for child in (row["left"], row["right"]) if child >= 0)
        return Deduced(item, float(row["cost"]), float(row["priority"]), rule, children)
