"""What a judge of a forest says about its edges and items."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import NamedTuple

from plcfrs.chart import Forest, ParseResult
from plcfrs.chart.kernel.arrays import Costs

# A forest for members has the derivations that are at most e to this power less probable than the
# best one. A forest with more items gets fewer of them.
LOG_RATIO = 6.0
MOST_ITEMS = 50_000


class Judgement(NamedTuple):
    """The scores of the edges and the items of a forest, in natural logarithms.

    A score of 0 says nothing, negative infinity forbids. The score of a derivation is the sum over
    its edges and items.

    Parameters
    ----------
    edge_scores : float64 array (E,)
        Of all edges of the forest, those of scanned tags included.
    item_scores : float64 array (I,)
    """

    edge_scores: Costs
    item_scores: Costs


def scores_of_edges(forest: Forest, judgement: Judgement) -> Costs:
    """Return the score of each edge together with that of its mother.

    Each item of a derivation is the mother of one of its edges, so these scores add up to the score
    of the derivation.

    Parameters
    ----------
    forest : Forest
    judgement : Judgement
        Of the forest.

    Returns
    -------
    float64 array (E,)
    """
    return judgement.edge_scores + judgement.item_scores[forest.edge_mother]


def unjudged(result: ParseResult) -> ParseResult:
    """Return a result that no member has judged, because there is no forest.

    Nothing is known about parses that members would prefer, so the gap of a parse is infinite.

    Parameters
    ----------
    result : ParseResult
        Of the grammar alone.
    """
    return result if result.derivation is None else replace(result, gap=inf)
