"""All arrays that the kernels see: the compiled grammar and the chart of one sentence.

Costs are negative natural logarithms of probabilities. A *port* is a pair of a label and one
of its components: label ``A`` of fan-out 2 has the ports ``A.0`` and ``A.1``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
Bits = NDArray[np.uint64]
Costs = NDArray[np.float64]

# How an item finds a partner for a binary rule: by what its own component and the partner's do.
FOLLOWED_BY, PRECEDED_BY, FILLED_BY, FILLS, APART_FROM = range(5)
ROLES = 5

# Counters of a chart.
ITEMS, AGENDA, GROUPS, ENTRIES, POPPED, EDGES, PAIR_TESTS, IMPROVED, PENDING = range(9)
COUNTERS = 9

# How a run of the kernel ends.
GOAL, EXHAUSTED, PAUSED, ITEMS_FULL, AGENDA_FULL, GROUPS_FULL, ENTRIES_FULL = range(7)


class GrammarArrays(NamedTuple):
    """A grammar of rank 2 whose items have real gaps. L labels, P ports, R rules."""

    start: int  # label of the start symbol
    fan_out: Int32  # (L,)
    first_port: Int32  # (L,) the ports of a label are numbered from here
    rule_mother: Int32  # (R,) label
    rule_cost: Costs  # (R,)
    rule_order: Bits  # (R,) see bits.interlocks; 0 for unary rules
    rule_begins: Bits  # (R,) see bits.interlocks
    rule_length: Int32  # (R,) number of variables
    rule_is_checked: NDArray[np.bool_]  # (R,) whether finding a partner leaves something to test
    unary_start: Int32  # (L + 1,) the unary rules over a label in unary_rule
    unary_rule: Int32  # rule
    row_start: Int32  # (ROLES * P + 1,) the partners of a role and port in partner_port
    partner_port: Int32  # (K,) port
    partner_start: Int32  # (K + 1,) the rules of a partner in join_rule
    join_rule: Int32  # 2 * rule + number of the child that is looking for the partner
    pair_key: Int64  # hash table: row * P + port of the partner, -1 for empty; power of 2 long
    pair_value: Int32  # place in partner_port
    is_partner: NDArray[np.bool_]  # (ROLES, P) whether a port is looked for in a role


class RelaxationArrays(NamedTuple):
    """The component-split CFG of a grammar. S symbols: the P ports, then remainders of rules."""

    start: int  # symbol
    left_start: Int32  # (S + 1,) the binary rules over a left child in the arrays below
    rule_right: Int32  # right child
    rule_mother: Int32
    rule_cost: Costs
    up_start: Int32  # (S + 1,) the unary rules over a child in the arrays below
    up_mother: Int32
    up_cost: Costs
    down_start: Int32  # (S + 1,) the unary rules of a mother in the arrays below
    down_child: Int32
    down_cost: Costs


class Chart(NamedTuple):
    """The items of one sentence, the agenda, and an index of items by their boundaries.

    The index has *buckets*, such as 'items with a component that starts at 3'; a bucket has
    *groups*, one for each port; a group has a linked list of *entries*, its items.
    """

    length: int  # tokens of the sentence
    counters: Int64  # (COUNTERS,)
    label: Int32  # (items,)
    bits: Bits  # (items, words)
    cost: Costs  # (items,) of the best derivation found
    rule: Int32  # (items,) its last rule, -1 for a scanned tag
    left: Int32  # (items,) item of the first child
    right: Int32  # (items,) item of the second child, -1 for a unary rule
    outside: Costs  # (items,) sum of the outside estimates of its components
    is_done: NDArray[np.bool_]  # (items,) popped and not improved since
    is_entered: NDArray[np.bool_]  # (items,) in the index
    item_table: Int32  # hash table of items, -1 for empty; power of 2, at least twice the items
    agenda_cost: Costs  # (agenda,) binary heap
    agenda_item: Int32  # (agenda,)
    bucket_first: Int32  # (buckets,) first group, -1 for none
    bucket_size: Int32  # (buckets,) number of groups
    group_table: Int32  # hash table of groups, -1 for empty; power of 2, at least twice the groups
    group_key: Int64  # (groups,) bucket * P + port
    group_next: Int32  # (groups,) next group of the bucket
    group_first: Int32  # (groups,) first entry
    entry_item: Int32  # (entries,)
    entry_next: Int32  # (entries,) next entry of the group
    is_guided: bool  # whether there are outside estimates, in the next three arrays
    cell_start: Int64  # see relaxation.inside_costs
    cell_symbol: Int32
    cell_outside: Costs
