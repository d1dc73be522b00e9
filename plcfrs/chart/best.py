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
MARGIN = 4.0
FIRST_ITEMS = 1 << 12

# Then bounds are tightened. The margin and the number of items grow with each round.
_WIDER_MARGIN = 8.0
_MORE_ITEMS = 1 << 15
_ROUNDS = 8
_LEAST_RISE = 0.25  # of the cost of the relaxation's best parse in a round

# What each token of an item is worth in a greedy search of a long sentence, and how many items
# there may be for each pair of tokens.
PULLS = 0.25, 0.15
ITEMS_FOR_PAIRS = 10


def find_best(search: Search) -> None:
    """Find the best parse, and set its cost and derivation if there is one.

    When the budget is used up, they are those of the best parse so far; no parse is below the
    bound.
    """
    if not begin(search):
        return
    search.raise_ceiling(search.bound + MARGIN)
    search.try_within(Limits(FIRST_ITEMS, ceiling=search.ceiling))
    for _ in rounds(search):
        if search.is_proven:
            return
    if not search.is_proven:
        search.raise_ceiling(search.cost)
        search.try_within(Limits(inf, ceiling=search.ceiling))


def begin(search: Search) -> bool:
    """Estimate costs, or search without estimates; return whether the search has to go on."""
    if not search.is_guided:
        search.try_within(Limits(inf))
        return False
    search.fill_estimates()
    return search.bound < inf


def rounds(search: Search) -> Iterator[None]:
    """Search with tighter and tighter bounds; yield before they are tightened."""
    margin, items = _WIDER_MARGIN, _MORE_ITEMS
    for number in range(_ROUNDS):
        before, relaxed = search.bound, search.relaxed
        if search.cost == inf and not search.is_proven:
            search.raise_ceiling(search.bound + margin)
            items_for_pairs = ITEMS_FOR_PAIRS * search.length**2
            try_greedily(search, min(_MORE_ITEMS, items_for_pairs))
            for pull in PULLS:
                try_greedily(search, items_for_pairs, pull)
            if number == 0:  # which depends on no bounds
                search.refute()
        yield
        if not _try_tightly(search, margin, items):
            margin /= 2
            continue
        if search.cost < inf:
            if search.relaxed - relaxed < _LEAST_RISE:
                return
            items *= 2
        rise = search.bound - before
        if rise < margin / 4:
            margin *= 2
        elif rise > margin / 2:
            margin = max(MARGIN, margin / 2)


def _try_tightly(search: Search, margin: float, items: int) -> bool:
    """Tighten the bounds of parses up to a margin and search; return whether it was possible."""
    search.raise_ceiling(min(search.cost, search.bound + margin))
    shares = search.tighten()
    if shares is None:
        return False
    if search.bound < search.ceiling:
        try_greedily(search, _MORE_ITEMS)
        if search.cost < inf and not search.is_proven:
            search.try_within(Limits(items, ceiling=search.ceiling))
    if not search.is_proven:
        search.fill_estimates(shares)
    return True


def try_greedily(search: Search, items: int, pull: float = 0.0) -> None:
    """Look for some parse, if there is none yet."""
    if search.cost == inf and not search.is_proven:
        search.try_within(greedy_limits(search, items, pull))


def greedy_limits(search: Search, items: float, pull: float) -> Limits:
    """Return the limits of a search that goes nearly straight to a parse.

    The excesses of an item's components over the relaxation's best parse are added up. In a long
    sentence this delays large items, unless a constant for each token makes up for it.
    """
    return Limits(items, arrays.BY_EXCESSES, floor=search.bound, pull=pull)
