"""Averages of weights, without the weakest; and the scores of actions, sums of their weights."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from plcfrs.jit import inner_kernel, kernel, wide
from plcfrs.learning.kernel import arrays
from plcfrs.learning.kernel.arrays import (
    MOST_ENTRIES,
    PACKED,
    Averages,
    Cells,
    Int64,
    Keys,
    Learned,
    Places,
    Scores,
    Weights,
)
from plcfrs.learning.kernel.weights import (
    add_row,
    bucket_of,
    find_rows,
    key_of,
    sparse_size,
    touch_slots,
)

# Rows with weights for one action in this many, or more, are dense: more room, less time.
_DENSE = 4

# Half of a number in two cells, and a quarter of a key.
_QUARTER = np.uint32(16)
_LOW = np.uint32(2**16 - 1)

# In the head of a feature of two cells, the key has these bits, and the number of entries the rest.
_KEY = np.uint32(2**24 - 1)
_KEY_BITS = np.uint32(24)

# Features and entries are counted by strength, in steps of at most 3 %: the upper bits of a float.
# To save time, only every 16th slot counts.
FEATURES, ENTRIES = range(2)
STEP = np.uint32(18)
STRENGTHS = 2**13
_SAMPLED = 16


@inner_kernel
def row_size(cells: Cells, place: int) -> int:
    """Return the number of entries of a feature in averages, or DENSE."""
    size = wide(cells[place + 1]) >> 8
    return size if size <= MOST_ENTRIES else wide(arrays.DENSE)


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

    Once in some million lookups, a row belongs to another feature.
    """
    buckets, cells = averages.buckets, averages.cells
    known = 0
    for feature in range(features):
        lower = np.uint32(keys[feature] & arrays.LOWER)
        bucket = bucket_of(keys[feature], len(buckets) - 1)
        place, end = wide(buckets[bucket]), wide(buckets[bucket + np.uint64(1)])
        while place < end:
            if (_pair(cells, np.uint64(place)) ^ lower) & _KEY == 0:
                rows[known] = place
                known += 1
                break
            size = row_size(cells, place)
            place += PACKED
            place += PACKED * size if size != arrays.DENSE else 2
    return known


@inner_kernel
def add_average(cells: Cells, dense: Scores, start: int, scores: NDArray[Any]) -> None:
    """Add the weights of a row to the scores of all actions."""
    size = row_size(cells, wide(start))
    place = np.uint64(start) + np.uint64(PACKED)
    if size == arrays.DENSE:
        row = dense[_pair(cells, place)]
        for action in range(len(scores)):
            scores[action] += row[action]
    else:
        for _ in range(size):
            number = np.uint32(cells[place + np.uint64(1)]) << _QUARTER
            scores[cells[place]] += np.uint32(number).view(np.float32)
            place += np.uint64(PACKED)


@inner_kernel
def _pair(cells: Cells, place: np.uint64) -> np.uint32:
    """Return the number in two cells."""
    upper = np.uint32(cells[place + np.uint64(1)]) << _QUARTER
    return np.uint32(upper | np.uint32(cells[place]))


@inner_kernel
def _put_pair(cells: Cells, place: int, number: np.uint32) -> None:
    cells[place], cells[place + 1] = number & _LOW, number >> _QUARTER


@kernel
def count_strengths(learned: Learned, time: float, counts: Int64) -> None:
    """Estimate how many features and entries have each strength, in (2, STRENGTHS) zeros.

    The strength of a feature is its strongest average. The strength of an entry is twice its
    average, up to the strength of its feature.
    """
    for slot in range(0, len(learned.slots), _SAMPLED):
        strength = _strength(learned, slot, time)
        if strength > 0:
            counts[FEATURES, _step(strength)] += _SAMPLED
            start, end = _row(learned, slot)
            for entry in range(start, end):
                average = abs(_mean(learned, entry, time))
                if average > 0:
                    counts[ENTRIES, _step(min(strength, np.float32(2) * average))] += _SAMPLED


@inner_kernel
def _step(strength: np.float32) -> np.uint32:
    return np.uint32(np.float32(strength).view(np.uint32) >> STEP)


@kernel
def place_buckets(learned: Learned, time: float, least: float, buckets: Places) -> int:
    """Write where each bucket begins, shifted by one place; return the number of dense rows.

    Parameters
    ----------
    learned : Learned
    time : float
        Number of sentences seen.
    least : float
        The least strength to keep.
    buckets : Places
        Zeros, one more than needed.
    """
    dense_rows = 0
    for slot in range(len(learned.slots)):
        size = _packed_size(learned, slot, time, least)
        if size > 0:
            cells = PACKED + PACKED * size
            if _is_dense(learned, size):
                cells = PACKED + 2
                dense_rows += 1
            bucket = bucket_of(key_of(learned, slot), len(buckets) - 2)
            buckets[bucket + np.uint64(2)] += np.uint32(cells)
    for number in range(1, len(buckets)):
        buckets[number] += buckets[number - 1]
    return dense_rows


