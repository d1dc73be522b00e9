"""All arrays of the kernels: the compiled grammar, its relaxation, and those of one sentence.

Costs are negative natural logarithms of probabilities. A *port* is a pair of a label and one of its
components: label ``A`` of fan-out 2 has the ports ``A.0`` and ``A.1``. Related numbers form a
record: they share a cache line, and a kernel with few arguments is fast to compile and to call.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Int32 = NDArray[np.int32]
UInt32 = NDArray[np.uint32]  # of places: signed ones may count from the end, which takes longer
Int64 = NDArray[np.int64]
Bits = NDArray[np.uint64]
Costs = NDArray[np.float64]
Records = NDArray[np.void]

# How an item finds a partner for a binary rule: by the relation of two of their components.
FOLLOWED_BY, PRECEDED_BY, FILLED_BY, FILLS, APART_FROM = range(5)
ROLES = 5

# Counters of a chart; the last two are the item that is being expanded, and the goal.
ITEMS, AGENDA, GROUPS, ENTRIES, KEPT, POPPED, EDGES, PAIR_TESTS, IMPROVED, PENDING, GOAL = range(11)
COUNTERS = 11

# Counters of a table: the ends of the current cell, and the length of all blocks.
RIGHT, LEFT, BLOCKS = range(3)
TABLE_COUNTERS = 3

# The status in which a run of the kernel ends.
FOUND, EXHAUSTED, BEYOND, PAUSED = range(4)
ITEMS_FULL, AGENDA_FULL, GROUPS_FULL, ENTRIES_FULL, EDGES_FULL = range(4, 9)

LABEL = np.dtype(
    [
        ("fan_out", np.int32),
        ("first_port", np.int32),  # the ports of a label are numbered from here
        ("unary_start", np.int32),  # the unary rules over the label in `unary_rule`
        ("unary_end", np.int32),
    ],
    align=True,
)

RULE = np.dtype(
    [
        ("cost", np.float64),
        ("order", np.uint64),  # see bits.interlocks; 0 for unary rules
        ("begins", np.uint64),  # see bits.interlocks
        ("mother", np.int32),  # label
        ("length", np.int32),  # number of variables
        ("first_port", np.int32),  # of the mother
        ("last_port", np.int32),  # of the mother
        ("first_share", np.int32),  # the costs of its components in `shares`
        ("is_checked", np.bool_),  # whether there is something to test after finding a partner
    ],
    align=True,
)

PARTNER = np.dtype(
    [
        ("port", np.int32),
        ("join_start", np.int32),  # the rules of a partner in `join_rule`
        ("join_end", np.int32),
    ],
    align=True,
)

PAIR = np.dtype(
    [
        ("key", np.int64),  # row * P + port of the partner, -1 for empty
        ("value", np.int64),  # place in `partners`
    ],
    align=True,
)


class GrammarArrays(NamedTuple):
    """A grammar of rank 2 without touching ranges, with L labels, P ports and R rules."""

    start: int  # label of the start symbol
    labels: Records  # LABEL (L,)
    rules: Records  # RULE (R,)
    unary_rule: Int32  # rule
    row_start: Int32  # (ROLES * P + 1,) where the partners of a role and port start in `partners`
    partners: Records  # PARTNER
    join_rule: Int32  # 2 * rule + number of the child that is looking for the partner
    pairs: Records  # PAIR, a hash table; power of 2 long
    is_partner: NDArray[np.bool_]  # (ROLES, P) whether a port is a partner in a role
    shares: Costs  # the cost of each component of each rule; they add up to that of the rule


GROUP_OF_RULES = np.dtype(
    [
        ("mask", np.uint64),  # right children as bits
        ("word", np.uint32),  # of the bit vector of symbols
        ("first", np.uint32),  # the first rule of the group in `cost`
        ("left", np.uint32),  # left child
    ],
    align=True,
)

PRODUCTION = np.dtype(
    [
        ("rule", np.int32),  # its number in `cost`
        ("mother", np.uint32),
    ],
    align=True,
)

UNARY_PRODUCTION = np.dtype(
    [("rule", np.int32), ("mother", np.uint32), ("child", np.int32)], align=True
)


class RelaxationArrays(NamedTuple):
    """The component-split CFG of a grammar, with S symbols, left children of binary rules first.

    Pairs are the distinct left and right children of binary rules, sorted. A group is a mother and
    a left child with the right children in one word of a bit vector of symbols.
    """

    start: int  # symbol
    cost: Costs  # (rules,) the binary rules, sorted, then the unary ones, as in `unary`
    symbol_of: Int32  # (at least P,) the symbol of a port
    left_start: UInt32  # (left children + 1,) where the pairs of a left child start
    left_child: UInt32  # (pairs,)
    right_child: UInt32  # (pairs,) by the number that it has among the right children
    right_symbol: UInt32  # (right children,)
    right_number: Int32  # (S,) this number, -1 if a symbol is not a right child
    pair_start: UInt32  # (pairs + 1,) where the rules of a pair start in `binary`
    binary: Records  # PRODUCTION
    unary: Records  # UNARY_PRODUCTION, by their children, each after those below it
    cycle: Int32  # (S,) the number of the cycle of unary rules; those of children come first
    unary_start: UInt32  # (groups + 1,) where groups start in `unary`: inside a cycle, or not
    is_back: NDArray[np.bool_]  # (unary rules,) those in a cycle with a mother before the child
    over_start: UInt32  # (S + 1,) where the unary rules of a mother start in `over`
    over: UInt32  # places in `unary`
    down_start: UInt32  # (S + 1,) where the groups of a mother start in `down_groups`
    down_groups: Records  # GROUP_OF_RULES
    first_start: Int32  # (S + 1,) the first or only children of a mother in the next array
    first_child: Int32
    hub: Bits  # (2, words) the largest set that may begin with each other, and what they reach
    instance_start: Int32  # (rules + 1,) where those of a rule start in the next array
    instances: Int32  # which components of the grammar's rules, as in `shares`, it stands for


# The sum over all chains of unary rules up to a symbol.
CHAIN = np.dtype([("weight", np.float64), ("top", np.int32)], align=True)


class RelaxationTable(NamedTuple):
    """Inside and outside costs of the relaxation for one sentence.

    A *cell* is a span, numbered by `inside.cell_number`; its entries are sorted by symbol. A
    *block* of costs belongs to a left child that starts at a position, ordered by its ends, or to a
    right child that ends at one, ordered by its starts.
    """

    length: int  # tokens of the sentence
    counters: Int64  # (TABLE_COUNTERS,)
    scan_start: Int32  # (length + 1,) the tags of a token in the next two arrays
    scan_symbol: Int32
    scan_cost: Costs
    unit: float  # of the costs in the next arrays, and in `inside`, `units` and `row`
    scan_units: Int32
    binary_units: Int32  # of the rules in `RelaxationArrays.binary`
    unary_units: Int32  # of the rules in `RelaxationArrays.unary`
    allowed: Bits  # (sets, words) sets of symbols
    allowed_in: Int32  # (cells,) the set that a cell may have entries of, -1 for no entries
    starting: Bits  # (length + 1, words) symbols that may start at a position
    ending: Bits  # (length + 1, words) symbols that may end at a position
    cell_start: Int64  # (cells + 1,) where the entries of a cell start in `symbols`
    present: Bits  # (cells, words) the symbols of a cell
    first_entry: Int32  # (cells, words) the entry of the first of them
    reachable: Bits  # (cells, words) the symbols of a cell in derivations up to a ceiling
    symbols: UInt32  # (entries,)
    inside: Int32  # (entries,) costs
    is_whole: NDArray[np.bool_]  # (S,) whether a symbol has no gaps
    at_least: Int32  # (entries,) lower bounds of whole symbols, in `unit`; may be empty
    outside: Costs  # (entries,)
    left_block: Int32  # (length, left children) the blocks of those that start there, or -1
    right_block: Int32  # (length + 1, right children) the blocks of those that end there, or -1
    units: Int32  # block by block
    begun: UInt32  # (length, pairs) the pairs whose left child starts at a position
    begun_count: Int64  # (length,) how many there are so far
    ended: Bits  # (length + 1, words) the symbols that end at a position
    row: Int32  # (64 * words,) costs over the current span; otherwise missing
    pairs: UInt32  # (pairs,) scratch memory of inside.py
    stack: Int32  # (S + 1,) scratch memory of bits.reach and listing.py
    ended_reachable: Bits  # (words,) scratch memory of listing.py


ITEM = np.dtype(
    [
        ("cost", np.float64),  # of the best derivation found
        ("outside", np.float64),  # sum of the outside estimates of its components
        ("priority", np.float64),
        ("label", np.int32),
        ("rule", np.int32),  # the last rule of the best derivation, -1 for a scanned tag
        ("left", np.int32),  # item of the first child
        ("right", np.int32),  # item of the second child, -1 for a unary rule
        ("start", np.int32),  # its first token
        ("end", np.int32),  # the position after its last token
        ("is_done", np.bool_),  # popped and not improved since
        ("is_entered", np.bool_),  # whether it is in the index
    ],
    align=True,
)

QUEUED = np.dtype([("priority", np.float64), ("item", np.int32)], align=True)

BUCKET = np.dtype(
    [
        ("first", np.int32),  # first group, -1 for none
        ("size", np.int32),  # number of groups
    ],
    align=True,
)

GROUP = np.dtype(
    [
        ("key", np.int64),  # bucket * P + port
        ("next", np.int32),  # next group of the bucket
        ("first", np.int32),  # first entry
    ],
    align=True,
)

INDEXED = np.dtype(
    [
        ("item", np.int32),
        ("next", np.int32),  # the next entry of the group
    ],
    align=True,
)

EDGE = np.dtype(
    [
        ("cost", np.float64),  # of the rule or the scanned tag
        ("mother", np.int32),  # item
        ("rule", np.int32),  # -1 for a scanned tag
        ("left", np.int32),  # item of the first child, -1 for a scanned tag
        ("right", np.int32),  # item of the second child, -1 if there is none
    ],
    align=True,
)


# The order of items. Each component gives a bound for the cost of the best parse with an item. The
# order is that of the highest bound; of their mean, which leaves less out of a forest; or of their
# excesses over the floor, added up, less a constant for each token, which is not a bound.
BY_BOUND, BY_MEAN, BY_EXCESSES = range(3)


class Chart(NamedTuple):
    """The items of one sentence, the agenda, and an index of items by their boundaries.

    The index has *buckets*, such as 'items with a component that starts at 3'. A bucket has
    *groups*, one for each port. A group has a linked list of *entries*, its items.
    """

    length: int  # tokens of the sentence
    max_items: int
    order: int  # BY_BOUND, BY_MEAN or BY_EXCESSES
    ceiling: float  # items in no parse up to this cost are not made
    floor: float  # cost of the best parse, or of that of the relaxation
    margin: float  # items this much above the floor, all components added up, are not made
    pull: float  # by excesses, an item comes this much earlier for each of its tokens
    keeps_edges: bool  # whether all edges are kept, for a forest
    is_guided: bool  # whether there are outside estimates, in the last three arrays
    counters: Int64  # (COUNTERS,)
    items: Records  # ITEM
    bits: Bits  # (items, words)
    parts: Costs  # (items, components) the cost of the best derivation found, by component
    outsides: Costs  # (items, components) the outside estimates
    shares: Costs  # see GrammarArrays; they may have been shifted between components
    item_table: Int32  # hash table of items, -1 for empty; power of 2, at least twice the items
    agenda: Records  # QUEUED, a binary heap
    buckets: Records  # BUCKET
    groups: Records  # GROUP
    group_table: Int32  # hash table of groups, -1 for empty; power of 2, at least twice the groups
    entries: Records  # INDEXED
    edges: Records  # EDGE
    symbol_of: Int32  # see RelaxationArrays
    present: Bits  # see RelaxationTable
    first_entry: Int32  # see RelaxationTable
    reachable: Bits  # see RelaxationTable
    starting: Bits  # (length + 1, words) the reachable symbols that start at a position
    ending: Bits  # (length + 1, words) the reachable symbols that end at a position
    outside: Costs  # see RelaxationTable
