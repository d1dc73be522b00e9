"""Sums over the derivations of a forest with the scores of judges."""

from __future__ import annotations

from math import inf

import numpy as np

from plcfrs.chart import Forest, Sums, inside_outside
from plcfrs.chart.kernel.arrays import Costs


def score_sums(forest: Forest, scores: Costs) -> Sums:
    """Return the sums over all derivations, each with the exponential of its score.

    The posterior of an edge is the fraction of the derivations with the edge, weighted in this way:
    the probability in the log-linear model with these scores.

    Parameters
    ----------
    forest : Forest
        Without cycles (see `plcfrs.chart.pruning.prune`).
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
