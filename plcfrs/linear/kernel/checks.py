"""Checks of weights from files, so that no kernel can leave their arrays."""

from __future__ import annotations

import numpy as np

from plcfrs.jit import inner_kernel, kernel, wide
from plcfrs.linear.kernel import arrays
from plcfrs.linear.kernel.arrays import Averages, Learned


@kernel
def learned_fit(learned: Learned) -> bool:
    """Return whether all rows are within the entries, with known actions and finite weights."""
    features = 0
    for slot in range(len(learned.slots)):
        if learned.slots[slot] != arrays.EMPTY:
            features += 1
            if not _row_fits(learned, wide(learned.slots[slot] & arrays.LOWER)):
                return False
    for entry in range(len(learned.values)):
        if not (np.isfinite(learned.values[entry]) and np.isfinite(learned.totals[entry])):
            return False
    return features == wide(learned.counters[arrays.FEATURES]) < len(learned.slots)


@inner_kernel
def _row_fits(learned: Learned, start: int) -> bool:
    """Return whether a row has known actions, and room for a power of 2."""
    end, actions = wide(learned.counters[arrays.ENTRIES]), wide(learned.counters[arrays.ACTIONS])
    if start >= end:
        return False
    if learned.actions[start] == arrays.DENSE:
        return start + actions <= end
    room = 1
    for size in range(1, min(actions, end - start) + 1):
        action = learned.actions[start + size - 1]
        if action & arrays.NUMBER >= actions:
            return False
        while room < size:
            room *= 2
        if action >= arrays.LAST:
            return start + room <= end
    return False


@kernel
def averages_fit(averages: Averages, actions: int) -> bool:
    """Return whether the features fill their buckets, with known actions and finite weights."""
    buckets, cells, dense = averages.buckets, averages.cells, averages.dense
    if len(buckets) < 2 or buckets[0] != 0 or wide(buckets[-1]) != len(cells) - 1:
        return False
    for bucket in range(len(buckets) - 1):
        place, end = wide(buckets[bucket]), wide(buckets[bucket + 1])
        if end >= len(cells):
            return False
        while place < end:
            if end - place < arrays.HEAD + 2:
                return False
            size = cells[place + arrays.HEAD - 1]
            place += arrays.HEAD
            if size == arrays.DENSE:
                if cells[place] + 2**16 * wide(cells[place + 1]) >= len(dense):
                    return False
                place += 2
            elif not _entries_fit(averages, place, end, size, actions):
                return False
            else:
                place += arrays.ENTRY * size
        if place != end:
            return False
    for row in range(len(dense)):
        for action in range(actions):
            if not np.isfinite(dense[row, action]):
                return False
    return True


@inner_kernel
def _entries_fit(averages: Averages, start: int, end: int, size: int, actions: int) -> bool:
    if start + arrays.ENTRY * size > end:
        return False
    for number in range(size):
        place = start + arrays.ENTRY * number
        exponent = averages.cells[place + 2] & 0x7F80
        if averages.cells[place] >= actions or exponent == 0x7F80:
            return False
    return True
