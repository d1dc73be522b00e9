"""The forest of parses that are not much worse than the best one, for a finer grammar."""

from __future__ import annotations

from math import inf

from plcfrs.chart.best import (
    FIRST_ITEMS,
    ITEMS_FOR_PAIRS,
    MARGIN,
    PULLS,
    begin,
    greedy_limits,
    rounds,
    try_greedily,
)
from plcfrs.chart.search import Search
from plcfrs.chart.storage import Limits

# Bounds are tightened, in some rounds, until the cost of a parse exceeds the best one of the
# relaxation by this much. The forest of a long sentence is not collected above twice as much.
_MOST_SLACK = 8.0
_ROUNDS = 3
_LONG = 64  # tokens


def find_forest(search: Search, log_ratio: float, most_items: float) -> float | None:
    """Find a parse, and deduce all items of parses that are not much worse; return their log ratio.

    If the forest takes too many items, the ratio is halved. If it still takes too many, or if
    bounds are too far from the cost, as in very long sentences, the items are those that a greedy
    search pops. The result is None if there is no forest.
    """
    _find_some(search, log_ratio)
    if search.derivation is None:
        return None
    ratio = log_ratio
    for most in (most_items, 2 * most_items):
        if _is_worth_it(search) and search.collect(ratio, most):
            return ratio
        ratio /= 2
    if search.is_guided:
        search.raise_ceiling(search.relaxed + MARGIN + log_ratio)
    search.keeps_edges = True
    for pull in (0.0, *PULLS):
        items = max(most_items, ITEMS_FOR_PAIRS * search.length**2)
        search.try_within(greedy_limits(search, items, pull))
        if search.is_at_goal:
            return log_ratio
    return None


def _is_worth_it(search: Search) -> bool:
    """Return whether the outside costs up to the cost of the parse do not take too long."""
    is_short = not search.is_guided or search.length <= _LONG
    return is_short or search.cost - search.relaxed <= 2 * _MOST_SLACK


def _find_some(search: Search, log_ratio: float) -> None:
    """Find a parse, probably a good one, and bounds that are close to its cost."""
    if not begin(search):
        return
    search.raise_ceiling(search.bound + MARGIN + log_ratio)
    try_greedily(search, FIRST_ITEMS)
    for number, _ in enumerate(rounds(search)):
        is_near = search.cost - search.relaxed <= _MOST_SLACK or number == _ROUNDS
        if search.is_proven or (search.cost < inf and is_near):
            return
    if search.cost == inf and not search.is_proven:
        search.raise_ceiling(inf)
        search.try_within(Limits(inf))
