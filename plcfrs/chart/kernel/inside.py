"""Inside Viterbi costs of the component-split CFG: a sorted list of symbols for each span.

For each span, a left child that starts where the span starts is combined at once with all right
children that end where the span ends: one operation on a word of bits tests 64 pairs. The costs of
both children lie in the order of the positions between them, infinite where there is no such child.
A symbol over a span is kept only if it has a place in a complete derivation between a symbol that
ends where the span starts and a tag that begins where the span ends.

Spans as bit vectors: a row of uint64 words for each item, bit ``i`` is token ``i``.
"""

from __future__ import annotations

from typing import Any

import numba
import numba.extending
import numpy as np
from numpy.typing import NDArray

from plcfrs.chart.kernel import arrays
from plcfrs.chart.kernel.arrays import Bits, Int32, RelaxationArrays, Table
from plcfrs.jit import inner_kernel, kernel

Numba = Any  # its types and builders
types: Numba = numba.types
intrinsic: Numba = numba.extending.intrinsic
overload: Numba = numba.extending.overload

WORD = 64
ZERO = np.uint64(0)
ONE = np.uint64(1)
LOW_BITS = np.uint64(WORD - 1)


# In compiled kernels, each of the next three functions is one instruction.
def lowest(word: np.uint64) -> int:
    """Return the place of the lowest set bit of a word that is not zero."""
    return (int(word) & -int(word)).bit_length() - 1


def count(word: np.uint64) -> int:
    """Return the number of set bits of a word."""
    return int(word).bit_count()


def lower(one: float, other: float) -> float:
    """Return the lower one of two costs; a compiled loop compares several at once."""
    return min(one, other)


@intrinsic
def _trailing_zeros(_: Numba, word: Numba) -> Numba:
    def code(context: Numba, builder: Numba, _: Numba, arguments: Numba) -> Numba:
        return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

    return types.int64(word), code


@intrinsic
def _population(_: Numba, word: Numba) -> Numba:
    def code(_: Numba, builder: Numba, __: Numba, arguments: Numba) -> Numba:
        return builder.ctpop(arguments[0])

    return types.int64(word), code


@intrinsic
def _minimum(_: Numba, one: Numba, __: Numba) -> Numba:
    def code(_: Numba, builder: Numba, __: Numba, arguments: Numba) -> Numba:
        flags = "nnan", "nsz"  # a minimum of several numbers at once knows no NaN and no -0
        is_lower = builder.fcmp_ordered("<", *arguments, flags=flags)
        return builder.select(is_lower, *arguments, flags=flags)

    return one(one, one), code


@overload(lowest)
def _lowest(word):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202, ARG001
    return lambda word: _trailing_zeros(word)


@overload(count)
def _count(word):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202, ARG001
    return lambda word: _population(word)


@overload(lower)
def _lower(one, other):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202, ARG001
    return lambda one, other: _minimum(one, other)


@kernel
def next_set(bits: NDArray[np.uint64], item: int, position: int) -> int:
    """Return the first token of an item at or after a position, or -1."""
    words: int = bits.shape[1]
    number = position >> 6
    if number >= words:
        return -1
    word = bits[item, number] >> (np.uint64(position) & LOW_BITS)
    if word != ZERO:
        return position + lowest(word)
    for later in range(number + 1, words):
        if bits[item, later] != ZERO:
            return later * WORD + lowest(bits[item, later])
    return -1


@kernel
def next_clear(bits: NDArray[np.uint64], item: int, position: int) -> int:
    """Return the first position at or after another one that is not in an item."""
    words: int = bits.shape[1]
    number = position >> 6
    if number >= words:
        return position
    word = ~bits[item, number] >> (np.uint64(position) & LOW_BITS)
    if word != ZERO:
        return position + lowest(word)
    for later in range(number + 1, words):
        if ~bits[item, later] != ZERO:
            return later * WORD + lowest(~bits[item, later])
    return words * WORD


@kernel
def interlocks(
    order: np.uint64,
    begins: np.uint64,
    length: int,
    bits: NDArray[np.uint64],
    left: int,
    right: int,
) -> bool:
    """Return whether two rows of `bits` are instances of the first and the second child of a rule.

    Bit ``i`` of `order` says whether the i-th variable of the yield function belongs to the second
    child, bit ``i`` of `begins` whether it begins a component.
    """
    if bits.shape[1] == 1:
        return _interlock(order, begins, length, bits[left, 0], bits[right, 0])
    left_at = right_at = 0
    end = -1
    for place in range(length):
        shift = np.uint64(place)
        if (order >> shift) & ONE:
            start = next_set(bits, right, right_at)
            right_at = next_clear(bits, right, start)
            new_end = right_at
        else:
            start = next_set(bits, left, left_at)
            left_at = next_clear(bits, left, start)
            new_end = left_at
        if (begins >> shift) & ONE:
            if start <= end:
                return False
        elif start != end:
            return False
        end = new_end
    return True