@kernel
def pack_averages(learned: Learned, time: float, least: float, averages: Averages) -> None:
    """Put the averages to keep into their buckets; there is one bucket more."""
    buckets, cells, dense = averages.buckets, averages.cells, averages.dense
    dense_rows = 0
    for slot in range(len(learned.slots)):
        size = _packed_size(learned, slot, time, least)
        if size == 0:
            continue
        key = key_of(learned, slot)
        bucket = bucket_of(key, len(buckets) - 2) + np.uint64(1)
        place = wide(buckets[bucket])
        is_dense = _is_dense(learned, size)
        head = np.uint32(MOST_ENTRIES + 1 if is_dense else size) << _KEY_BITS
        _put_pair(cells, place, head | np.uint32(key & arrays.LOWER) & _KEY)
        place += PACKED
        start, end = _row(learned, slot)
        for entry in range(start, end):
            mean = _mean(learned, entry, time)
            action = entry - start
            if learned.actions[start] != arrays.DENSE:
                action = learned.actions[entry] & arrays.NUMBER
            if is_dense:
                dense[dense_rows, action] = mean
            elif _is_kept(mean, least):
                cells[place], cells[place + 1] = action, _half(mean)
                place += PACKED
        if is_dense:
            _put_pair(cells, place, np.uint32(dense_rows))
            dense_rows += 1
            place += 2
        buckets[bucket] = place


@inner_kernel
def _half(number: np.float32) -> np.uint32:
    """Return the upper half of a number, rounded."""
    return (np.float32(number).view(np.uint32) + np.uint32(2**15)) >> _QUARTER


@inner_kernel
def _packed_size(learned: Learned, slot: int, time: float, least: float) -> int:
    """Return the number of averages of a feature to keep."""
    size, strength = 0, np.float32(0)
    if learned.slots[slot] != arrays.EMPTY:
        start, end = _row(learned, slot)
        for entry in range(start, end):
            mean = _mean(learned, entry, time)
            strength = max(strength, abs(mean))
            size += _is_kept(mean, least)
    return size if strength >= least else 0


@inner_kernel
def _strength(learned: Learned, slot: int, time: float) -> np.float32:
    """Return the strongest average of a feature; 0 for an empty slot."""
    strength = np.float32(0)
    if learned.slots[slot] != arrays.EMPTY:
        start, end = _row(learned, slot)
        for entry in range(start, end):
            strength = max(strength, abs(_mean(learned, entry, time)))
    return strength


@inner_kernel
def _is_kept(mean: np.float32, least: float) -> bool:
    return bool(mean != 0 and np.float32(2) * abs(mean) >= least)


@inner_kernel
def _row(learned: Learned, slot: int) -> tuple[int, int]:
    """Return where the row of a feature starts and ends."""
    start = wide(learned.slots[slot] & arrays.LOWER)
    if learned.actions[start] == arrays.DENSE:
        return start, start + wide(learned.counters[arrays.ACTIONS])
    return start, start + sparse_size(learned, start)


@inner_kernel
def _is_dense(learned: Learned, size: int) -> bool:
    return size * _DENSE >= wide(learned.counters[arrays.ACTIONS]) or size > MOST_ENTRIES


@inner_kernel
def _mean(learned: Learned, entry: int, time: float) -> np.float32:
    """Return the average of a weight over all sentences seen (w - u / c)."""
    return np.float32(learned.values[entry] - np.float64(learned.totals[entry]) / time)


@kernel
def count_averages(averages: Averages, counters: Int64) -> None:
    """Count the features, and the entries of features that are not dense."""
    counters[arrays.FEATURES] = counters[arrays.ENTRIES] = place = 0
    while place < wide(averages.buckets[-1]):
        size = row_size(averages.cells, place)
        counters[arrays.FEATURES] += 1
        place += PACKED
        if size == arrays.DENSE:
            place += 2
        else:
            counters[arrays.ENTRIES] += size
            place += PACKED * size


@kernel
def averages_fit(averages: Averages, actions: int) -> bool:
    """Return whether the features fill their buckets, with known actions and finite weights."""
    buckets, cells, dense = averages.buckets, averages.cells, averages.dense
    if len(buckets) < 2 or buckets[0] != 0 or wide(buckets[-1]) != len(cells) - 1:
        return False
    if cells[-1] != 1:
        return False
    for bucket in range(len(buckets) - 1):
        place, end = wide(buckets[bucket]), wide(buckets[bucket + 1])
        if end >= len(cells):
            return False
        while place < end:
            if end - place < PACKED + 2:
                return False
            size = row_size(cells, place)
            place += PACKED
            if size == arrays.DENSE:
                if cells[place] + 2**16 * wide(cells[place + 1]) >= len(dense):
                    return False
                place += 2
            elif not _entries_fit(averages, place, end, size, actions):
                return False
            else:
                place += PACKED * size
        if place != end:
            return False
    for row in range(len(dense)):
        for action in range(actions):
            if not np.isfinite(dense[row, action]):
                return False
    return True


@inner_kernel
def _entries_fit(averages: Averages, start: int, end: int, size: int, actions: int) -> bool:
    if start + PACKED * size > end:
        return False
    for number in range(size):
        place = start + PACKED * number
        exponent = averages.cells[place + 1] & 0x7F80
        if averages.cells[place] >= actions or exponent == 0x7F80:
            return False
    return True


@inner_kernel
def sum_scores(
    weights: Weights, keys: Keys, features: int, rows: Places, scores: Scores
) -> np.uint64:
    """Add up the weights of all actions for some features.

    The kernel touches all memory before it reads any, so that the waits overlap.

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
        A meaningless number: if it is not stored, the compiler removes the touching.
    """
    learned, averages = weights.learned, weights.averages
    scores[:] = 0
    if len(averages.buckets) > 0:
        touched = touch_buckets(averages, keys, features)
        known = find_averages(averages, keys, features, rows)
        for number in range(known):
            add_average(averages.cells, averages.dense, rows[number], scores)
    else:
        touched = touch_slots(learned, keys, features)
        known = find_rows(learned, keys, features, rows)
        for number in range(known):
            touched ^= np.uint64(learned.actions[rows[number]])
        for number in range(known):
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
