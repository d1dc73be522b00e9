"""Weights in training: looked up, added up, updated.

A row whose length is a power of 2 is full, and moves to the end of the entries when it grows. A row
with many actions becomes dense.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from plcfrs.jit import inner_kernel, kernel, wide
from plcfrs.linear.kernel import arrays
from plcfrs.linear.kernel.arrays import Cells, Keys, Learned, Places, Scores

# Rows with weights for one action in this many, or more, are faster to add up if dense.
_DENSE = 8


@inner_kernel
def bucket_of(key: np.uint64, buckets: int) -> np.uint64:
    """Return the bucket to which the upper half of a key points."""
    return ((key >> arrays.HALF) * np.uint64(buckets)) >> arrays.HALF


@inner_kernel
def _find(slots: Keys, uppers: Places, key: np.uint64) -> np.uint64:
    """Return the slot of a feature, or the empty slot where it belongs."""
    place = bucket_of(key, len(slots))
    while slots[place] != arrays.EMPTY and not (
        slots[place] >> arrays.HALF == key & arrays.LOWER and uppers[place] == key >> arrays.HALF
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
    found = 0
    for feature in range(features):
        slot = slots[_find(slots, uppers, keys[feature])]
        rows[found] = slot & arrays.LOWER
        found += slot != arrays.EMPTY
    return found


@inner_kernel
def add_row(actions: Cells, values: Scores, start: np.uint32, scores: NDArray[Any]) -> None:
    """Add the weights of a row to the scores of all actions."""
    if actions[start] == arrays.DENSE:
        row = values[start : start + len(scores)]
        for action in range(len(scores)):
            scores[action] += row[action]
    else:
        place = start
        while actions[place] < arrays.LAST:
            scores[actions[place]] += values[place]
            place += np.uint32(1)
        scores[actions[place] & arrays.NUMBER] += values[place]


@inner_kernel
def has_room(learned: Learned, features: int) -> bool:
    """Return whether this many features can be updated, even if they are new or their rows move."""
    counters = learned.counters
    entries: int = counters[arrays.ENTRIES] + features * counters[arrays.ACTIONS]
    slots: int = 4 * (counters[arrays.FEATURES] + features)
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
        place = _entry(learned, keys[feature], action)
        learned.values[place] += np.float32(change)
        learned.totals[place] += np.float32(change * time)


@inner_kernel
def _entry(learned: Learned, key: np.uint64, action: int) -> int:
    """Return the entry of a feature and an action; make it if it is missing."""
    slot = _find(learned.slots, learned.uppers, key)
    if learned.slots[slot] == arrays.EMPTY:
        start = wide(learned.counters[arrays.ENTRIES])
        _put(learned, slot, key, start)
        learned.uppers[slot] = key >> arrays.HALF
        learned.counters[arrays.FEATURES] += 1
        learned.counters[arrays.ENTRIES] += 1
        _set(learned, start, action | arrays.LAST, 0.0, 0.0)
        return start
    start = wide(learned.slots[slot] & arrays.LOWER)
    if learned.actions[start] != arrays.DENSE:
        size = sparse_size(learned, start)
        for place in range(start, start + size):
            if learned.actions[place] & arrays.NUMBER == action:
                return place
        if size & (size - 1) == 0:
            start = _move(learned, start, size)
            _put(learned, slot, key, start)
    if learned.actions[start] == arrays.DENSE:
        return start + action
    learned.actions[start + size - 1] &= arrays.NUMBER
    _set(learned, start + size, action | arrays.LAST, 0.0, 0.0)
    return start + size


@inner_kernel
def sparse_size(learned: Learned, start: int) -> int:
    """Return the number of entries of a row that is not dense."""
    end = start
    while learned.actions[end] < arrays.LAST:
        end += 1
    return end - start + 1


@inner_kernel
def _put(learned: Learned, slot: np.uint64, key: np.uint64, start: int) -> None:
    learned.slots[slot] = (key << arrays.HALF) | np.uint64(start)


@inner_kernel
def _move(learned: Learned, old: int, size: int) -> int:
    """Move a full row to the end of the entries, with room for twice its length."""
    start, actions = wide(learned.counters[arrays.ENTRIES]), learned.counters[arrays.ACTIONS]
    room = 2 * size
    is_dense = room * _DENSE >= actions
    if is_dense:
        room = actions
        for place in range(start, start + room):
            _set(learned, place, arrays.NUMBER, 0.0, 0.0)
    for number in range(size):
        action, place = learned.actions[old + number], start + number
        if is_dense:
            place, action = start + (action & arrays.NUMBER), arrays.NUMBER
        _set(learned, place, action, learned.values[old + number], learned.totals[old + number])
    if is_dense:
        learned.actions[start] = arrays.DENSE
    learned.counters[arrays.ENTRIES] += room
    return start


@inner_kernel
def _set(learned: Learned, place: int, action: int, value: float, total: float) -> None:
    learned.actions[place] = action
    learned.values[place] = value
    learned.totals[place] = total


@inner_kernel
def key_of(learned: Learned, slot: int) -> np.uint64:
    """Return the key of the feature in a slot."""
    lower: np.uint64 = learned.slots[slot] >> arrays.HALF
    return np.uint64(learned.uppers[slot]) << arrays.HALF | lower


@kernel
def rehash(old: Learned, new: Learned) -> None:
    """Put the features of one table into an empty one."""
    for slot in range(len(old.slots)):
        if old.slots[slot] != arrays.EMPTY:
            place = _find(new.slots, new.uppers, key_of(old, slot))
            new.slots[place], new.uppers[place] = old.slots[slot], old.uppers[slot]
