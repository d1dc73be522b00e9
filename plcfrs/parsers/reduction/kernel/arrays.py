"""All arrays that the kernels for dependency trees see: scores, features, and memory for searches.

Words are numbered from 1 to n; 0 is the root, which has exactly one dependent. The score of a tree
is the sum of the scores of its parts:

``arcs[h, m]``
    m is attached to h; -inf where it must not be.
``siblings[h, s, m]``
    m is attached to h, and s is the next dependent of h on the same side that is nearer to h; s is
    h if m is the nearest one.
``grandparents[g, h, m]``
    m is attached to h, and h is attached to g.
``crossing[h, x, m]``
    m is attached to h, and x is the word nearest to m that is between them and not below h.
    Only the search for crossing arcs uses these scores.

Scores of arcs are finite or -inf; all other scores are finite. The memory may be larger than a
sentence needs, and its contents before a search do not matter.

Features have rows for n tokens: 0 is the root, and n + 1 stands for no token. A *part* of a tree
has three places: the head and the modifier of an arc, and a third one that depends on the kind of
part. The key of a feature is a sum, with a summand for each place, and one for the *relation* of
the places, their directions and distances. So the summands of a sentence are prepared once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plcfrs.learning.kernel.arrays import Int32, Keys, Places

Scores = NDArray[np.float64]
PartScores = NDArray[np.float32]


class Parts(NamedTuple):
    """The scores of all parts of the trees of a sentence with n words."""

    arcs: Scores  # (n + 1, n + 1)
    siblings: PartScores  # (n + 1, n + 1, n + 1)
    grandparents: PartScores  # (n + 1, n + 1, n + 1)
    crossing: PartScores  # (n + 1, n + 1, n + 1)


class EisnerChart(NamedTuple):
    """Memory for projective trees of up to N words.

    A *half* is a word with all words up to an end on one side; they all depend on it.
    """

    half: Scores  # (N + 1, N + 1) the best half of a word up to an end
    arc: Scores  # (N + 1, N + 1) the best half of a head whose last dependent has none beyond it
    pair: Scores  # (N + 1, N + 1) the best two halves between two words
    last: Int32  # (N + 1, N + 1) the last dependent in a half
    nearer: Int32  # (N + 1, N + 1) the dependent before the last one, or the head
    split: Int32  # (N + 1, N + 1) the end of the left one of two halves
    stack: Int32  # (N + 1, 2) halves to be traced back: word, end


class Contraction(NamedTuple):
    """Memory for spanning trees of up to N words.

    Cycles are contracted to single nodes. New nodes get the next numbers, after the words. A
    contracted node has the row and the column of one of its words.
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
    """Memory for the dependents of each head in a tree of up to N words; 0 stands for none."""

    nearest: Int32  # (N + 1, 2) the nearest dependent of a head on its left and on its right
    farther: Int32  # (N + 1,) the next dependent on the same side that is farther from the head


class Decomposition(NamedTuple):
    """Memory for dual decomposition of trees of up to N words."""

    tree_share: Scores  # ((N + 1) ** 2,) the part of an arc's score that the spanning tree gets
    head_share: Scores  # (N + 1, N + 1) the part that its head gets
    dependent_share: Scores  # (N + 1, N + 1) the part that its dependent gets
    chosen: Int32  # (N + 1, N + 1) who chose an arc: see `decomposition`
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


Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

# The most atoms of a template at one place.
WIDTH = 4

# Bins of distances: 1, 2, 3, 4, 5, 6-7, 8-10, 11-15, 16-25, more.
BINS = 10

# Relations of parts: see the functions that compute them in `features`.
ARC_RELATIONS = 2 * BINS
SIBLING_RELATIONS = 4 * BINS
GRANDPARENT_RELATIONS = 6


class PartTemplates(NamedTuple):
    """The T feature templates of a kind of part."""

    columns: Places  # (3, T, WIDTH) of the attributes of the token at each of the three places
    factors: Keys  # (3, T, WIDTH) 0 where a template has fewer atoms
    relations: Keys  # (relations, T)


class PartSummands(NamedTuple):
    """The summands of the keys of a kind of part in a sentence."""

    summands: Keys  # (3, n + 2, T)
    relations: Keys  # (relations, T)


class PartFeatures(NamedTuple):
    """The features of a sentence."""

    arcs: PartSummands
    between: PartSummands  # arcs and the tags between head and modifier
    siblings: PartSummands
    grandparents: PartSummands
    crossing: PartSummands  # arcs that are not projective
    crossed: PartSummands  # such arcs, and a word between that does not depend on the head
    tags: Keys  # (n + 2,)
    seen: Keys  # (n + 2,) scratch memory: tags that are different
    firsts: Int32  # (n + 2,) scratch memory: where they are first
