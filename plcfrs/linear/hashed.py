"""Weights of hashed features in memory: averaged, stored."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plcfrs.linear.kernel.arrays import Scores
from plcfrs.linear.kernel.hashed import HashedWeights

# The sum of some hundred weights or totals is still finite.
_LARGEST = 1e30


def new_hashed_weights(places: int) -> HashedWeights:
    """Return memory for weights in training."""
    return HashedWeights(*(np.zeros(places, np.float32) for _ in range(3)))


def averages_of(weights: HashedWeights, time: float) -> Scores:
    """Return the averages of weights over the time (w - u / c)."""
    return (weights.values - weights.totals.astype(np.float64) / time).astype(np.float32)


class HashedState(NamedTuple):
    """Weights in training as they are stored."""

    values: Scores
    totals: Scores


def state_of(weights: HashedWeights) -> HashedState:
    """Return what is stored of weights in training."""
    return HashedState(weights.values, weights.totals)


def hashed_of(state: HashedState, places: int) -> HashedWeights:
    """Return weights in training from a copy of the state; a ValueError if it is damaged."""
    values, totals = (checked(array, places).copy() for array in state)
    return HashedWeights(values, totals, np.zeros(places, np.float32))


def checked(values: NDArray[Any], places: int) -> Scores:
    """Return the values; a ValueError unless they are weights of a usual size for all places."""
    if values.dtype != np.float32 or values.shape != (places,):
        raise ValueError("the weights are damaged")
    if not (np.abs(values) <= _LARGEST).all():  # also if one is not a number
        raise ValueError("the weights are damaged")
    return values
