"""Scores of the edges and items of a forest, and sums over its derivations.

A judge gives the scores. A parser without a forest votes by its trees, for and against the
constituents of the forest: categories over tokens, as trees show them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from plcfrs.chart import Forest, Sums, constituent_posteriors, inside_outside
from plcfrs.chart.forest import SymbolPosteriors, span_of_item
from plcfrs.chart.kernel.arrays import Costs
from plcfrs.parsing.parse import Constituent, chances_of
from plcfrs.parsing.sentence import Sentence
from plcfrs.settings import Checked, setting
from plcfrs.trees import Tree

# A forest that is judged has the derivations up to e to this power less probable than the best one.
# If these take more items, it has fewer derivations.
LOG_RATIO = 6.0
MOST_ITEMS = 50_000


class ForestScores(NamedTuple):
    """The scores of the edges and the items of a forest, in natural logarithms.

    A score of 0 is neutral; negative infinity forbids. The score of a derivation is the sum over
    its edges and items.

    Parameters
    ----------
    edge_scores : float64 array (E,)
        Of all edges of the forest, those of scanned tags included.
    item_scores : float64 array (I,)
    """

    edge_scores: Costs
    item_scores: Costs


@dataclass(frozen=True)
class WeightSettings(Checked):
    """Settings for learning weights."""

    tags: Literal["given", "own"] = setting(
        "given",
        "Whether the weights are for sentences with given tags (given) or for words alone (own).",
    )
    votes: tuple[str, ...] = setting(
        (),
        "Parses of the development set by another program, a treebank of any format, that vote: "
        "NAME=FILE, or FILE alone if it has the name of the voter.",
    )


def scores_of_edges(forest: Forest, forest_scores: ForestScores) -> Costs:
    """Return the score of each edge plus that of its mother, a float64 array (E,).

    Each item of a derivation is the mother of one of its edges, so these scores add up to the score
    of the derivation.
    """
    return forest_scores.edge_scores + forest_scores.item_scores[forest.edge_mother]


Judge: TypeAlias = Callable[[Sentence, Forest], ForestScores | None]
"""Scores the edges and items of a forest of a sentence; None if it has no opinion, for example
without a parse."""


def votes(forest: Forest, chances: Mapping[Constituent, float]) -> ForestScores:
    """Return the votes for and against the constituents of a forest.

    The score of a constituent is twice its chance, less 1: it is 1 if all trees have it, and -1 if
    no tree has it. A constituent without a chance has the chance 0. Tags and intermediate symbols
    score nothing.
    """
    item_scores = np.zeros(len(forest.label))
    for item, constituents in enumerate(constituents_in(forest)):
        for constituent in constituents:
            item_scores[item] = 2.0 * chances.get(constituent, 0.0) - 1.0
    return ForestScores(np.zeros(len(forest.edge_rule)), item_scores)


def constituents_in(forest: Forest) -> list[list[Constituent]]:
    """Return the constituent of each item of a forest; tags and intermediate symbols have none."""
    symbols = list(forest.compiled.labels)
    return [
        [(symbols[label].category, span_of_item(forest, item))]
        if symbols[label].kind == "category"
        else []
        for item, label in enumerate(forest.label.tolist())
    ]


def nearest(forest: Forest, gold: Tree) -> ForestScores:
    """Return votes whose best derivation is the nearest to a gold tree of the same sentence.

    No derivation of the forest has more right constituents minus wrong ones.
    """
    return votes(forest, chances_of([(1.0, gold)]))


def posteriors_in_trees(posteriors: SymbolPosteriors) -> dict[Constituent, float]:
    """Return the probability of each category over each span, given those of symbols.

    A tree shows neither splits nor what a symbol remembers of its mother. A derivation has at most
    one symbol of a category over a span, unless one is above the other in a unary chain. So the sum
    is the probability; with such chains it is an upper bound, and at most 1.

    Parameters
    ----------
    posteriors : mapping of (Nonterminal, int) to float
        Of symbols and spans, see `plcfrs.chart.constituent_posteriors`. Tags are left out.

    Examples
    --------
    >>> from plcfrs.grammar import Nonterminal
    >>> question, clause = Nonterminal("S", split="WH"), Nonterminal("S")
    >>> posteriors_in_trees({(question, 3): 0.5, (clause, 3): 0.25, (clause, 1): 0.125})
    {('S', 3): 0.75, ('S', 1): 0.125}
    """
    sums: dict[Constituent, float] = defaultdict(float)
    for (symbol, span), posterior in posteriors.items():
        if symbol.kind == "category":
            sums[symbol.category, span] += posterior
    return {constituent: min(posterior, 1.0) for constituent, posterior in sums.items()}


def posteriors_in_forest(forest: Forest, sums: Sums) -> dict[Constituent, float]:
    """Return the probability of each category over each span of a forest, given its sums.

    The sums may be by any scores.
    """
    return posteriors_in_trees(constituent_posteriors(forest, sums.posterior))


def score_sums(forest: Forest, scores: Costs) -> Sums:
    """Return the sums over all derivations, each with the exponential of its score.

    The posterior of an edge is the fraction of the derivations with the edge, weighted in this way:
    the probability in the log-linear model with these scores.

    Parameters
    ----------
    forest : Forest
        Without cycles (see `plcfrs.chart.estimates.prune`).
    scores : float64 array (E,)
        Natural logarithms, of all edges, those of scanned tags included; negative infinity forbids.

    Returns
    -------
    Sums
        The log probability is the logarithm of the sum over all derivations. If all are forbidden,
        it is negative infinity, and all posteriors are 0.
    """
    with np.errstate(invalid="ignore"):  # infinity minus infinity, if all are forbidden
        sums = inside_outside(forest._replace(edge_cost=-scores))
    if sums.log_probability > -inf:
        return sums
    nothing = np.zeros_like(sums.posterior), np.zeros_like(sums.edge_posterior)
    return sums._replace(posterior=nothing[0], edge_posterior=nothing[1])
