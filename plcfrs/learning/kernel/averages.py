"""Averages of weights, without zeros: packed, looked up, added up.

Scores of actions: the weights of features, added up.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from plcfrs.jit import inner_kernel, kernel, wide
from plcfrs.learning.kernel import learned as arrays
from plcfrs.learning.kernel.learned import (
    Averages,
    Cells,
    Int64,
    Keys,
    Learned,
    Places,
    Scores,
    Weights,
    add_row,
    bucket_of,
    find_rows,
    key_of,
    sparse_size,
    touch_slots,
)

# Rows with weights for one action in this many, or more, are dense: more room, less time.
_DENSE = 4

# A quarter of a key.
_QUARTER = np.uint32(16)
_LOW = np.uint32(2**16 - 1)

# Counters of the size of averages.
CELLS, DENSE_ROWS = range(2)


@inner_kernel
def touch_buckets(averages: Averages, keys: Keys, features: int) -> np.uint64:
    """Touch the memory where features may be."""
    touched = np.uint64(0)
    for feature in range(features):
        bucket = bucket_of(keys[feature], len(averages.buckets) - 1)
        touched ^= np.uint64(averages.cells[averages.buckets[bucket]])
    return touched


@inner_kernel
def find_averages(averages: Averages, keys: Keys, features: int, rows: Places) -> int:
    """Write where the rows of known features start; return the number of known features.

    Once in a billion lookups, a row is that of another feature.
    """
    buckets, cells = averages.buckets, averages.cells
    found = 0
    for feature in range(features):
        lower = np.uint32(keys[feature] & arrays.LOWER)
        bucket = bucket_of(keys[feature], len(buckets) - 1)
        place, end = wide(buckets[bucket]), wide(buckets[bucket + np.uint64(1)])
        while place < end:
            if _pair(cells, np.uint64(place)) == lower:
                rows[found] = place + arrays.HEAD - 1
                found += 1
                break
            size = cells[place + arrays.HEAD - 1]
            place += arrays.HEAD
            place += arrays.ENTRY * size if size != arrays.DENSE else 2
    return found


@inner_kernel
def add_average(cells: Cells, dense: Scores, start: np.uint32, scores: NDArray[Any]) -> None:
    """Add the weights of a row to the scores of all actions."""
    place = np.uint64(start) + np.uint64(1)
    size = cells[start]
    if size == arrays.DENSE:
        row = dense[_pair(cells, place)]
        for action in range(len(scores)):
            scores[action] += row[action]
    else:
        for _ in range(size):
            value = np.uint32(_pair(cells, place + np.uint64(1))).view(np.float32)
            scores[cells[place]] += value
            place += np.uint64(arrays.ENTRY)


@inner_kernel
def _pair(cells: Cells, place: np.uint64) -> np.uint32:
    """Return the number in two cells."""
    upper = np.uint32(cells[place + np.uint64(1)]) << _QUARTER
    return np.uint32(upper | np.uint32(cells[place]))


@inner_kernel
def _put_pair(cells: Cells, place: int, number: np.uint32) -> None:
    cells[place], cells[place + 1] = number & _LOW, number >> _QUARTER


@kernel
def place_buckets(learned: Learned, time: float, buckets: Places, counters: Int64) -> None:
    """Write where each bucket begins, shifted by one place; count cells and dense rows.

    Parameters
    ----------
    learned : Learned
    time : float
        Number of sentences seen.
    buckets : Places
        Zeros, one more than needed.
    counters : Int64
        Numbers of cells and dense rows; overwritten.
    """
    counters[CELLS] = counters[DENSE_ROWS] = 0
    for slot in range(len(learned.slots)):
        size = _packed_size(learned, slot, time)
        if size > 0:
            cells = arrays.HEAD + arrays.ENTRY * size
            if _is_dense(learned, size):
                cells = arrays.HEAD + 2
                counters[DENSE_ROWS] += 1
            counters[CELLS] += cells
            bucket = bucket_of(key_of(learned, slot), len(buckets) - 2)
            buckets[bucket + np.uint64(2)] += np.uint32(cells)
    for number in range(1, len(buckets)):
        buckets[number] += buckets[number - 1]


@kernel
def pack_averages(learned: Learned, time: float, averages: Averages) -> None:
    """Put all averages that are not 0 into their buckets; there is one bucket too many."""
    buckets, cells, dense = averages.buckets, averages.cells, averages.dense
    dense_rows = 0
    for slot in range(len(learned.slots)):
        size = _packed_size(learned, slot, time)
        if size == 0:
            continue
        key = key_of(learned, slot)
        bucket = bucket_of(key, len(buckets) - 2) + np.uint64(1)
        place = wide(buckets[bucket])
        _put_pair(cells, place, np.uint32(key & arrays.LOWER))
        place += arrays.HEAD
        is_dense = _is_dense(learned, size)
        cells[place - 1] = arrays.DENSE if is_dense else size
        start, end = _row(learned, slot)
        for entry in range(start, end):
            mean = _mean(learned, entry, time)
            action = entry - start
            if learned.actions[start] != arrays.DENSE:
                action = learned.actions[entry] & arrays.NUMBER
            if is_dense:
                dense[dense_rows, action] = mean
            elif mean != 0:
                cells[place] = action
                _put_pair(cells, place + 1, np.float32(mean).view(np.uint32))
                place += arrays.ENTRY
        if is_dense:
            _put_pair(cells, place, np.uint32(dense_rows))
            dense_rows += 1
            place += 2
        buckets[bucket] = place


@inner_kernel
def _packed_size(learned: Learned, slot: int, time: float) -> int:
    """Return the number of averages of a feature that are not 0."""
    size = 0
    if learned.slots[slot] != arrays.EMPTY:
        start, end = _row(learned, slot)
        for entry in range(start, end):
            size += _mean(learned, entry, time) != 0
    return size


@inner_kernel
def _row(learned: Learned, slot: int) -> tuple[int, int]:
    """Return where the row of a feature starts and ends."""
    start = wide(learned.slots[slot] & arrays.LOWER)
    if learned.actions[start] == arrays.DENSE:
        return start, start + wide(learned.counters[arrays.ACTIONS])
    return start, start + sparse_size(learned, start)


@inner_kernel
def _is_dense(learned: Learned, size: int) -> bool:
    return size * _DENSE >= wide(learned.counters[arrays.ACTIONS])


@inner_kernel
def _mean(learned: Learned, entry: int, time: float) -> np.float32:
    """Return the average of a weight over all sentences seen (w - u / c)."""
    return np.float32(learned.values[entry] - np.float64(learned.totals[entry]) / time)


@kernel
def count_averages(averages: Averages, counters: Int64) -> None:
    """Count the features, and the entries of features that are not dense."""
    counters[arrays.FEATURES] = counters[arrays.ENTRIES] = place = 0
    while place < wide(averages.buckets[-1]):
        size = wide(averages.cells[place + arrays.HEAD - 1])
        counters[arrays.FEATURES] += 1
        place += arrays.HEAD
        if size == arrays.DENSE:
            place += 2
        else:
            counters[arrays.ENTRIES] += size
            place += arrays.ENTRY * size


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
