"""Outside Viterbi costs of the component-split CFG, up to a ceiling."""

from __future__ import annotations

import numpy as np

from plcfrs.chart.kernel import arrays
from plcfrs.chart.kernel.arrays import Int64, Records, RelaxationArrays, Table
from plcfrs.chart.kernel.bits import ONE, ZERO, count, lowest
from plcfrs.chart.kernel.inside import cell_number
from plcfrs.jit import inner_kernel, kernel

_LOW = np.int64(63)


@kernel
def fill_outside(relaxation: RelaxationArrays, table: Table, ceiling: float, patience: int) -> int:
    """Compute the cost of the best complete derivation with a hole at each entry.

    Costs are exact in derivations up to the ceiling, else too high or infinite. Before, the outside
    cost is 0 for the goal and infinite elsewhere, RIGHT is the length and LEFT is 0. Return FOUND;
    or, to be called again, PAUSED after `patience` cells.
    """
    counters = table.counters
    for _ in range(patience):
        right, left = counters[arrays.RIGHT], counters[arrays.LEFT]
        if right == 0:
            return arrays.FOUND
        if left == 0:
            enter_column(table, right)
        cell = cell_number(left, right)
        first, last = table.cell_start[cell], table.cell_start[cell + 1]
        is_reached = False
        for entry in range(first, last):
            is_reached |= table.entries[entry]["cost"] + table.entries[entry]["outside"] <= ceiling
        if is_reached:
            _close_downwards(relaxation, table, left, first, last, ceiling)
            _hand_down(relaxation, table, left, right, first, last, ceiling)
        _note_reachable(table, cell, first, last, ceiling)
        counters[arrays.LEFT] += 1
        if left == right - 1:
            leave_column(table, right)
            counters[arrays.RIGHT] = right - 1
            counters[arrays.LEFT] = 0
    return arrays.PAUSED


@kernel
def find_entry(cell_start: Int64, entries: Records, cell: int, symbol: int) -> int:
    """Return the entry of a symbol in a cell, or -1, by binary search."""
    low, high = int(cell_start[cell]), int(cell_start[cell + 1])
    while low < high:
        middle = (low + high) >> 1
        if entries[middle]["symbol"] < symbol:
            low = middle + 1
        else:
            high = middle
    if low < cell_start[cell + 1] and entries[low]["symbol"] == symbol:
        return low
    return -1


@inner_kernel
def enter_column(table: Table, right: int) -> None:
    """Record the symbols that end at a position as possible right children."""
    for left in range(right):
        cell = cell_number(left, right)
        for entry in range(table.cell_start[cell], table.cell_start[cell + 1]):
            enter_right(table, left, entry)


@inner_kernel
def enter_right(table: Table, left: int, entry: int) -> None:
    """Record an entry from a position to the current right end as a possible right child."""
    symbol = table.entries[entry]["symbol"]
    table.right_costs[symbol * table.length + left] = table.entries[entry]["cost"]
    table.right_entries[symbol * table.length + left] = entry
    table.ended[symbol >> 6] |= ONE << np.uint64(symbol & _LOW)


@inner_kernel
def leave_column(table: Table, right: int) -> None:
    """Forget the symbols that end at a position."""
    for left in range(right):
        cell = cell_number(left, right)
        for entry in range(table.cell_start[cell], table.cell_start[cell + 1]):
            symbol = table.entries[entry]["symbol"]
            table.ended[symbol >> 6] = ZERO
            table.right_costs[symbol * table.length + left] = np.inf


@inner_kernel
def entry_in_column(table: Table, symbol: int, left: int) -> int:
    """Return the entry of a symbol from a position to the current right end, or -1."""
    place = symbol * table.length + left
    return int(table.right_entries[place]) if table.right_costs[place] < np.inf else -1


@inner_kernel
def _note_reachable(table: Table, cell: int, first: int, last: int, ceiling: float) -> None:
    """Record the symbols of a cell that are in a complete derivation up to the ceiling."""
    for word in range(table.reachable.shape[1]):
        table.reachable[cell, word] = ZERO
    for entry in range(first, last):
        total = table.entries[entry]["cost"] + table.entries[entry]["outside"]
        if total <= ceiling:
            symbol = table.entries[entry]["symbol"]
            table.reachable[cell, symbol >> 6] |= ONE << np.uint64(symbol & _LOW)


@inner_kernel
def _close_downwards(
    relaxation: RelaxationArrays, table: Table, left: int, first: int, last: int, ceiling: float
) -> None:
    """Apply unary rules to the outside costs of a cell until nothing gets better."""
    entries = table.entries
    changed = True
    while changed:
        changed = False
        for entry in range(first, last):
            above = entries[entry]["outside"]
            if entries[entry]["cost"] + above > ceiling:
                continue
            symbol = entries[entry]["symbol"]
            for place in range(relaxation.over_start[symbol], relaxation.over_start[symbol + 1]):
                unary = relaxation.over[place]
                child = entry_in_column(table, relaxation.unary[unary]["child"], left)
                if child >= 0:
                    total = above + relaxation.cost[relaxation.unary[unary]["rule"]]
                    if total < entries[child]["outside"]:
                        entries[child]["outside"] = total
                        changed = True


@inner_kernel
def _hand_down(
    relaxation: RelaxationArrays,
    table: Table,
    left: int,
    right: int,
    first: int,
    last: int,
    ceiling: float,
) -> None:
    """Pass the outside costs of mothers down to all their left and right children."""
    entries = table.entries
    for entry in range(first, last):
        if entries[entry]["cost"] + entries[entry]["outside"] > ceiling:
            continue
        symbol = table.entries[entry]["symbol"]
        for group in range(relaxation.down_start[symbol], relaxation.down_start[symbol + 1]):
            word = relaxation.down_groups[group]["word"]
            mask = relaxation.down_groups[group]["mask"]
            partners = table.ended[word] & mask
            child = relaxation.down_groups[group]["left"]
            block = table.left_block[left, child] - left
            if table.left_block[left, child] < 0:
                continue
            while partners != ZERO:
                place = lowest(partners)
                bit = ONE << np.uint64(place)
                beside = (64 * word + place) * table.length
                rule = relaxation.down_groups[group]["first"] + count(mask & (bit - ONE))
                above = entries[entry]["outside"] + relaxation.cost[rule]
                for middle in range(left + 1, right):
                    cost = table.left_costs[block + middle]
                    other_cost = table.right_costs[beside + middle]
                    if above + cost + other_cost <= ceiling:
                        one = table.left_entries[block + middle]
                        other = table.right_entries[beside + middle]
                        entries[one]["outside"] = min(entries[one]["outside"], above + other_cost)
                        entries[other]["outside"] = min(entries[other]["outside"], above + cost)
                partners ^= bit
