"""Weights in training: kernels look them up, add them up, update them, and check those of files.

There are two kinds. A table of features has rows of weights for actions. A row whose length is a
power of 2 is full. When it grows, it moves to a hole that another row left, or to the end of the
entries. A row with many actions becomes dense.

Hashed weights are for features without actions: the upper half of a key is the place of its weight.
Features with the same place share a weight (Weinberger et al. 2009).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plcfrs.jit import inner_kernel, kernel, wide
from plcfrs.learning.kernel.arrays import (
    ACTIONS,
    DENSE,
    EMPTY,
    ENTRIES,
    FEATURES,
    HALF,
    HOLES,
    LAST,
    LOWER,
    NUMBER,
    Cells,
    Keys,
    Learned,
    Places,
    Scores,
)

# Rows with weights for one action in this many, or more, are faster to add up if dense.
_DENSE = 8


@inner_kernel
def bucket_of(key: np.uint64, buckets: int) -> np.uint64:
    """Return the bucket that the upper half of a key points to."""
    return ((key >> HALF) * np.uint64(buckets)) >> HALF


@inner_kernel
def _find(slots: Keys, uppers: Places, key: np.uint64) -> np.uint64:
    """Return the slot of a feature, or the empty slot where it belongs."""
    place = bucket_of(key, len(slots))
    while slots[place] != EMPTY and not (
        slots[place] >> HALF == key & LOWER and uppers[place] == key >> HALF
    ):
        place += np.uint64(1)
        if place == np.uint64(len(slots)):
            place = np.uint64(0)
    return place


@inner_kernel
def touch_slots(learned: Learned, keys: Keys, features: int) -> np.uint64:
    """Touch the memory where features may be."""
    touched = np.uint64(0)
    for feature in range(features):
        touched ^= learned.slots[bucket_of(keys[feature], len(learned.slots))]
    return touched


@inner_kernel
def find_rows(learned: Learned, keys: Keys, features: int, rows: Places) -> int:
    """Write where the rows of known features start; return the number of known features."""
    slots, uppers = learned.slots, learned.uppers
    known = 0
    for feature in range(features):
        slot = slots[_find(slots, uppers, keys[feature])]
        rows[known] = slot & LOWER
        known += slot != EMPTY
    return known


@inner_kernel
def add_row(actions: Cells, values: Scores, start: np.uint32, scores: NDArray[Any]) -> None:
    """Add the weights of a row to the scores of all actions."""
    if actions[start] == DENSE:
        row = values[start : start + len(scores)]
        for action in range(len(scores)):
            scores[action] += row[action]
    else:
        place = start
        while actions[place] < LAST:
            scores[actions[place]] += values[place]
            place += np.uint32(1)
        scores[actions[place] & NUMBER] += values[place]


@inner_kernel
def has_room(learned: Learned, features: int) -> bool:
    """Return whether there is room to update this many features, even if all are new or move."""
    counters = learned.counters
    entries: int = counters[ENTRIES] + features * counters[ACTIONS]
    slots: int = 4 * (counters[FEATURES] + features)
    return entries <= len(learned.actions) and slots < 3 * len(learned.slots)


@inner_kernel
def add(
    learned: Learned, keys: Keys, features: int, action: int, change: float, time: float
) -> None:
    """Add to the weights of an action for some features. There must be room.

    Parameters
    ----------
    learned : Learned
    keys : Keys
    features : int
        How many of the keys to use.
    action : int
    change : float
    time : float
        How many sentences have been seen.
    """
    for feature in range(features):
        place = entry_of(learned, keys[feature], action)
        learned.values[place] += np.float32(change)
        learned.totals[place] += np.float32(change * time)


@inner_kernel
def entry_of(learned: Learned, key: np.uint64, action: int) -> int:
    """Return the entry of a feature and an action; make it if it is missing."""
    slot = _find(learned.slots, learned.uppers, key)
    if learned.slots[slot] == EMPTY:
        start = _take(learned, 1)
        _put(learned, slot, key, start)
        learned.uppers[slot] = key >> HALF
        learned.counters[FEATURES] += 1
        _set(learned, start, action | LAST, 0.0, 0.0)
        return start
    start = wide(learned.slots[slot] & LOWER)
    if learned.actions[start] != DENSE:
        size = sparse_size(learned, start)
        for place in range(start, start + size):
            if learned.actions[place] & NUMBER == action:
                return place
        if size & (size - 1) == 0:
            start = _move(learned, start, size)
            _put(learned, slot, key, start)
    if learned.actions[start] == DENSE:
        return start + action
    learned.actions[start + size - 1] &= NUMBER
    _set(learned, start + size, action | LAST, 0.0, 0.0)
    return start + size


@inner_kernel
def sparse_size(learned: Learned, start: int) -> int:
    """Return the number of entries of a row that is not dense."""
    end = start
    while learned.actions[end] < LAST:
        end += 1
    return end - start + 1


@inner_kernel
def _put(learned: Learned, slot: np.uint64, key: np.uint64, start: int) -> None:
    learned.slots[slot] = (key << HALF) | np.uint64(start)


@inner_kernel
def _move(learned: Learned, old: int, size: int) -> int:
    """Move a full row to a place with room for twice its length; leave a hole."""
    actions = learned.counters[ACTIONS]
    is_dense = 2 * size * _DENSE >= actions
    if is_dense:
        start = wide(learned.counters[ENTRIES])
        learned.counters[ENTRIES] += actions
        for place in range(start, start + actions):
            _set(learned, place, NUMBER, 0.0, 0.0)
    else:
        start = _take(learned, 2 * size)
    for number in range(size):
        action, place = learned.actions[old + number], start + number
        if is_dense:
            place, action = start + (action & NUMBER), NUMBER
        _set(learned, place, action, learned.values[old + number], learned.totals[old + number])
    if is_dense:
        learned.actions[start] = DENSE
    _leave(learned, old, size)
    return start


@inner_kernel
def _leave(learned: Learned, start: int, size: int) -> None:
    """Note a hole, whose length is a power of 2."""
    last = HOLES + _exponent(size)
    learned.values[start] = learned.counters[last] >> 16
    learned.totals[start] = learned.counters[last] & (2**16 - 1)
    learned.counters[last] = start + 1


@inner_kernel
def _take(learned: Learned, size: int) -> int:
    """Return where there is room for a length that is a power of 2."""
    last = HOLES + _exponent(size)
    start = wide(learned.counters[last]) - 1
    if not 0 <= start <= learned.counters[ENTRIES] - size:  # no hole, or a damaged file
        learned.counters[ENTRIES] += size
        return wide(learned.counters[ENTRIES]) - size
    before = wide(learned.values[start]) << 16
    learned.counters[last] = before + wide(learned.totals[start])
    return start


@inner_kernel
def _exponent(size: int) -> int:
    exponent = 0
    while 1 << exponent < size:
        exponent += 1
    return exponent


@inner_kernel
def _set(learned: Learned, place: int, action: int, value: float, total: float) -> None:
    learned.actions[place] = action
    learned.values[place] = value
    learned.totals[place] = total


@inner_kernel
def key_of(learned: Learned, slot: int) -> np.uint64:
    """Return the key of the feature in a slot."""
    lower: np.uint64 = learned.slots[slot] >> HALF
    return np.uint64(learned.uppers[slot]) << HALF | lower


@kernel
def rehash(old: Learned, new: Learned) -> None:
    """Put the features of one table into an empty one."""
    for slot in range(len(old.slots)):
        if old.slots[slot] != EMPTY:
            place = _find(new.slots, new.uppers, key_of(old, slot))
            new.slots[place], new.uppers[place] = old.slots[slot], old.uppers[slot]


@kernel
def learned_fit(learned: Learned) -> bool:
    """Return whether all rows are within the entries, with known actions and finite weights."""
    features = 0
    for slot in range(len(learned.slots)):
        if learned.slots[slot] != EMPTY:
            features += 1
            if not _row_fits(learned, wide(learned.slots[slot] & LOWER)):
                return False
    for entry in range(len(learned.values)):
        if not (np.isfinite(learned.values[entry]) and np.isfinite(learned.totals[entry])):
            return False
    return features == wide(learned.counters[FEATURES]) < len(learned.slots)


@inner_kernel
def _row_fits(learned: Learned, start: int) -> bool:
    """Return whether a row has known actions, and room for a power of 2."""
    end, actions = wide(learned.counters[ENTRIES]), wide(learned.counters[ACTIONS])
    if start >= end:
        return False
    if learned.actions[start] == DENSE:
        return start + actions <= end
    room = 1
    for size in range(1, min(actions, end - start) + 1):
        action = learned.actions[start + size - 1]
        if action & NUMBER >= actions:
            return False
        while room < size:
            room *= 2
        if action >= LAST:
            return start + room <= end
    return False


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
