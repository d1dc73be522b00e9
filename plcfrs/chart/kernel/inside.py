"""Inside Viterbi costs of the component-split CFG: a sorted list of symbols for each span.

For each span, a left child that starts where the span starts is combined at once with a right
child that ends where the span ends: the costs of both lie in the order of the positions between
them. A symbol over a span is kept only if it has a place in a complete derivation between a symbol
that ends where the span starts and a tag that begins where the span ends.

Costs are whole numbers of a small unit, rounded down, so that one instruction adds eight, and
the results are lower bounds.
"""

from __future__ import annotations

import numpy as np

from plcfrs.chart.kernel import arrays
from plcfrs.chart.kernel.arrays import Int32, RelaxationArrays, RelaxationTable
from plcfrs.chart.kernel.bits import ONE, WORD, ZERO, has, lowest, reach
from plcfrs.jit import inner_kernel, kernel

_LOW = np.int64(63)

# In units: the cost of a missing symbol, and the highest cost of others, to which higher ones are
# lowered. A sum of three costs with a missing one is at least `LEAST_MISSING`, and no sum is too
# large for 32 bits.
MISSING = np.int32(3 << 28)
LEAST_MISSING = np.int32(1 << 29)
HIGHEST = np.int32(1 << 27)

# Positions that are compared at once; each block has this many more after its own.
TOGETHER = 32


@kernel
def fill_inside(relaxation: RelaxationArrays, table: RelaxationTable, most_cells: int) -> int:
    """Compute the cost of the best derivation of every symbol over every span.

    Return FOUND; or, to be called again, PAUSED after `most_cells`, ENTRIES_FULL, or
    GROUPS_FULL without room for the costs of children.
    """
    counters = table.counters
    for _ in range(most_cells):
        right, left = counters[arrays.RIGHT], counters[arrays.LEFT]
        if right > table.length:
            return arrays.FOUND
        used = table.cell_start[cell_number(left, right)]
        if used + table.row.shape[0] > table.symbols.shape[0]:
            return arrays.ENTRIES_FULL
        # Each child may get its own block here.
        children = table.left_block.shape[1] + table.right_block.shape[1]
        most = (children + 1) * (table.length + 1 + TOGETHER)
        if counters[arrays.BLOCKS] + most > table.units.shape[0]:
            return arrays.GROUPS_FULL
        if table.allowed_in[cell_number(left, right)] < 0:
            table.cell_start[cell_number(left, right) + 1] = used
        else:
            if left == right - 1:
                _scan(table, left)
            _combine(relaxation, table, left, right)
            _close_upwards(relaxation, table)
            _list_entries(relaxation, table, left, right)
        counters[arrays.LEFT] -= 1
        if left == 0:
            _find_starting(relaxation, table, right)
            counters[arrays.RIGHT] = right + 1
            counters[arrays.LEFT] = right
    return arrays.PAUSED


@kernel
def cell_number(left: int, right: int) -> int:
    """Return the number of a cell; cells are ordered by right end, then by length."""
    return right * (right - 1) // 2 + (right - 1 - left)


@inner_kernel
def _scan(table: RelaxationTable, position: int) -> None:
    for number in range(table.scan_start[position], table.scan_start[position + 1]):
        symbol = table.scan_symbol[number]
        table.row[symbol] = min(table.row[symbol], table.scan_units[number])


@inner_kernel
def _combine(relaxation: RelaxationArrays, table: RelaxationTable, left: int, right: int) -> None:
    """Apply all binary rules to symbols that start at a position and end at the right end.

    Little here depends on a condition: a branch that is mispredicted costs more than some sums.
    """
    row, pairs, begun = table.row, table.pairs, table.begun[left]
    lefts, rights = table.left_block[left], table.right_block[right]
    count = 0
    for number in range(table.begun_count[left]):
        pair = begun[number]
        pairs[count] = pair
        count += int(rights[relaxation.right_child[pair]] >= 0)
    for number in range(count):
        pair = pairs[number]
        block, beside = lefts[relaxation.left_child[pair]], rights[relaxation.right_child[pair]]
        units = least_sum(table, block - left, beside, left + 1, right)
        for rule in range(relaxation.pair_start[pair], relaxation.pair_start[pair + 1]):
            mother = relaxation.binary[rule]["mother"]
            row[mother] = min(row[mother], np.int32(units + table.binary_units[rule]))