@inner_kernel
def _interlock(
    order: np.uint64, begins: np.uint64, length: int, left: np.uint64, right: np.uint64
) -> bool:
    """Return the same for bit vectors of one word."""
    end = ZERO  # the bit after the last run
    for place in range(length):
        shift = np.uint64(place)
        bits = right if (order >> shift) & ONE else left
        start = bits & (~bits + ONE)
        carried = bits + start  # the lowest run is cleared, the bit after it is set
        if place > 0:
            if end == ZERO:  # the last run reached the end of the word
                return False
            if (begins >> shift) & ONE:
                if start <= end:
                    return False
            elif start != end:
                return False
        end = carried & (~carried + ONE)
        if (order >> shift) & ONE:
            right &= carried
        else:
            left &= carried
    return True


_LOW = np.int64(63)


@kernel
def fill_inside(relaxation: RelaxationArrays, table: Table, patience: int) -> int:
    """Compute the cost of the best derivation of every symbol over every span.

    Return FOUND; or, to be called again, PAUSED after `patience` cells, ENTRIES_FULL, or
    GROUPS_FULL without room for left children.
    """
    counters = table.counters
    for _ in range(patience):
        right, left = counters[arrays.RIGHT], counters[arrays.LEFT]
        if right > table.length:
            return arrays.FOUND
        used = table.cell_start[cell_number(left, right)]
        if used + table.row.shape[0] > table.entries.shape[0]:
            return arrays.ENTRIES_FULL
        # Each left child may get its own block here.
        blocks = counters[arrays.BLOCKS] + (table.length + 1) * relaxation.left_children
        if blocks > table.left_costs.shape[0]:
            return arrays.GROUPS_FULL
        if left == right - 1:
            _scan(table, left)
        if not table.is_excluded[cell_number(left, right)]:
            _combine(relaxation, table, left, right)
            _close_upwards(relaxation, table, left, right)
        _list_entries(relaxation, table, left, right)
        counters[arrays.LEFT] -= 1
        if left == 0:
            _finish_column(relaxation, table, right)
            counters[arrays.RIGHT] = right + 1
            counters[arrays.LEFT] = right
    return arrays.PAUSED


@kernel
def clear_table(table: Table) -> None:
    """Restore the fills of the arrays that `fill_inside` changes."""
    for left in range(table.length):
        for number in range(table.started_count[left]):
            symbol = table.started[left, number]
            table.left_block[left, symbol] = -1


@kernel
def cell_number(left: int, right: int) -> int:
    """Return the number of a cell; cells are ordered by right end, then by length."""
    return right * (right - 1) // 2 + (right - 1 - left)


@inner_kernel
def _scan(table: Table, position: int) -> None:
    for number in range(table.scan_start[position], table.scan_start[position + 1]):
        symbol = table.scan_symbol[number]
        if table.scan_cost[number] < table.row[symbol]:
            table.row[symbol] = table.scan_cost[number]
            table.present[symbol >> 6] |= ONE << np.uint64(symbol & _LOW)


@inner_kernel
def _combine(relaxation: RelaxationArrays, table: Table, left: int, right: int) -> None:
    """Apply all binary rules to symbols that start at a position and end at the right end."""
    row, present = table.row, table.present
    for number in range(table.started_count[left]):
        symbol = table.started[left, number]
        block = table.left_block[left, symbol] - left
        for group in range(relaxation.group_start[symbol], relaxation.group_start[symbol + 1]):
            word = relaxation.groups[group]["word"]
            mask = relaxation.groups[group]["mask"]
            partners = table.ended[word] & mask
            while partners != ZERO:
                place = lowest(partners)
                bit = ONE << np.uint64(place)
                beside = (64 * word + place) * table.length
                cost = least_sum(table, block, beside, left + 1, right)
                pair = relaxation.groups[group]["first"] + count(mask & (bit - ONE))
                if cost < np.inf:
                    for rule in range(relaxation.pair_start[pair], relaxation.pair_start[pair + 1]):
                        total = cost + relaxation.cost[relaxation.binary[rule]["rule"]]
                        mother = relaxation.binary[rule]["mother"]
                        if total < row[mother]:
                            row[mother] = total
                            present[mother >> 6] |= ONE << np.uint64(mother & _LOW)
                partners ^= bit


