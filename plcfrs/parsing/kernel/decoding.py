"""The best edge of each item of a forest."""

from __future__ import annotations

import numpy as np

from plcfrs.chart.kernel.arrays import Costs, Int32, Int64
from plcfrs.jit import kernel


@kernel
def choose_edges(
    start: Int64, left: Int32, right: Int32, score: Costs, total: Costs, chosen: Int64
) -> None:
    """Choose for each item the edge to its derivation with the highest sum of scores.

    Parameters
    ----------
    start : int64 array (I + 1,)
        Where the edges of an item start in the next arrays. Children come before their mothers.
    left, right : int32 arrays (E,)
        Items of the children, -1 for none.
    score : float64 array (E,)
        Negative infinity for edges that are in no derivation.
    total : float64 array (I + 1,)
        Output: the sum of the best derivation of each item, and 0 for the child -1.
    chosen : int64 array (I,)
        Output: the edge of each item.
    """
    total[-1] = 0.0
    for item in range(len(chosen)):
        total[item] = -np.inf
        chosen[item] = -1
        for edge in range(start[item], start[item + 1]):
            value = score[edge] + total[left[edge]] + total[right[edge]]
            if chosen[item] < 0 or value > total[item]:
                total[item] = value
                chosen[item] = edge
