"""Sets of tokens and of symbols as bit vectors of uint64 words; bit ``i`` is token ``i``."""

from __future__ import annotations

from typing import Any

import numba
import numba.extending
import numpy as np
from numpy.typing import NDArray

from plcfrs.chart.kernel.arrays import Bits, Int32
from plcfrs.jit import inner_kernel, kernel

Numba = Any  # its types and builders
types: Numba = numba.types
intrinsic: Numba = numba.extending.intrinsic
overload: Numba = numba.extending.overload

WORD = 64
ZERO = np.uint64(0)
ONE = np.uint64(1)
LOW_BITS = np.uint64(WORD - 1)
_LOW = np.int64(63)


# In compiled kernels, each of the next two functions is one instruction.
def lowest(word: np.uint64) -> int:
    """Return the place of the lowest set bit of a word that is not zero."""
    return (int(word) & -int(word)).bit_length() - 1


def count(word: np.uint64) -> int:
    """Return the number of set bits of a word."""
    return int(word).bit_count()


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


@overload(lowest)
def _lowest(word):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202, ARG001
    return lambda word: _trailing_zeros(word)


@overload(count)
def _count(word):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202, ARG001
    return lambda word: _population(word)


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


@inner_kernel
def has(symbols: Bits, symbol: int) -> bool:
    """Return whether a symbol is in a bit vector."""
    return bool((symbols[symbol >> 6] >> np.uint64(symbol & _LOW)) & ONE)


@kernel
def reach(start: Int32, below: Int32, hub: Bits, symbols: Bits, stack: Int32) -> None:
    """Add all symbols to a bit vector that can be reached in a graph from those in it.

    From each symbol of the first row of `hub`, exactly those of the second row are reached.
    """
    meets = ZERO
    for word in range(symbols.shape[0]):
        meets |= symbols[word] & hub[0, word]
    depth = 0
    for word in range(symbols.shape[0]):
        waiting = symbols[word]
        if meets != ZERO:
            waiting &= ~hub[1, word]
            symbols[word] |= hub[1, word]
        while waiting != ZERO:
            stack[depth] = 64 * word + lowest(waiting)
            depth += 1
            waiting &= waiting - ONE
    while depth > 0:
        depth -= 1
        symbol = stack[depth]
        for place in range(start[symbol], start[symbol + 1]):
            neighbour = below[place]
            bit = ONE << np.uint64(neighbour & _LOW)
            if not symbols[neighbour >> 6] & bit:
                symbols[neighbour >> 6] |= bit
                stack[depth] = neighbour
                depth += 1