@inner_kernel
def least_sum(table: Table, block: int, beside: int, first: int, last: int) -> float:
    """Return the least cost of a left and a right child that meet within some positions."""
    least = np.inf
    for middle in range(first, last):
        # Signed numbers may count from the end: then a compiled loop takes one after the other.
        left, right = np.uint64(block + middle), np.uint64(beside + middle)
        least = lower(least, table.left_costs[left] + table.right_costs[right])
    return least


@inner_kernel
def _close_upwards(relaxation: RelaxationArrays, table: Table, left: int, right: int) -> None:
    """Apply unary rules to the symbols of a cell that may be in a parse."""
    row, present, possible, waiting = table.row, table.present, table.possible, table.waiting
    for word in range(present.shape[0]):
        possible[word] = table.starting[left, word] & table.ending[right, word]
        dropped = present[word] & ~possible[word]
        while dropped != ZERO:
            row[64 * word + lowest(dropped)] = np.inf
            dropped &= dropped - ONE
        present[word] &= possible[word]
        waiting[word] = present[word] & relaxation.is_child[word]
    word = 0
    while word < present.shape[0]:
        if waiting[word] == ZERO:
            word += 1
            continue
        symbol = 64 * word + lowest(waiting[word])
        waiting[word] &= waiting[word] - ONE
        cost = row[symbol]
        for rule in range(relaxation.up_start[symbol], relaxation.up_start[symbol + 1]):
            mother = relaxation.unary[rule]["mother"]
            total = cost + relaxation.cost[relaxation.unary[rule]["rule"]]
            above = mother >> 6
            bit = ONE << np.uint64(mother & _LOW)
            if total < row[mother] and possible[above] & bit:
                row[mother] = total
                present[above] |= bit
                waiting[above] |= bit & relaxation.is_child[above]
                word = min(word, above)


@inner_kernel
def _list_entries(relaxation: RelaxationArrays, table: Table, left: int, right: int) -> None:
    """Write the symbols of a cell and their costs to the entries, and clear the row."""
    cell = cell_number(left, right)
    entry = table.cell_start[cell]
    for word in range(table.present.shape[0]):
        waiting = table.present[word]
        table.present[word] = ZERO
        table.ended[word] |= waiting
        while waiting != ZERO:
            symbol = 64 * word + lowest(waiting)
            cost = table.row[symbol]
            table.row[symbol] = np.inf
            table.entries[entry]["symbol"] = symbol
            table.entries[entry]["cost"] = cost
            table.right_costs[symbol * table.length + left] = cost
            if symbol < relaxation.left_children:
                _enter_left(table, symbol, left, right, entry, cost)
            entry += 1
            waiting &= waiting - ONE
    table.cell_start[cell + 1] = entry


@inner_kernel
def _enter_left(table: Table, symbol: int, left: int, right: int, entry: int, cost: float) -> None:
    """Record a symbol over a span as a possible left child. There must be room."""
    block = table.left_block[left, symbol]
    if block < 0:
        block = table.counters[arrays.BLOCKS]
        table.counters[arrays.BLOCKS] += table.length - left + 1
        for place in range(block, block + table.length - left + 1):
            table.left_costs[place] = np.inf
        table.left_block[left, symbol] = block
        table.started[left, table.started_count[left]] = symbol
        table.started_count[left] += 1
    table.left_costs[block + right - left] = cost
    table.left_entries[block + right - left] = entry


@inner_kernel
def _finish_column(relaxation: RelaxationArrays, table: Table, right: int) -> None:
    """Clear the symbols that ended here, and find the symbols that may start here."""
    starting = table.starting[right]
    for word in range(starting.shape[0]):
        waiting = table.ended[word]
        table.ended[word] = ZERO
        while waiting != ZERO:
            symbol = 64 * word + lowest(waiting)
            for left in range(right):
                table.right_costs[symbol * table.length + left] = np.inf
            for group in range(relaxation.group_start[symbol], relaxation.group_start[symbol + 1]):
                starting[relaxation.groups[group]["word"]] |= relaxation.groups[group]["mask"]
            waiting &= waiting - ONE
    reach(relaxation.first_start, relaxation.first_child, starting, table.stack)


@kernel
def reach(start: Int32, below: Int32, found: Bits, stack: Int32) -> None:
    """Add all symbols to a bit vector that can be reached in a graph from those in it."""
    depth = 0
    for word in range(found.shape[0]):
        waiting = found[word]
        while waiting != ZERO:
            stack[depth] = 64 * word + lowest(waiting)
            depth += 1
            waiting &= waiting - ONE
    while depth > 0:
        depth -= 1
        symbol = stack[depth]
        for place in range(start[symbol], start[symbol + 1]):
            other = below[place]
            bit = ONE << np.uint64(other & _LOW)
            if not found[other >> 6] & bit:
                found[other >> 6] |= bit
                stack[depth] = other
                depth += 1
