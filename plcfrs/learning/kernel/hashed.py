"""Weights of features without actions: the upper half of a key is the place of its weight.

Features with the same place share a weight (Weinberger et al. 2009).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from plcfrs.jit import inner_kernel
from plcfrs.learning.kernel.arrays import Places, Scores


class HashedWeights(NamedTuple):
    """Weights, and the sums for their averages; averages themselves have no sums."""

    values: Scores  # (places,)
    totals: Scores  # (places,)
    changes: Scores  # (places,) scratch memory, 0 between updates


@inner_kernel
def squared_norm(weights: HashedWeights, places: Places, good: int, end: int) -> float:
    """Return the squared length of the vector of good features minus that of bad ones.

    Parameters
    ----------
    weights : HashedWeights
    places : Places
        First of good features, up to `good`, then of bad ones, up to `end`.
    good, end : int
    """
    changes = weights.changes
    for number in range(end):
        changes[places[number]] += np.float32(1.0 if number < good else -1.0)
    norm = 0.0
    for number in range(end):
        norm += changes[places[number]] if number < good else -changes[places[number]]
    for number in range(end):
        changes[places[number]] = 0
    return norm


@inner_kernel
def margin(weights: HashedWeights, places: Places, good: int, end: int) -> float:
    """Return by how much the good features score more than the bad ones."""
    total = 0.0
    for number in range(end):
        value = np.float64(weights.values[places[number]])
        total += value if number < good else -value
    return total


@inner_kernel
def change(
    weights: HashedWeights, places: Places, good: int, end: int, step: float, time: float
) -> None:
    """Add a step to the weights of good features, and subtract it from those of bad ones."""
    for number in range(end):
        signed = step if number < good else -step
        weights.values[places[number]] += np.float32(signed)
        weights.totals[places[number]] += np.float32(signed * time)