@inner_kernel
def least_sum(table: RelaxationTable, block: int, beside: int, first: int, last: int) -> np.int32:
    """Return the least cost of a left and a right child that meet within some positions."""
    least = MISSING
    for place in range((last - first + TOGETHER - 1) // TOGETHER * TOGETHER):
        # Signed numbers may count from the end: then a compiled loop takes one after the other.
        left, right = np.uint64(block + first + place), np.uint64(beside + first + place)
        least = min(least, np.int32(table.units[left] + table.units[right]))
    return least


@inner_kernel
def _close_upwards(relaxation: RelaxationArrays, table: RelaxationTable) -> None:
    """Apply unary rules to the symbols of a cell, those of a cycle until nothing changes.

    Nothing depends on whether a symbol is there: see `_combine`.
    """
    row, unary, start = table.row, relaxation.unary, relaxation.unary_start
    for group in range(start.shape[0] - 1):
        changed = True
        while changed:
            changed = False
            for rule in range(start[group], start[group + 1]):
                units = row[np.uint32(unary[rule]["child"])]
                units = min(units, HIGHEST) if units < LEAST_MISSING else MISSING
                mother = unary[rule]["mother"]
                total = np.int32(units + table.unary_units[rule])
                changed |= relaxation.is_back[rule] & (total < row[mother])
                row[mother] = min(row[mother], total)


@inner_kernel
def _list_entries(
    relaxation: RelaxationArrays, table: RelaxationTable, left: int, right: int
) -> None:
    """Write the symbols of a cell and their costs to the entries, and clear the row."""
    cell = cell_number(left, right)
    last = table.cell_start[cell]
    for word in range(table.ended.shape[1]):
        table.first_entry[cell, word] = last
        present = table.starting[left, word] & table.ending[right, word]
        present &= table.allowed[table.allowed_in[cell], word]
        if present != ZERO:
            present &= _present(table.row, 64 * word)
        table.present[cell, word] = present
        table.ended[right, word] |= present
        while present != ZERO:
            symbol = 64 * word + lowest(present)
            present &= present - ONE
            units = min(table.row[symbol], HIGHEST)
            if table.at_least.shape[0] > 0 and table.is_whole[symbol]:
                units = max(units, table.at_least[last])
            table.symbols[last] = symbol
            table.inside[last] = units
            last += 1
            number = relaxation.right_number[symbol]
            if number >= 0:
                _enter(table, table.right_block[right], number, right + TOGETHER, left, units)
            if symbol < table.left_block.shape[1]:
                if table.left_block[left, symbol] < 0:
                    _begin_pairs(relaxation, table, left, symbol)
                size = table.length - left + 1
                _enter(table, table.left_block[left], symbol, size, right - left, units)
    table.cell_start[cell + 1] = last
    for symbol in range(table.row.shape[0]):
        table.row[symbol] = MISSING


@inner_kernel
def _present(row: Int32, first: int) -> np.uint64:
    """Return which of 64 symbols are there, as bits."""
    present = ZERO
    for place in range(WORD):
        is_there = row[np.uint64(first + place)] < LEAST_MISSING
        present |= np.uint64(is_there) << np.uint64(place)
    return present


@inner_kernel
def _begin_pairs(
    relaxation: RelaxationArrays, table: RelaxationTable, left: int, symbol: int
) -> None:
    """Record that the left child of pairs starts at a position where a mother may start."""
    begun, count = table.begun[left], table.begun_count[left]
    for pair in range(relaxation.left_start[symbol], relaxation.left_start[symbol + 1]):
        begun[count] = pair
        for rule in range(relaxation.pair_start[pair], relaxation.pair_start[pair + 1]):
            if has(table.starting[left], relaxation.binary[rule]["mother"]):
                count += 1
                break
    table.begun_count[left] = count


@inner_kernel
def _enter(
    table: RelaxationTable, blocks: Int32, child: int, size: int, place: int, units: np.int32
) -> None:
    """Record the cost of a child at a place of its block, which is made if there is none."""
    if blocks[child] < 0:
        start = table.counters[arrays.BLOCKS]
        blocks[child] = start
        table.counters[arrays.BLOCKS] += size
        for position in range(start, start + size + TOGETHER):  # what comes after it may be read
            table.units[position] = MISSING
    table.units[blocks[child] + place] = units


@inner_kernel
def _find_starting(relaxation: RelaxationArrays, table: RelaxationTable, right: int) -> None:
    """Find the symbols that may start at a position, by those that end there."""
    starting, ended = table.starting[right], table.ended[right]
    for left in range(table.left_block.shape[1]):
        if has(ended, left):
            for pair in range(relaxation.left_start[left], relaxation.left_start[left + 1]):
                symbol = relaxation.right_symbol[relaxation.right_child[pair]]
                starting[symbol >> 6] |= ONE << np.uint64(symbol & _LOW)
    reach(relaxation.first_start, relaxation.first_child, relaxation.hub, starting, table.stack)
