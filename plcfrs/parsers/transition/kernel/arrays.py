"""All arrays that the kernels of transition parsers see.

A sentence has *constituents*, rows of integers; row 0 stands for no constituent, and the tokens
follow. Stacks and queues are linked lists, and the states of a beam share common tails. In each
list, node 0 is the end.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from plcfrs.learning.kernel.arrays import Int32, Int64, Keys, Places, Records, Scores

# Kinds of actions. Transitions are numbered kind by kind. Of two actions with equal scores the
# first one wins; `find_legal` finds them in this order.
IDLE, SHIFT, UNARY, GHOST, GAP, SWAP, FINISH, LEFT, RIGHT = range(9)
KINDS = 9

# Roles of the symbols of actions: whole constituents and parts, of the root or of others.
ORDINARY, AXIOM, PART, AXIOM_PART = range(4)
ROLES = 4

# Columns of a constituent. Words and tags: of the head, at both ends, and just outside the ends.
SYMBOL, WORD, TAG, LEFT_WORD, LEFT_TAG, RIGHT_WORD, RIGHT_TAG = range(7)
BEFORE_WORD, BEFORE_TAG, AFTER_WORD, AFTER_TAG, GAP_TYPE, GAP_LENGTH = range(7, 13)
LEFT_CHILD, RIGHT_CHILD, ONLY_CHILD, FIRST, LAST, SIZE, HEAD, IS_PART = range(13, 21)
COLUMNS = 21

# The gaps of a constituent: it has none, it has some, or it fills those of its children.
NO_GAP, HAS_GAP, FILLS_GAP = range(1, 4)

# Counters of a search: the used parts of its arrays; the last states of the best path and of the
# gold path; the number of states in the beam; and a meaningless number that keeps the compiler from
# removing the prefetches.
STATES, STACKED, CONSTITUENTS, QUEUED, BEST, GOLD, BEAM, TOUCHED = range(8)
SEARCH_COUNTERS = 8

# The most atoms of a feature template.
WIDTH = 4

# The status that a kernel returns.
DONE, SEARCH_FULL, WEIGHTS_FULL = range(3)

STATE = np.dtype(
    [
        ("score", np.float64),
        ("parent", np.int32),
        ("action", np.int32),  # that led from the parent to this state
        ("top", np.int32),  # of the stack
        ("split", np.int32),  # in the stack: the left one of the two elements that can be reduced
        ("queue", np.int32),  # first node
        ("waiting", np.int32),  # tokens in the queue
        ("steps", np.int32),
        ("is_final", np.int32),
    ],
    align=True,
)

STACK_NODE = np.dtype(
    [
        ("constituent", np.int32),
        ("previous", np.int32),
        ("height", np.int32),  # nodes down to the bottom, with this one
        ("parts", np.int32),  # how many of these are parts
        ("has_axiom", np.int32),  # whether one of these is a part of the root
        ("bottom", np.int32),  # the constituent of the last of these
    ],
    align=True,
)

QUEUE_NODE = np.dtype([("constituent", np.int32), ("next", np.int32)], align=True)

CANDIDATE = np.dtype(
    [
        ("score", np.float64),
        ("rank", np.int32),  # of the state in the beam
        ("action", np.int32),
    ],
    align=True,
)


class Actions(NamedTuple):
    """The A actions of a parser, sorted by kind and role; S symbols, tags included."""

    has_queue: bool  # whether FINISH ends a derivation, instead of an axiom
    has_compound_gaps: bool
    can_swap: bool
    is_left: bool  # whether a head with a sibling on its left gets no more on its right
    kind: Int32  # (A,)
    symbol: Int32  # (A,) of the new constituent, 0 for none
    counts: Int32  # (A,) tokens to skip or swap, or gaps to make
    start: Int32  # (KINDS * ROLES + 1,) where the actions of each kind and role start
    whole_action: Int32  # (2, S) the action LEFT, RIGHT that makes a part or a whole whole
    part_action: Int32  # (2, S) the action that makes a part of it; -1 for none
    is_part: Int32  # (S,)
    is_axiom: Int32  # (S,) whether it is the root, or a part of it


class TransitionTemplates(NamedTuple):
    """Feature templates. Their atoms are columns of the *elements* of a state.

    These are, in order: the empty constituent; some elements of the stack, the deque and the queue;
    with `following`, the number of tokens of the queue before the end of the top of the stack, and
    some tokens after it; then children of all these.
    """

    stack: int
    deque: int
    queue: int
    following: int  # of the queue, after the top of the stack
    is_split: bool  # whether s0 is the element at the split instead of the top
    children: Places  # (children, 2) place of the mother among the elements, column
    atoms: Places  # (atoms, 2) place among the elements, column; the first is always 0
    parts: Places  # (templates, WIDTH) the atoms of a template
    factors: Keys  # (templates, WIDTH) factors of the atoms
    seeds: Keys  # (templates,)
    queue_columns: Places  # (templates of the whole queue, WIDTH) the same for these
    queue_factors: Keys
    queue_seeds: Keys


class BeamSearch(NamedTuple):
    """The beam search for one sentence, and its memory."""

    counters: Int64  # (SEARCH_COUNTERS,)
    words: Int32  # (length + 2,) the first and the last are 0
    tags: Int32  # (length + 2,)
    states: Records  # STATE
    stack: Records  # STACK_NODE
    constituents: Int32  # (constituents, COLUMNS)
    queue: Records  # QUEUE_NODE
    beam: Int32  # (beam,) states, the best first
    next_beam: Int32
    candidates: Records  # CANDIDATE (beam,)
    scores: Scores  # (A,) of the actions in the current state
    legal: Int32  # (ranges, 2) the legal actions there
    elements: Int32  # constituents; see TransitionTemplates
    atoms: Int32  # (atoms,) their values
    keys: Keys  # (templates + those of the queue * tokens,)
    rows: Places  # (as many,) where the rows of its features start
