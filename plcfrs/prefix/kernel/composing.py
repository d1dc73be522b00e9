"""The known components of mothers, from those of a child and its sister."""

from __future__ import annotations

import numpy as np

from plcfrs.jit import inner_kernel, wide
from plcfrs.prefix.kernel.arrays import Int32, Records
from plcfrs.prefix.kernel.tables import find_ranges, mixed

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
