"""The derivation with the highest expected F1, by the posteriors of a log-linear model.

The expectation of a ratio is hard to maximize. The ratio of the expectations is close to it: twice
the expected number of right constituents, by the number of constituents in the derivation and the
expected number in the right one. Such a ratio is maximal where the best value of its numerator less
the ratio times its denominator is 0 (Dinkelbach 1967). Both are sums over constituents, so that
each step is a search for the best derivation, and a few steps suffice.
"""

from __future__ import annotations

import numpy as np

from plcfrs.chart import Forest
from plcfrs.chart.kernel.arrays import Costs
from plcfrs.chart.sums import span_of_item
from plcfrs.experts.decoding import Best, best_derivation
from plcfrs.experts.posteriors import posteriors_in_forest
from plcfrs.experts.sums import score_sums
from plcfrs.trees import ROOT

# Of derivations with the same constituents, the one whose edges are more probable wins.
_TIE = 1e-6


def best_expected_f1(forest: Forest, scores: Costs) -> Best:
    """Return the derivation with the highest ratio of expectations in F1.

    Constituents are categories over spans, without ROOT, tags and intermediate symbols.

    Parameters
    ----------
    forest : Forest
        Without cycles.
    scores : float64 array (E,)
        Of all edges; the probability of a derivation grows with the exponential of their sum. At
        least one derivation must be possible.

    Returns
    -------
    Best
        Its score is the ratio, from 0 to 1.
    """
    sums = score_sums(forest, scores)
    posteriors = posteriors_in_forest(forest, sums)
    symbols = list(forest.compiled.labels)
    counts, right = np.zeros((2, len(forest.label)))
    for item, label in enumerate(forest.label.tolist()):
        symbol = symbols[label]
        if symbol.kind == "category" and symbol.category != ROOT:
            counts[item] = 1.0
            right[item] = posteriors.get((symbol.category, span_of_item(forest, item)), 0.0)
    in_gold = float(sums.posterior @ counts)
    tie = np.where(np.isneginf(scores), scores, _TIE * sums.edge_posterior)
    ratio, higher, edges = -1.0, 0.0, np.empty(0, np.int64)
    while higher > ratio:
        ratio = higher
        gains = (2.0 * right - ratio * counts)[forest.edge_mother]
        found = best_derivation(forest, gains + tie).edges
        items = found >= 0
        size = float(counts[items].sum()) + in_gold
        higher = 2.0 * float(right[items].sum()) / size if size else 1.0
        if higher >= ratio:
            edges = found
    return Best(ratio, edges)
