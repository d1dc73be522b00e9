"""All arrays that the kernels of linear models see.

A feature is a key of 64 bits. Its *row* has weights for some of the actions; a *dense* row has
weights for all of them. The upper half of the key says where to look for the feature, and the lower
half identifies it there.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
Keys = NDArray[np.uint64]
Places = NDArray[np.uint32]  # unsigned, so that Numba need not check for negative indices
Cells = NDArray[np.uint16]
Scores = NDArray[np.float32]
Totals = NDArray[np.float64]
Records = NDArray[np.void]

# Counters: the parts in use, and the number of actions. Then, for each power of 2, the last hole of
# this length, counted from 1; its weight and total say where the one before is, or 0.
FEATURES, ENTRIES, ACTIONS, HOLES = range(4)
COUNTERS = HOLES + 16

# A slot without a feature. In other slots the upper half is the lower half of the key, and the
# lower half is where the row starts in the entries.
EMPTY = np.uint64(2**64 - 1)
HALF = np.uint64(32)
LOWER = np.uint64(2**32 - 1)

# Marks the last entry of a row, next to the number of its action. In a dense row the first entry
# has only this number, and the others have none.
LAST = 2**15
NUMBER = LAST - 1
DENSE = LAST | NUMBER
MOST_ACTIONS = NUMBER

# Cells of an entry of packed averages, and of a feature before its entries.
PACKED = 2
MOST_ENTRIES = 254


class Learned(NamedTuple):
    """Weights in training: a hash table of features, and the entries of their rows."""

    slots: Keys  # open addressing; at least one is EMPTY
    uppers: Places  # (slots,) the upper halves of the keys
    actions: Cells  # (entries,)
    values: Scores  # (entries,) the weights
    totals: Scores  # (entries,) sums for the averages
    counters: Int64  # (COUNTERS,)


class Averages(NamedTuple):
    """Averages of weights, in little memory.

    The cells of a bucket hold its features one after another: in two cells the lower bits of the
    key and, in the upper 8 bits, the number of entries; then for each entry the action and the
    upper half of the weight. A dense row has 255 in place of the number of entries, then its own
    number in two cells. The last cell, after all buckets, is 1.
    """

    buckets: Places  # (buckets + 1,) where the cells of a bucket begin
    cells: Cells
    dense: Scores  # (dense rows, actions)


class Weights(NamedTuple):
    """The weights that kernels add up: weights in training, or averages."""

    learned: Learned
    averages: Averages  # without buckets in training
