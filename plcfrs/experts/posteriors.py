"""Posterior probabilities of constituents as trees show them: of categories over tokens."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from plcfrs.chart import Forest, Sums, constituent_posteriors
from plcfrs.experts.votes import Constituent
from plcfrs.grammar import Nonterminal


def posteriors_in_trees(
    posteriors: Mapping[tuple[Nonterminal, int], float],
) -> dict[Constituent, float]:
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
    >>> question, clause = Nonterminal("S", split="WH"), Nonterminal("S")
    >>> posteriors_in_trees({(question, 3): 0.5, (clause, 3): 0.25, (clause, 1): 0.125})
    {('S', 3): 0.75, ('S', 1): 0.125}
    """
    found: dict[Constituent, float] = defaultdict(float)
    for (symbol, span), posterior in posteriors.items():
        if symbol.kind == "category":
            found[symbol.category, span] += posterior
    return {constituent: min(posterior, 1.0) for constituent, posterior in found.items()}


def posteriors_in_forest(forest: Forest, sums: Sums) -> dict[Constituent, float]:
    """Return the probability of each category over each span of a forest.

    Parameters
    ----------
    sums : Sums
        Of the forest, by any scores.
    """
    return posteriors_in_trees(constituent_posteriors(forest, sums.posterior))
