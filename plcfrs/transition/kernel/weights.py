"""Sparse weights: looked up, summed, updated.

A feature is a key of 64 bits. Its row holds the actions that it has a weight for; the row is full
when its size is a power of 2, and moves to the end of the entries then. A row of many actions
becomes *dense*: it has all actions in their order.
"""

from __future__ import annotations

import numpy as np

from plcfrs.jit import inner_kernel, kernel
from plcfrs.transition.kernel import arrays
from plcfrs.transition.kernel.arrays import Int64, Keys, Records, Scores, Search, Weights

# Rows of one action in so many, or more, are faster to add up if they are dense.
_DENSE = 8


@inner_kernel
def find(weights: Weights, key: np.uint64) -> int:
    """Return the slot of a feature, or an empty one where it can be put."""
    mask = np.uint64(len(weights.table) - 1)
    slot = (key >> np.uint64(32)) & mask
    while weights.table[slot]["size"] > 0 and weights.table[slot]["key"] != key:
        slot = (slot + np.uint64(1)) & mask
    found: int = np.int64(slot)  # type: ignore[assignment]
    return found


@inner_kernel
def sum_scores(weights: Weights, search: Search, features: int) -> None:
    """Add up the weights of all actions for the features of a state.

    All memory is touched before any of it is looked at, so that the waits for it overlap.
    """
    mask = np.uint64(len(weights.table) - 1)
    touched = np.uint64(0)
    for feature in range(features):
        touched ^= weights.table[(search.keys[feature] >> np.uint64(32)) & mask]["key"]
    rows = 0
    for feature in range(features):
        row = weights.table[find(weights, search.keys[feature])]
        search.rows[rows, 0], search.rows[rows, 1] = row["start"], row["size"]
        rows += row["size"] > 0
    for row in range(rows):
        touched ^= np.uint64(weights.entries[search.rows[row, 0]]["action"])
    search.counters[arrays.TOUCHED] = np.int64(touched)
    search.scores[:] = 0
    for row in range(rows):
        start = search.rows[row, 0]
        add_row(weights.entries[start : start + search.rows[row, 1]], search.scores)


@inner_kernel
def add_row(row: Records, scores: Scores) -> None:
    """Add the weights of a row to the scores of all actions."""
    if len(row) == len(scores):
        for action in range(len(scores)):
            scores[action] += row[action]["weight"]
    else:
        for place in range(len(row)):
            scores[row[place]["action"]] += row[place]["weight"]


@inner_kernel
def has_room(weights: Weights, features: int, actions: int) -> bool:
    """Whether so many features can be updated, even if they are new or their rows have to move."""
    entries: int = weights.counters[arrays.ENTRIES] + features * actions
    slots: int = 2 * (weights.counters[arrays.FEATURES] + features)
    return entries <= len(weights.entries) and slots <= len(weights.table)


@inner_kernel
def add(
    weights: Weights, keys: Keys, features: int, action: int, change: float, time: float
) -> None:
    """Add to the weights of an action for some features; there is room.

    Parameters
    ----------
    weights : Weights
    keys : Keys
    features : int
        How many of the keys.
    action : int
    change : float
    time : float
        How many sentences have been seen.
    """
    for feature in range(features):
        place = _entry(weights, keys[feature], action)
        weights.entries[place]["weight"] += np.float32(change)
        weights.totals[place] += change * time


@inner_kernel
def _entry(weights: Weights, key: np.uint64, action: int) -> int:
    """Return the entry of a feature and an action, made if it is not there."""
    row = weights.table[find(weights, key)]
    if row["size"] == 0:
        row["key"] = key
        weights.counters[arrays.FEATURES] += 1
    if row["size"] < weights.counters[arrays.ACTIONS]:
        for old in range(row["start"], row["start"] + row["size"]):
            if weights.entries[old]["action"] == action:
                return old
        if row["size"] & (row["size"] - 1) == 0:
            _move(weights, row)
    place: int = row["start"] + action
    if row["size"] == weights.counters[arrays.ACTIONS]:
        return place
    place = row["start"] + row["size"]
    row["size"] += 1
    _set(weights, place, action, 0.0, 0.0)
    return place


@inner_kernel
def _move(weights: Weights, row: np.void) -> None:
    """Move a row that is full to the end of the entries, with room for as many again."""
    start, actions = weights.counters[arrays.ENTRIES], weights.counters[arrays.ACTIONS]
    room = max(1, 2 * row["size"])
    is_dense = room * _DENSE >= actions
    if is_dense:
        room = actions
        for action in range(actions):
            _set(weights, start + action, action, 0.0, 0.0)
    for number in range(row["size"]):
        old = row["start"] + number
        entry = weights.entries[old]
        place = start + (entry["action"] if is_dense else number)
        _set(weights, place, entry["action"], entry["weight"], weights.totals[old])
    row["start"] = start
    if is_dense:
        row["size"] = actions
    weights.counters[arrays.ENTRIES] += room


@inner_kernel
def _set(weights: Weights, place: int, action: int, weight: float, total: float) -> None:
    weights.entries[place]["action"] = action
    weights.entries[place]["weight"] = weight
    weights.totals[place] = total


@kernel
def rehash(old: Weights, new: Weights) -> None:
    """Put the rows of one table into another one, which is empty."""
    for slot in range(len(old.table)):
        row = old.table[slot]
        if row["size"] > 0:
            put = new.table[find(new, row["key"])]
            put["key"], put["start"], put["size"] = row["key"], row["start"], row["size"]


@kernel
def count_means(weights: Weights, time: float, counters: Int64) -> None:
    """Count the features and the entries of what `pack_means` makes."""
    counters[arrays.FEATURES] = counters[arrays.ENTRIES] = 0
    for slot in range(len(weights.table)):
        size = _packed_size(weights, weights.table[slot], time)
        counters[arrays.FEATURES] += size > 0
        counters[arrays.ENTRIES] += size


@kernel
def pack_means(weights: Weights, time: float, packed: Weights) -> None:
    """Put all averages that are not 0 next to each other in new arrays."""
    actions = weights.counters[arrays.ACTIONS]
    for slot in range(len(weights.table)):
        row = weights.table[slot]
        size = _packed_size(weights, row, time)
        if size == 0:
            continue
        start = end = packed.counters[arrays.ENTRIES]
        if size == actions:
            for action in range(actions):
                packed.entries[start + action]["action"] = action
        for place in range(row["start"], row["start"] + row["size"]):
            mean = _mean(weights, place, time)
            if mean != 0:
                action = weights.entries[place]["action"]
                to = start + action if size == actions else end
                packed.entries[to]["action"], packed.entries[to]["weight"] = action, mean
                end += 1
        put = packed.table[find(packed, row["key"])]
        put["key"], put["start"], put["size"] = row["key"], start, size
        packed.counters[arrays.ENTRIES] += size
        packed.counters[arrays.FEATURES] += 1


@inner_kernel
def _packed_size(weights: Weights, row: np.void, time: float) -> int:
    """Return how many entries a row has when it is packed."""
    size = 0
    for place in range(row["start"], row["start"] + row["size"]):
        size += _mean(weights, place, time) != 0
    actions = weights.counters[arrays.ACTIONS]
    return actions if size > 0 and size * _DENSE >= actions else size


@inner_kernel
def _mean(weights: Weights, place: int, time: float) -> np.float32:
    return np.float32(weights.entries[place]["weight"] - weights.totals[place] / time)
