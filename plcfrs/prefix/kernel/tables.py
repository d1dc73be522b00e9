"""The hash tables of a chart: ranges, sums by ranges and node, and the ranges of mothers."""

from __future__ import annotations

import numpy as np

from plcfrs.jit import inner_kernel, kernel, wide
from plcfrs.prefix.kernel import arrays
from plcfrs.prefix.kernel.arrays import Floats, Int32, Int64, PrefixTable, Records

_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_FOLD = np.uint64(32)


@inner_kernel
def mixed(key: np.uint64, number: int) -> np.uint64:
    """Return a hash with one more number in it."""
    key = (key ^ np.uint64(number)) * _SPREAD
    return key ^ (key >> _FOLD)


@inner_kernel
def slot_of(table: Records, key: int) -> int:
    """Return the slot of a key, or the empty slot where it belongs."""
    mask: int = table.shape[0] - 1
    slot = int(np.int64(mixed(np.uint64(key), wide(0)) & np.uint64(mask)))
    while table[slot]["value"] >= 0 and table[slot]["key"] != key:
        slot = (slot + 1) & mask
    return slot


@inner_kernel
def forward_key(nodes: int, ranges: int, start: int, node: int) -> int:
    """Return the key of a node whose next component begins at a place, after some ranges."""
    return (ranges * arrays.MOST_TOKENS + start) * nodes + node


@inner_kernel
def forward_slot(forward_table: Records, key: int) -> int:
    """Return the slot of a key, or the empty slot where it belongs."""
    mask: int = forward_table.shape[0] - 1
    slot = int(np.int64(mixed(np.uint64(key), wide(0)) & np.uint64(mask)))
    while forward_table[slot]["weight"] >= 0.0 and forward_table[slot]["key"] != key:
        slot = (slot + 1) & mask
    return slot


@inner_kernel
def forward(begun: Floats, forward_table: Records, ranges: int, start: int, node: int) -> float:
    """Return the forward sum of a node whose next component begins at a place, after some ranges.

    It is 0 if the node is not predicted.
    """
    if ranges == 0:
        return float(begun[start, node])
    key = forward_key(wide(begun.shape[1]), ranges, start, node)
    return max(0.0, float(forward_table[forward_slot(forward_table, key)]["weight"]))


@inner_kernel
def range_slot(range_table: Int32, ranges: Records, bounds: Int32, row: int, count: int) -> int:
    """Return the slot of the first components in a row of bounds, or where they belong."""
    mask: int = range_table.shape[0] - 1
    code = np.uint64(count)
    for place in range(2 * count):
        code = mixed(code, wide(bounds[row, place]))
    slot = int(np.int64(code & np.uint64(mask)))
    while range_table[slot] >= 0:
        other = range_table[slot]
        if ranges[other]["count"] == count:
            place = 0
            while place < 2 * count and bounds[other, place] == bounds[row, place]:
                place += 1
            if place == 2 * count:
                break
        slot = (slot + 1) & mask
    return slot


@inner_kernel
def find_ranges(range_table: Int32, ranges: Records, bounds: Int32, row: int, count: int) -> int:
    """Return the ranges that are the first components in a row, -1 for none."""
    if count == 0:
        return 0
    return wide(range_table[range_slot(range_table, ranges, bounds, row, count)])


@inner_kernel
def enter_ranges(table: PrefixTable, count: int, prefix: int) -> int:
    """Return the ranges in the row after the last, entered if they are new. There must be room."""
    row = wide(table.counters[arrays.RANGES])
    slot = range_slot(table.range_table, table.ranges, table.bounds, row, count)
    if table.range_table[slot] >= 0:
        return wide(table.range_table[slot])
    table.range_table[slot] = row
    size = 0
    for component in range(count):
        size += table.bounds[row, 2 * component + 1] - table.bounds[row, 2 * component]
    table.ranges[row]["count"] = count
    table.ranges[row]["size"] = size
    table.ranges[row]["prefix"] = prefix
    table.ranges[row]["inside_start"] = 0
    table.ranges[row]["inside_end"] = 0
    for kind in range(2):
        table.ranges[row]["first"][kind] = -1
    table.counters[arrays.RANGES] += 1
    return row


@inner_kernel
def add(nodes: int, table: PrefixTable, kind: int, ranges: int, node: int, weight: float) -> None:
    """Add to what is pending for a node. There must be room."""
    key = pending_key(nodes, ranges, kind, node)
    if not add_to_recent(table.recent, table.pending, key, weight):
        append(
            table.counters,
            table.recent,
            table.pending,
            table.pending_first,
            table.ranges,
            kind,
            ranges,
            node,
            key,
            weight,
        )


@inner_kernel
def pending_key(nodes: int, ranges: int, kind: int, node: int) -> int:
    """Return the key of what is pending for a node."""
    return (2 * ranges + kind) * nodes + node


@inner_kernel
def add_to_recent(recent: Records, pending: Records, key: int, weight: float) -> bool:
    """Add to an entry that was met lately; return whether there is one."""
    slot = recent_slot(recent, key)
    if recent[slot]["key"] != key:
        return False
    pending[recent[slot]["value"]]["weight"] += weight
    return True


@inner_kernel
def recent_slot(recent: Records, key: int) -> int:
    """Return the only slot where a key can be."""
    mask: int = recent.shape[0] - 1
    return int(np.int64(mixed(np.uint64(key), wide(0)) & np.uint64(mask)))


