"""Another objective than the most probable derivation: the most constituents expected correct."""

from __future__ import annotations

import numpy as np

from plcfrs.chart.backtrace import trace_back, trace_items
from plcfrs.chart.forest import Forest
from plcfrs.chart.kernel.sums import choose_edges
from plcfrs.chart.sums import Sums, edges_of
from plcfrs.grammar import Derivation


def most_constituents(forest: Forest, sums: Sums) -> tuple[float, Derivation]:
    """Return the derivation with the most constituents expected to be correct.

    For the binary trees of Goodman (1996, Parsing algorithms and metrics), which all have the same
    number of constituents, this is his Labelled Recall algorithm. Here the number differs, so each
    wrong constituent is counted against a correct one: the sum of ``2 * posterior - 1`` over the
    items of treebank categories is maximal. Constituents with different splits or functions are
    different.

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
