"""Where the items of a forest begin and end, and what their words look like."""

from __future__ import annotations

import numpy as np

from plcfrs.chart.kernel.arrays import Bits, Int64
from plcfrs.chart.kernel.bits import next_clear, next_set
from plcfrs.jit import kernel
from plcfrs.linear.kernel.arrays import Keys

# The columns of the borders of an item, as token positions: its first token, the end of its first
# component (half open), the first token after the first gap (-1 if there is none), its end (half
# open); and the numbers of its components and tokens.
FIRST, GAP, AFTER_GAP, END, COMPONENTS, LENGTH = range(6)
COLUMNS = 6

_FACTOR = np.uint64(0xD6E8FEB86659FD93)
_GAP_MARK = np.uint64(0x9E3779B97F4A7C15)


@kernel
def find_borders(bits: Bits, kinds: Keys, padding: int, borders: Int64, shapes: Keys) -> None:
    """Write the borders of each item, and a key for what its words look like.

    `kinds` says what each token looks like, with `padding` more on both sides. The key is for the
    kinds of the tokens in order, the gaps, and the kinds of the tokens before and after the item.
    """
    for item in range(len(bits)):
        start = next_set(bits, item, 0)
        end = next_clear(bits, item, start)
        borders[item, FIRST] = start
        borders[item, GAP] = end
        borders[item, AFTER_GAP] = -1
        components = length = 0
        shape = kinds[padding + start - 1]
        while start >= 0:
            end = next_clear(bits, item, start)
            components += 1
            length += end - start
            if components == 2:
                borders[item, AFTER_GAP] = start
            for token in range(start, end):
                shape = shape * _FACTOR + kinds[padding + token]
            shape = shape * _FACTOR + _GAP_MARK
            start = next_set(bits, item, end)
        borders[item, END] = end
        borders[item, COMPONENTS] = components
        borders[item, LENGTH] = length
        shapes[item] = shape * _FACTOR + kinds[padding + end]