@inner_kernel
def append(
    counters: Int64,
    recent: Records,
    pending: Records,
    pending_first: Int32,
    rows: Records,
    kind: int,
    ranges: int,
    node: int,
    key: int,
    weight: float,
) -> None:
    """Make a pending entry. There must be room."""
    entry = wide(counters[arrays.PENDING])
    counters[arrays.PENDING] += 1
    slot = recent_slot(recent, key)
    recent[slot]["key"] = key
    recent[slot]["value"] = entry
    first = rows[ranges]["first"][kind]
    if first < 0:
        size = rows[ranges]["size"]
        rows[ranges]["next"][kind] = pending_first[kind, size]
        pending_first[kind, size] = ranges
    pending[entry]["weight"] = weight
    pending[entry]["node"] = node
    pending[entry]["next"] = first
    rows[ranges]["first"][kind] = entry


@kernel
def clear_pending(table: PrefixTable) -> None:
    """Remove all that is pending, and what was met lately."""
    table.counters[arrays.PENDING] = 0
    for slot in range(table.recent.shape[0]):
        table.recent[slot]["key"] = -1
    for slot in range(table.composed.shape[0]):
        table.composed[slot]["key"] = -1
    for lookup in range(table.sisters.shape[0]):
        table.sisters[lookup]["ranges"] = -1
    for kind in range(2):
        for size in range(table.pending_first.shape[1]):
            ranges = table.pending_first[kind, size]
            while ranges >= 0:
                table.ranges[ranges]["first"][kind] = -1
                ranges = table.ranges[ranges]["next"][kind]
            table.pending_first[kind, size] = -1


@kernel
def undo(table: PrefixTable, before: Int64) -> None:
    """Forget what was entered in this word, the last first, so that the others are still found.

    Forward sums stay: they will be entered again.
    """
    clear_pending(table)
    for entry in range(table.counters[arrays.INDEXED] - 1, before[arrays.INDEXED] - 1, -1):
        slot = table.indexed[entry]["slot"]
        table.index_table[slot]["value"] = table.indexed[entry]["next"]
    for edge in range(table.counters[arrays.EDGES] - 1, before[arrays.EDGES] - 1, -1):
        table.edge_table[table.edges[edge]["slot"]]["value"] = table.edges[edge]["next"]
    for ranges in range(table.counters[arrays.RANGES] - 1, before[arrays.RANGES] - 1, -1):
        count = wide(table.ranges[ranges]["count"])
        slot = range_slot(table.range_table, table.ranges, table.bounds, wide(ranges), count)
        table.range_table[slot] = -1
    for counter in (arrays.RANGES, arrays.INSIDE, arrays.INDEXED, arrays.EDGES):
        table.counters[counter] = before[counter]


@kernel
def fill_range_table(table: PrefixTable) -> None:
    """Enter all ranges into an empty hash table."""
    for ranges in range(table.counters[arrays.RANGES]):
        count = wide(table.ranges[ranges]["count"])
        slot = range_slot(table.range_table, table.ranges, table.bounds, wide(ranges), count)
        table.range_table[slot] = ranges


@kernel
def copy_forward(old: Records, table: PrefixTable) -> None:
    """Enter the sums of a hash table into a larger, empty one."""
    for slot in range(old.shape[0]):
        if old[slot]["weight"] >= 0.0:
            place = forward_slot(table.forward_table, wide(old[slot]["key"]))
            table.forward_table[place]["key"] = old[slot]["key"]
            table.forward_table[place]["weight"] = old[slot]["weight"]


@kernel
def copy_slots(old: Records, new: Records, entries: Records) -> None:
    """Enter the keys of a hash table into a larger, empty one; its entries get new slots."""
    for slot in range(old.shape[0]):
        if old[slot]["value"] >= 0:
            place = slot_of(new, wide(old[slot]["key"]))
            new[place]["key"] = old[slot]["key"]
            new[place]["value"] = old[slot]["value"]
            entry = wide(old[slot]["value"])
            while entry >= 0:
                entries[entry]["slot"] = place
                entry = wide(entries[entry]["next"])


_ONE = np.uint64(1)


@inner_kernel
def composition(
    shapes: Records,
    composed: Records,
    range_table: Int32,
    rows: Records,
    bounds: Int32,
    row: int,
    shape: int,
    ranges: int,
    others: int,
) -> int:
    """Return the slot of `composed` for the ranges of a child and its sister; overwrite the row."""
    key = shape * rows.shape[0] + others
    mask: int = composed.shape[0] - 1
    slot = int(np.int64(mixed(np.uint64(key), wide(0)) & np.uint64(mask)))
    if composed[slot]["key"] != key or composed[slot]["ranges"] != ranges:
        count = compose(shapes, bounds, row, shape, ranges, others)
        prefix = -1
        if count > 0:
            prefix = find_ranges(range_table, rows, bounds, row, count - 1)
        composed[slot]["key"] = key
        composed[slot]["ranges"] = ranges
        composed[slot]["prefix"] = prefix
        composed[slot]["start"] = bounds[row, max(0, 2 * count - 2)]
        composed[slot]["made"] = -1
    return slot


@inner_kernel
def compose(shapes: Records, bounds: Int32, row: int, shape: int, left: int, right: int) -> int:
    """Write the bounds of the mother into a row; return her components, 0 if they do not fit."""
    order = shapes[shape]["order"]
    begins = shapes[shape]["begins"]
    of_left = of_right = 0
    count = end = 0
    for place in range(shapes[shape]["length"]):
        shift = np.uint64(place)
        if (order >> shift) & _ONE:
            begin, stop = bounds[right, of_right], bounds[right, of_right + 1]
            of_right += 2
        else:
            begin, stop = bounds[left, of_left], bounds[left, of_left + 1]
            of_left += 2
        if (begins >> shift) & _ONE:
            if count > 0 and begin <= end:
                return 0
            bounds[row, 2 * count] = begin
            count += 1
        elif begin != end:
            return 0
        end = stop
        bounds[row, 2 * count - 1] = end
    return count
