"""Spans as bit vectors: a row of uint64 words for each item, bit ``i`` is token ``i``."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from plcfrs.chart.kernel.jit import kernel

WORD = 64
ZERO = np.uint64(0)
ONE = np.uint64(1)
LOW_BITS = np.uint64(WORD - 1)

# Multiplying a single bit by a de Bruijn sequence moves a pattern of its own into the top 6 bits.
_SEQUENCE = np.uint64(0x03F79D71B4CB0A89)
_SHIFT = np.uint64(58)
_PLACES = np.zeros(WORD, np.int64)
for _place in range(WORD):
    _PLACES[((int(_SEQUENCE) << _place) & (2**WORD - 1)) >> int(_SHIFT)] = _place


@kernel
def lowest(word: np.uint64) -> int:
    """Return the place of the lowest set bit of a word that is not zero."""
    return int(_PLACES[((word & (~word + ONE)) * _SEQUENCE) >> _SHIFT])


@kernel
def next_set(bits: NDArray[np.uint64], item: int, position: int) -> int:
    """Return the first token of an item at or behind a position, or -1."""
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
    """Return the first position at or behind another that is not in an item."""
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
    """Return whether two items are instances of the children of a rule.

    Parameters
    ----------
    order : uint64
        Bit ``i`` says whether the i-th variable of the yield function belongs to the second child.
    begins : uint64
        Bit ``i`` says whether the i-th variable begins a component.
    length : int
        Number of variables.
    bits : uint64 array (items, words)
    left, right : int
        The items of the first and the second child.
    """
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
