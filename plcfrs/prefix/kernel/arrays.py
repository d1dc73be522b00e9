"""All arrays of the kernels: the compiled grammar, and the chart of a prefix.

A *node* is the number of a symbol with some known components. *Ranges* are the number of a row of
bounds, the starts and ends of components; row 0 has none. A *bound* is numbered from 0, too.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
Floats = NDArray[np.float64]
Records = NDArray[np.void]

# Counters of a chart.
RANGES, INSIDE, INDEXED, EDGES, PENDING, FORWARD = range(6)
COUNTERS = 6

# The status in which a kernel ends.
DONE, RANGES_FULL, INSIDE_FULL, INDEX_FULL, EDGES_FULL, PENDING_FULL, FORWARD_FULL = range(7)

MOST_TOKENS = 4096

# What is pending: sums of components that end at the frontier, and of what may begin there.
ENDING, BEGINNING = range(2)

OPENING = np.dtype(
    [
        ("probability", np.float64),
        ("mother", np.int32),  # node
        ("awaited", np.int32),  # node of the sister, with its first component
    ],
    align=True,
)

# How the known components of a child and its sister make those of a mother.
SHAPE = np.dtype(
    [
        ("order", np.uint64),  # bit i: whether variable i is the sister's
        ("begins", np.uint64),  # bit i: whether variable i begins a component of the mother
        ("length", np.int32),  # number of known variables
    ],
    align=True,
)

LOOKUP = np.dtype(
    [
        ("index", np.int32),  # of sisters, by the bounds that they share with the child
        ("tie_start", np.int32),  # these bounds of the child in `ties`
        ("tie_end", np.int32),
    ],
    align=True,
)

JOIN = np.dtype(
    [
        ("probability", np.float64),
        ("shape", np.int32),
        ("mother", np.int32),  # node
        ("lookup", np.int32),  # of sisters
        ("child_next", np.int32),  # node that is awaited next if it is one of the child, else -1
        ("sister_next", np.int32),  # the same of the sister
        ("is_end", np.bool_),  # whether a component of the mother ends here
    ],
    align=True,
)

BESIDE = np.dtype(
    [
        ("probability", np.float64),
        ("child", np.int32),  # node that is known
        ("sister", np.int32),  # node that may begin
    ],
    align=True,
)


class PrefixArrays(NamedTuple):
    """A grammar of rank 2 without touching ranges, with N nodes."""

    start: int  # node
    components: int  # the highest fan-out
    previous: Int32  # (N,) the node with one component less, -1 for none
    tags: Int32  # the nodes of tags
    up_start: Int32  # (N + 1,) chains of mothers
    up_node: Int32
    up_weight: Floats
    down_start: Int32  # (N + 1,) chains of children that come next, if something is known
    down_node: Int32
    down_weight: Floats
    order: Int32  # unknown nodes, mothers mostly before their first children
    step_start: Int32  # (len(order) + 1,) the first children of each of them
    step_node: Int32
    step_weight: Floats
    opening_start: Int32  # (N + 1,)
    openings: Records  # OPENING: the sister comes next, and nothing of it is known
    join_start: Int32  # (N + 1,)
    joins: Records  # JOIN: something of the sister is known
    shapes: Records  # SHAPE
    lookups: Records  # LOOKUP
    ties: Int32
    beside_start: Int32  # (N + 1,) of a mother whose next component is awaited
    besides: Records  # BESIDE
    index_start: Int32  # (N + 1,) the indexes of a sister
    bound_start: Int32  # (indexes + 1,) the bounds by which an index finds sisters in `bounds`
    bounds: Int32


RANGE = np.dtype(
    [
        ("count", np.int32),  # number of components
        ("size", np.int32),  # number of tokens
        ("prefix", np.int32),  # ranges without the last component
        ("inside_start", np.int32),
        ("inside_end", np.int32),
        ("first", np.int32, 2),  # pending, ENDING and BEGINNING; -1 for none
        ("next", np.int32, 2),  # the next pending ranges of this size
    ],
    align=True,
)

WEIGHTED = np.dtype([("weight", np.float64), ("node", np.int32)], align=True)

INDEX_ENTRY = np.dtype(
    [
        ("weight", np.float64),
        ("index", np.int32),
        ("ranges", np.int32),
        ("next", np.int32),
        ("slot", np.int32),  # in the hash table
    ],
    align=True,
)

# How known components of a mother are made: what is awaited next, and the weight of the rest.
EDGE = np.dtype(
    [
        ("weight", np.float64),
        ("awaited", np.int32),  # node
        ("ranges", np.int32),  # of it
        ("next", np.int32),
        ("slot", np.int32),  # in the hash table
    ],
    align=True,
)

PENDING_ENTRY = np.dtype(
    [
        ("weight", np.float64),
        ("node", np.int32),
        ("next", np.int32),  # of the same ranges
    ],
    align=True,
)

# The ranges of a mother, which many sums of the same two ranges share.
COMPOSED = np.dtype(
    [
        ("key", np.int64),  # shape and ranges of the sister; -1 for empty
        ("ranges", np.int32),  # of the child
        ("prefix", np.int32),  # her ranges without the last component, -1 if there are none
        ("start", np.int32),  # of her last component
        ("made", np.int32),  # her ranges, -1 if they have not been entered yet
    ],
    align=True,
)

# The sisters that a lookup has found for some ranges.
FOUND = np.dtype([("ranges", np.int32), ("first", np.int32)], align=True)

# Slots of hash tables, which are a power of 2 long. The value -1 is an empty slot.
SLOT = np.dtype([("key", np.int64), ("value", np.int32)], align=True)
WEIGHT_SLOT = np.dtype([("key", np.int64), ("weight", np.float64)], align=True)


class PrefixTable(NamedTuple):
    """The chart of a prefix."""

    counters: Int64  # (COUNTERS,)
    bounds: Int32  # (ranges, 2 * components)
    ranges: Records  # RANGE
    range_table: Int32  # the numbers of ranges, -1 for empty; at least twice as many
    inside: Records  # WEIGHTED, sums of symbols, in blocks of equal ranges
    indexed: Records  # INDEX_ENTRY
    index_table: Records  # SLOT, first entries by index and bounds
    edges: Records  # EDGE
    edge_table: Records  # SLOT, first edges by mother and ranges
    pending: Records  # PENDING_ENTRY, some of them of the same node
    recent: Records  # SLOT, pending entries that were met lately, by ranges, kind and node
    pending_first: Int32  # (2, length) the first pending ranges of a size
    forward_table: Records  # WEIGHT_SLOT, by ranges, start and node; weight -1 for empty
    base: Floats  # (N,) what may begin at the frontier, with nothing known
    begun: Floats  # (more than length, N) the same with all that begins with it, at each place
    composed: Records  # COMPOSED, met lately
    sisters: Records  # FOUND, by lookup
    given: Floats  # (N,) scratch memory, otherwise 0
    giving: Int32  # (N,) scratch memory
    row: Floats  # (N,) scratch memory, otherwise 0
    touched: Int32  # (N,) scratch memory
    lost: Floats  # (1,) what has been left out, as a part of all that begins with the prefix
