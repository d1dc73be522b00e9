"""All arrays that the kernels of linear models see.

A feature is a key of 64 bits. Its *row* has a weight for some of the actions, or for all of them:
then it is *dense*. The upper half of the key says where to look for it, the lower half which of
those that are there it is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
Keys = NDArray[np.uint64]
Places = NDArray[np.uint32]  # without a sign, so that Numba need not look for negative ones
Cells = NDArray[np.uint16]
Scores = NDArray[np.float32]
Totals = NDArray[np.float64]
Records = NDArray[np.void]

# Counters of what is in use, and how many actions there are.
FEATURES, ENTRIES, ACTIONS = range(3)
COUNTERS = 3

# A slot without a feature. Of the others, the upper half is the lower half of the key, and the
# lower half is where the row starts in the entries.
EMPTY = np.uint64(2**64 - 1)
HALF = np.uint64(32)
LOWER = np.uint64(2**32 - 1)

# The last entry of a row is marked beside the number of its action. The first entry of a dense row
# has no number but this one; the others have none.
LAST = 2**15
NUMBER = LAST - 1
DENSE = LAST | NUMBER
MOST_ACTIONS = NUMBER

# Cells of a feature before its entries, and of each of these.
HEAD, ENTRY = 3, 3


class Learned(NamedTuple):
    """Weights that are learned: a hash table of features, and the entries of their rows."""

    slots: Keys  # of open addressing; one is EMPTY at least
    uppers: Places  # (slots,) the upper halves of the keys
    actions: Cells  # (entries,)
    values: Scores  # (entries,) the weights
    totals: Scores  # (entries,) for the average
    counters: Int64  # (COUNTERS,)


class Averages(NamedTuple):
    """Averages of weights, in as little memory as can be.

    In the cells of a bucket, the features follow each other: the lower half of the key in two
    cells, the number of its entries, and for each of these the action, and the weight in two
    cells. A dense row has DENSE instead of that number, and two cells with its own.
    """

    buckets: Places  # (buckets + 1,) where the cells of a bucket begin
    cells: Cells
    dense: Scores  # (dense rows, actions)


class Weights(NamedTuple):
    """What kernels add scores up from: weights that are learned, or averages without these."""

    learned: Learned
    averages: Averages  # without buckets if there are none
