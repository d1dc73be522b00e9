"""Weights in training and trained: learned epoch by epoch, averaged and stored.

There are two kinds. A table of features grows when a kernel reports that it is full. Hashed weights
have a fixed number of places, and features may share a place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from plcfrs.compiling import working_cpu_time
from plcfrs.errors import InputError
from plcfrs.learning.kernel import arrays
from plcfrs.learning.kernel import averages as kernel
from plcfrs.learning.kernel.arrays import Averages, Learned, Scores, Weights
from plcfrs.learning.kernel.averages import (
    FEATURES,
    STEP,
    STRENGTHS,
    averages_fit,
    count_strengths,
    pack_averages,
    place_buckets,
)
from plcfrs.learning.kernel.weights import HashedWeights, learned_fit, rehash

_SLOTS = 1 << 16
_MOST_PLACES = 2**32 - 1

# Features in a bucket of averages: more make files smaller and lookups slower.
_IN_BUCKET = 2

# The most features and averages in a model, of 4 bytes each. Beyond that, the weakest go: most of
# them were learned from one mistake.
_MOST_AVERAGES = 10_500_000

_NO_AVERAGES = Averages(
    np.zeros(0, np.uint32), np.zeros(0, np.uint16), np.zeros((0, 0), np.float32)
)


def new_weights(actions: int, slots: int = _SLOTS, entries: int = 4 * _SLOTS) -> Weights:
    """Return memory for weights in training, with room for these numbers of slots and entries."""
    if actions > arrays.MOST_ACTIONS:
        raise InputError(
            f"{actions} different transitions or tags are too many: a model has at most "
            f"{arrays.MOST_ACTIONS}; reduce the number of labels"
        )
    counters = np.zeros(arrays.COUNTERS, np.int64)
    counters[arrays.ACTIONS] = actions
    learned = Learned(
        np.full(slots, arrays.EMPTY),
        np.zeros(slots, np.uint32),
        np.zeros(entries, np.uint16),
        np.zeros(entries, np.float32),
        np.zeros(entries, np.float32),
        counters,
    )
    return Weights(learned, _NO_AVERAGES)


def enlarge_weights(weights: Weights) -> Weights:
    """Return the same weights with a quarter more room.

    Do not use the old weights afterwards: their arrays may become longer.
    """
    learned = weights.learned
    features, entries = learned.counters[: arrays.ACTIONS].tolist()
    needs_slots = 5 * features > 3 * len(learned.slots)
    needs_entries = 5 * entries > 4 * len(learned.actions)
    if needs_slots or not needs_entries:
        size = _larger_size(len(learned.slots))
        slots, uppers = np.full(size, arrays.EMPTY), np.zeros(size, np.uint32)
        enlarged = learned._replace(slots=slots, uppers=uppers)
        rehash(learned, enlarged)
        learned = enlarged
    if needs_entries or not needs_slots:
        for array in (learned.actions, learned.values, learned.totals):
            # In place, to avoid a second copy. Nothing else refers to the arrays.
            array.resize(_larger_size(len(array)), refcheck=False)
    return weights._replace(learned=learned)


def averaged(weights: Weights, time: float) -> Weights:
    """Return packed averages over the time, without zeros and, beyond a limit, the weakest."""
    learned = weights.learned
    counts = np.zeros((2, STRENGTHS), np.int64)
    count_strengths(learned, time, counts)
    as_strong = np.cumsum(counts.sum(0)[::-1])[::-1]
    step = int(np.argmax(as_strong <= _MOST_AVERAGES))
    least = float(np.uint32(step << STEP).view(np.float32))
    buckets = np.zeros(counts[FEATURES, step:].sum() // _IN_BUCKET + 3, np.uint32)
    dense_rows = place_buckets(learned, time, least, buckets)
    cells = np.zeros(buckets[-1] + 1, np.uint16)
    cells[-1] = 1  # this cell may also be touched
    dense = np.zeros((dense_rows, learned.counters[arrays.ACTIONS]), np.float32)
    averages = Averages(buckets, cells, dense)
    pack_averages(learned, time, least, averages)
    return _without_training(averages._replace(buckets=buckets[:-1]))


def weights_of(averages: Averages, actions: int) -> Weights:
    """Return weights with these averages, not a copy; raise a ValueError if damaged."""
    _check(_dimensions(averages) == [1, 1, 2])
    _check(averages.dense.shape[1] == actions and averages_fit(averages, actions))
    return _without_training(averages)


def resumed(learned: Learned, actions: int) -> Weights:
    """Return weights in training from a copy of `learned`; raise a ValueError if damaged."""
    learned = Learned._make(array.copy() for array in learned)
    _check(
        _dimensions(learned) == [1] * len(learned)
        and learned.counters.shape == (arrays.COUNTERS,)
        and learned.counters[arrays.ACTIONS] == actions
        and 0 <= learned.counters[arrays.ENTRIES] <= len(learned.actions)
        and len(learned.uppers) == len(learned.slots)
        and len(learned.actions) == len(learned.values) == len(learned.totals)
        and learned_fit(learned)
    )
    return new_weights(0, 0, 0)._replace(learned=learned)


def count_averages(weights: Weights) -> tuple[int, int]:
    """Return the number of averages that are not 0, and the number of their features."""
    counters = np.zeros(arrays.COUNTERS, np.int64)
    kernel.count_averages(weights.averages, counters)
    features, sparse = counters[: arrays.ACTIONS].tolist()
    return sparse + int(np.count_nonzero(weights.averages.dense)), features


def _without_training(averages: Averages) -> Weights:
    return new_weights(0, 0, 0)._replace(averages=averages)


def _dimensions(weights: Learned | Averages) -> list[int]:
    return [array.ndim for array in weights]


def _check(is_right: bool) -> None:
    if not is_right:
        raise ValueError("the weights are damaged")


def _larger_size(size: int) -> int:
    """Return a size that is a quarter larger, up to the largest possible one."""
    if size == _MOST_PLACES:
        raise InputError(
            f"a model has at most {size} weights: train it on fewer trees, or with fewer features"
        )
    return min(size * 5 // 4 + 1, _MOST_PLACES)


# The largest hashed weight or total: the sum of some hundred of them is still finite.
_LARGEST_WEIGHT = 1e30


def new_hashed_weights(places: int) -> HashedWeights:
    """Return memory for hashed weights in training."""
    return HashedWeights(*(np.zeros(places, np.float32) for _ in range(3)))


def averages_of(weights: HashedWeights, time: float) -> Scores:
    """Return the averages of hashed weights over the time (w - u / c)."""
    return (weights.values - weights.totals.astype(np.float64) / time).astype(np.float32)


class HashedState(NamedTuple):
    """Hashed weights in training as they are stored."""

    values: Scores
    totals: Scores


def state_of(weights: HashedWeights) -> HashedState:
    """Return the stored form of hashed weights in training."""
    return HashedState(weights.values, weights.totals)


def hashed_of(state: HashedState, places: int) -> HashedWeights:
    """Return weights in training from a copy of the state; raise a ValueError if damaged."""
    values, totals = (checked(array, places).copy() for array in state)
    return HashedWeights(values, totals, np.zeros(places, np.float32))


def checked(values: NDArray[Any], places: int) -> Scores:
    """Return the values; raise a ValueError unless they are `places` many float32, not huge."""
    _check(values.dtype == np.float32 and values.shape == (places,))
    _check(bool((np.abs(values) <= _LARGEST_WEIGHT).all()))  # a nan fails, too
    return values


Example = TypeVar("Example")


def learn_from_all(
    examples: Sequence[Example],
    learn: Callable[[Example, float], int],
    epoch: int,
    seed: int,
    step: Callable[[], object],
) -> tuple[int, float]:
    """Learn from all examples once, and return the number of mistakes and the CPU time in seconds.

    `learn` gets an example and the time (the number of examples before it, plus 1), and returns the
    number of mistakes. The seed and the number of the epoch, from 1, determine the order. `step` is
    called after each example.

    >>> learn_from_all([3, 4], lambda mistakes, _: mistakes, 1, 1, lambda: None)[0]
    7
    """
    start, mistakes = working_cpu_time(), 0
    order = np.random.default_rng([seed, epoch]).permutation(len(examples))
    for now, number in enumerate(order, start=time_after(epoch - 1, examples)):
        mistakes += learn(examples[number], float(now))
        step()
    return mistakes, round(working_cpu_time() - start, 2)


def time_after(epochs: int, examples: Sequence[object]) -> int:
    """Return the time after some epochs: the number of examples seen, plus 1."""
    return 1 + epochs * len(examples)
