"""The arrays of searches for dependency trees: scores, and the memory of each search.

Words are numbered from 1 to n; 0 is the root, which has exactly one dependent. The score of a tree
is the sum of the scores of its parts:

``arcs[h, m]``
    m is attached to h; -inf where it must not be.
``siblings[h, s, m]``
    m is attached to h, and s is the next dependent of h that is nearer to h on the same side; s is
    h if m is the nearest one.
``grandparents[g, h, m]``
    m is attached to h, which is attached to g.
``crossing[h, x, m]``
    m is attached to h, and x is between them and not below h, of all such words the nearest to m.
    Only the search for crossing arcs knows of these scores.

Scores of arcs are finite or -inf, those of the other parts finite. The memory may be larger than
a sentence needs, and what it holds before a search does not matter.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plcfrs.linear.kernel.arrays import Int32

Scores = NDArray[np.float64]
PartScores = NDArray[np.float32]


class Parts(NamedTuple):
    """The scores of all parts of the trees of a sentence with n words."""

    arcs: Scores  # (n + 1, n + 1)
    siblings: PartScores  # (n + 1, n + 1, n + 1)
    grandparents: PartScores  # (n + 1, n + 1, n + 1)
    crossing: PartScores  # (n + 1, n + 1, n + 1)


class Chart(NamedTuple):
    """Memory for projective trees of at most N words.

    A *half* is a word with all words up to an end on one side, all of which depend on it.
    """

    half: Scores  # (N + 1, N + 1) the best half of a word up to an end
    arc: Scores  # (N + 1, N + 1) the best half of a head whose last dependent has none beyond it
    pair: Scores  # (N + 1, N + 1) the best two halves between two words
    last: Int32  # (N + 1, N + 1) the last dependent in a half
    nearer: Int32  # (N + 1, N + 1) the dependent before the last one, or the head
    split: Int32  # (N + 1, N + 1) the end of the left one of two halves
    stack: Int32  # (N + 1, 2) halves to be traced back: word, end


class Contraction(NamedTuple):
    """Memory for spanning trees of at most N words.

    Cycles are contracted to single nodes. Nodes are numbered in the order in which they are made,
    words first. A contracted node has the row and the column of one of its words.
    """

    score: Scores  # (N + 1, N + 1) of the best arc to a row from a column
    head: Int32  # (N + 1, N + 1) the words of this arc: the head
    dependent: Int32  # (N + 1, N + 1) and its dependent
    node: Int32  # (N + 1,) the node of a row, -1 if it is in the node of another row
    state: Int32  # (N + 1,) of a row
    path: Int32  # (N + 1,) rows, each with its head in the next one
    best: Scores  # (N + 1,) the score of the best arc to a row on the path
    above: Int32  # (2N + 1,) the node that a node was contracted to, -1 for none
    best_head: Int32  # (2N + 1,) the words of the best arc to a node
    best_dependent: Int32  # (2N + 1,)
    is_open: Int32  # (2N + 1,) whether the arc to a node is still to be chosen


class Links(NamedTuple):
    """Memory for the dependents of each head in a tree of at most N words; 0 stands for none."""

    nearest: Int32  # (N + 1, 2) the nearest dependent of a head on its left and on its right
    farther: Int32  # (N + 1,) the next dependent on the same side that is farther from the head


class Relaxation(NamedTuple):
    """Memory for upper bounds of the scores of trees of at most N words."""

    tree_share: Scores  # ((N + 1) ** 2,) the part of an arc's score that the spanning tree gets
    head_share: Scores  # (N + 1, N + 1) the part that its head gets
    dependent_share: Scores  # (N + 1, N + 1) the part that its dependent gets
    chosen: Int32  # (N + 1, N + 1) who chose an arc: see `bound`
    heads: Int32  # (N + 1, N + 1) heads that a word may have
    head_count: Int32  # (N + 1,)
    dependents: (
        Int32  # (N + 1, 2, N) dependents that a head may have on each side, from near to far
    )
    dependent_count: Int32  # (N + 1, 2)
    best: Scores  # (N,) the best dependents of a side up to one of them
    before: Int32  # (N,) the place of the one before it, -1 for none
    score: Scores  # (N + 1,) of the choice of a word
    is_changed: Int32  # (N + 1,) whether shares of a word have changed since its choice
    tree: Int32  # (N + 1,) the spanning tree
