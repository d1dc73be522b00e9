"""The search for the best parse of a sentence: first what is cheap, then what is tight."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from plcfrs.chart.kernel import arrays
from plcfrs.chart.search import Search
from plcfrs.chart.storage import Limits

# The best parse is first searched for among parses that cost at most this much more than the
# relaxation's best one: their outside costs are found faster. If there are too many items, there is
# probably no such parse.
_MARGIN = 4.0
_FIRST_ITEMS = 1 << 12

# Then bounds are tightened. The margin and the number of items grow with each round.
_WIDER_MARGIN = 8.0
_MORE_ITEMS = 1 << 15
_ROUNDS = 8


def find_best(search: Search) -> None:
    """Find the best parse, and set its cost and derivation if there is one.

    Parameters
    ----------
    search : Search

    Raises
    ------
    OutOfBudgetError
        If the budget is used up; then cost and derivation are those of the best parse so far, and
        the bound is a cost that no parse is below.
    """
    if not search.is_guided:
        search.try_within(Limits(inf))
        return
    search.fill_estimates()
    if search.bound == inf:
        return
    if search.keeps_edges:
        search.raise_ceiling(inf)
        search.try_within(Limits(inf, arrays.BY_MEAN))
        return
    search.raise_ceiling(search.bound + _MARGIN)
    search.try_within(Limits(_FIRST_ITEMS, ceiling=search.ceiling))
    for _ in _rounds(search):
        if search.is_proven:
            return
    if not search.is_proven:
        search.raise_ceiling(search.cost)
        search.try_within(Limits(inf, ceiling=search.ceiling))


def find_some(search: Search, log_ratio: float) -> None:
    """Find a parse if there is one, probably a good one, and set its cost and derivation.

    Parameters
    ----------
    search : Search
    log_ratio : float
        Outside costs are computed for parses that cost this much more, too.

    Raises
    ------
    OutOfBudgetError
    """
    if not search.is_guided:
        search.try_within(Limits(inf))
        return
    search.fill_estimates()
    if search.bound == inf:
        return
    search.raise_ceiling(search.bound + _MARGIN + log_ratio)
    _try_greedily(search, _FIRST_ITEMS)
    for _ in _rounds(search):
        if search.cost < inf or search.is_proven:
            return
    if search.cost == inf and not search.is_proven:
        search.raise_ceiling(inf)
        search.try_within(Limits(inf))


def _rounds(search: Search) -> Iterator[None]:
    """Search with tighter and tighter bounds; yield before each round."""
    margin, items = _WIDER_MARGIN, _MORE_ITEMS
    for number in range(_ROUNDS):
        yield
        before = search.bound
        if search.cost == inf:
            search.raise_ceiling(search.bound + 2 * margin)
            _try_greedily(search, _MORE_ITEMS)
        _try_tightly(search, margin, items)
        if search.cost < inf:
            items *= 2
        elif number == 0:  # which depends on no bounds
            search.refute()
        if search.bound - before < margin / 4:
            margin *= 2


def _try_tightly(search: Search, margin: float, items: int) -> None:
    """Tighten the bounds of parses up to a margin, and search among them."""
    search.raise_ceiling(min(search.cost, search.bound + margin))
    shares = search.tighten()
    if search.bound < search.ceiling and not search.is_proven:
        if search.cost == inf:
            _try_greedily(search, _MORE_ITEMS)
        else:
            search.try_within(Limits(items, ceiling=search.ceiling))
    if not search.is_proven:
        search.fill_estimates(shares)


def _try_greedily(search: Search, items: int) -> None:
    """Look for some parse.

    Items with gaps are taken as if the amounts by which the parses of the relaxation with each of
    their components exceed its best one added up.
    """
    search.try_within(Limits(items, arrays.BY_EXCESSES, floor=search.bound))
