"""Scores of actions: the weights of features, added up."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from plcfrs.jit import inner_kernel
from plcfrs.linear.kernel.arrays import Keys, Places, Scores, Weights
from plcfrs.linear.kernel.averages import add_average, find_averages, touch_buckets
from plcfrs.linear.kernel.learned import add_row, find_rows, touch_slots


@inner_kernel
def sum_scores(
    weights: Weights, keys: Keys, features: int, rows: Places, scores: Scores
) -> np.uint64:
    """Add up the weights of all actions for some features.

    All memory is touched before it is read, so that the waits for it overlap.

    Parameters
    ----------
    weights : Weights
    keys : Keys
    features : int
        How many of the keys to use.
    rows : Places
        (features,) scratch memory.
    scores : Scores
        (actions,) overwritten with the sums.

    Returns
    -------
    uint64
        A number without meaning; it must be kept, or the touching is optimized away.
    """
    learned, averages = weights.learned, weights.averages
    scores[:] = 0
    if len(averages.buckets) > 0:
        touched = touch_buckets(averages, keys, features)
        found = find_averages(averages, keys, features, rows)
        for number in range(found):
            add_average(averages.cells, averages.dense, rows[number], scores)
    else:
        touched = touch_slots(learned, keys, features)
        found = find_rows(learned, keys, features, rows)
        for number in range(found):
            touched ^= np.uint64(learned.actions[rows[number]])
        for number in range(found):
            add_row(learned.actions, learned.values, rows[number], scores)
    return touched


@inner_kernel
def add_scores(weights: Weights, keys: Keys, rows: Places, scores: NDArray[Any]) -> None:
    """Add the weights of all actions for features to scores."""
    learned, averages = weights.learned, weights.averages
    if len(averages.buckets) > 0:
        for number in range(find_averages(averages, keys, len(keys), rows)):
            add_average(averages.cells, averages.dense, rows[number], scores)
    else:
        for number in range(find_rows(learned, keys, len(keys), rows)):
            add_row(learned.actions, learned.values, rows[number], scores)
