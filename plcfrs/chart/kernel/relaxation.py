"""Inside and outside Viterbi costs of the component-split CFG, sparse: a list of symbols a cell.

A cell is a span, numbered by `cell_number`; its entries are sorted by symbol.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from plcfrs.chart.kernel.arrays import Costs, Int32, Int64, RelaxationArrays
from plcfrs.chart.kernel.jit import kernel

Array = TypeVar("Array", Int32, Costs)

_FIRST_SIZE = 4096


@kernel
def inside_costs(
    relaxation: RelaxationArrays, length: int, positions: Int32, symbols: Int32, costs: Costs
) -> tuple[Int64, Int32, Costs]:
    """Return the cost of the best derivation of every symbol over every span.

    Parameters
    ----------
    relaxation : RelaxationArrays
    length : int
        Tokens of the sentence.
    positions, symbols, costs : arrays (scanned tags,)

    Returns
    -------
    cell_start : int64 array (cells + 1,)
        Cells in the order of computation have their entries from here; see `cell_number`.
    entry_symbol : int32 array (entries,)
    entry_cost : float64 array (entries,)
    """
    number_of_symbols = relaxation.left_start.shape[0] - 1
    cell_start = np.zeros(length * (length + 1) // 2 + 1, np.int64)
    entry_symbol = np.empty(_FIRST_SIZE, np.int32)
    entry_cost = np.empty(_FIRST_SIZE, np.float64)
    # rows[k] is the cell from k to the present right end, by symbol.
    rows = np.full((length, number_of_symbols), np.inf)
    found = np.empty(number_of_symbols, np.int32)
    for right in range(1, length + 1):
        for left in range(right - 1, -1, -1):
            row = rows[left]
            count = 0
            if left == right - 1:
                count = _scan(row, found, left, positions, symbols, costs)
            for middle in range(left + 1, right):
                cell = cell_number(left, middle)
                for entry in range(cell_start[cell], cell_start[cell + 1]):
                    cost = entry_cost[entry]
                    symbol = entry_symbol[entry]
                    first = relaxation.left_start[symbol]
                    for rule in range(first, relaxation.left_start[symbol + 1]):
                        right_cost = rows[middle, relaxation.rule_right[rule]]
                        if right_cost < np.inf:
                            total = cost + right_cost + relaxation.rule_cost[rule]
                            mother = relaxation.rule_mother[rule]
                            if total < row[mother]:
                                if row[mother] == np.inf:
                                    found[count] = mother
                                    count += 1
                                row[mother] = total
            count = _close_upwards(relaxation, row, found, count)
            cell = cell_number(left, right)
            used = cell_start[cell]
            if used + count > entry_symbol.shape[0]:
                entry_symbol = _enlarged(entry_symbol, used + count)
                entry_cost = _enlarged(entry_cost, used + count)
            found[:count].sort()
            for place in range(count):
                entry_symbol[used + place] = found[place]
                entry_cost[used + place] = row[found[place]]
            cell_start[cell + 1] = used + count
        for left in range(right):
            cell = cell_number(left, right)
            for entry in range(cell_start[cell], cell_start[cell + 1]):
                rows[left, entry_symbol[entry]] = np.inf
    return cell_start, entry_symbol, entry_cost


@kernel
def outside_costs(
    relaxation: RelaxationArrays,
    length: int,
    cell_start: Int64,
    entry_symbol: Int32,
    entry_cost: Costs,
) -> Costs:
    """Return for every entry the cost of the best complete derivation with a hole in its place.

    All are infinite if there is no complete derivation. The arrays are those of `inside_costs`.
    """
    number_of_symbols = relaxation.left_start.shape[0] - 1
    outside = np.full(entry_symbol.shape[0], np.inf)
    goal = find_entry(cell_start, entry_symbol, cell_number(0, length), relaxation.start)
    if goal < 0:
        return outside
    outside[goal] = 0.0
    # entries[k] finds the entries of the cell from k to the present right end, by symbol.
    entries = np.full((length, number_of_symbols), -1, np.int32)
    mothers = np.full(number_of_symbols, np.inf)
    for right in range(length, 0, -1):
        for left in range(right):
            cell = cell_number(left, right)
            for entry in range(cell_start[cell], cell_start[cell + 1]):
                entries[left, entry_symbol[entry]] = entry
        for left in range(right):
            cell = cell_number(left, right)
            first, last = cell_start[cell], cell_start[cell + 1]
            _close_downwards(relaxation, entry_symbol, outside, entries[left], first, last)
            is_reached = False
            for entry in range(first, last):
                mothers[entry_symbol[entry]] = outside[entry]
                is_reached = is_reached or outside[entry] < np.inf
            if is_reached:
                for middle in range(left + 1, right):
                    part = cell_number(left, middle)
                    for entry in range(cell_start[part], cell_start[part + 1]):
                        _expand(
                            relaxation,
                            entry,
                            entry_symbol,
                            entry_cost,
                            outside,
                            mothers,
                            entries[middle],
                        )
            for entry in range(first, last):
                mothers[entry_symbol[entry]] = np.inf
        for left in range(right):
            cell = cell_number(left, right)
            for entry in range(cell_start[cell], cell_start[cell + 1]):
                entries[left, entry_symbol[entry]] = -1
    return outside


@kernel
def cell_number(left: int, right: int) -> int:
    """Return the number of a cell: right end by right end, the shortest first."""
    return right * (right - 1) // 2 + (right - 1 - left)


@kernel
def find_entry(cell_start: Int64, entry_symbol: Int32, cell: int, symbol: int) -> int:
    """Return the entry of a symbol in a cell, or -1, by binary search."""
    low, high = int(cell_start[cell]), int(cell_start[cell + 1])
    while low < high:
        middle = (low + high) >> 1
        if entry_symbol[middle] < symbol:
            low = middle + 1
        else:
            high = middle
    if low < cell_start[cell + 1] and entry_symbol[low] == symbol:
        return low
    return -1


@kernel
def _scan(
    row: Costs, found: Int32, position: int, positions: Int32, symbols: Int32, costs: Costs
) -> int:
    count = 0
    for number in range(positions.shape[0]):
        if positions[number] == position:
            symbol = symbols[number]
            if row[symbol] == np.inf:
                found[count] = symbol
                count += 1
            row[symbol] = min(row[symbol], costs[number])
    return count


@kernel
def _close_upwards(relaxation: RelaxationArrays, row: Costs, found: Int32, count: int) -> int:
    """Apply unary rules to a cell until nothing gets better; return the number of symbols."""
    changed = True
    while changed:
        changed = False
        place = 0
        while place < count:
            symbol = found[place]
            for rule in range(relaxation.up_start[symbol], relaxation.up_start[symbol + 1]):
                mother = relaxation.up_mother[rule]
                total = row[symbol] + relaxation.up_cost[rule]
                if total < row[mother]:
                    if row[mother] == np.inf:
                        found[count] = mother
                        count += 1
                    row[mother] = total
                    changed = True
            place += 1
    return count


@kernel
def _close_downwards(
    relaxation: RelaxationArrays,
    entry_symbol: Int32,
    outside: Costs,
    entries: Int32,
    first: int,
    last: int,
) -> None:
    """Apply unary rules to the outside costs of a cell until nothing gets better."""
    changed = True
    while changed:
        changed = False
        for entry in range(first, last):
            if outside[entry] < np.inf:
                symbol = entry_symbol[entry]
                start = relaxation.down_start[symbol]
                for rule in range(start, relaxation.down_start[symbol + 1]):
                    child = entries[relaxation.down_child[rule]]
                    total = outside[entry] + relaxation.down_cost[rule]
                    if child >= 0 and total < outside[child]:
                        outside[child] = total
                        changed = True


@kernel
def _expand(
    relaxation: RelaxationArrays,
    entry: int,
    entry_symbol: Int32,
    entry_cost: Costs,
    outside: Costs,
    mothers: Costs,
    entries: Int32,
) -> None:
    """Hand the outside costs of mothers on to a left child and the right children it has."""
    symbol = entry_symbol[entry]
    for rule in range(relaxation.left_start[symbol], relaxation.left_start[symbol + 1]):
        above = mothers[relaxation.rule_mother[rule]]
        if above < np.inf:
            right = entries[relaxation.rule_right[rule]]
            if right >= 0:
                above += relaxation.rule_cost[rule]
                outside[entry] = min(outside[entry], above + entry_cost[right])
                outside[right] = min(outside[right], above + entry_cost[entry])


@kernel
def _enlarged(array: Array, least: int) -> Array:
    enlarged = np.empty(max(least, 2 * array.shape[0]), array.dtype)
    for place in range(array.shape[0]):
        enlarged[place] = array[place]
    return enlarged
