"""The arrays of refined grammars that the kernels see.

A symbol with n substates has n numbers. The *entries* of a rule are the choices of substates for
its left-hand side and its children that have a probability above 0. A *pair* is a tag with a class
of words; it has a number for each substate of the tag.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plcfrs.chart.kernel.arrays import Costs, Int32, Int64

Substates = NDArray[np.int16]


class Skeleton(NamedTuple):
    """The rules and pairs without substates: L labels, R rules, P pairs."""

    labels: int
    rule_labels: Int32  # (R, 3) left-hand side, first child, second child or -1
    pair_label: Int32  # (P,) the tag


class Refinement(NamedTuple):
    """The substates of all symbols, and the probabilities of choices of substates."""

    states: Int32  # (L,) number of substates
    rule_start: Int64  # (R + 1,) where the entries of a rule start in the next arrays
    state: Substates  # of the left-hand side
    left: Substates  # of the first child
    right: Substates  # of the second child, 0 if there is none
    probability: Costs
    pair_start: Int64  # (P + 1,) where the probabilities of a pair start in the next array
    pair_probability: Costs


class Events(NamedTuple):
    """The derivations of T trees with N nodes in total; children come before their mothers."""

    tree_start: Int64  # (T + 1,) where the nodes of a tree start in the next arrays
    label: Int32  # (N,)
    event: Int32  # (N,) the rule, or the pair of a leaf
    left: Int32  # (N,) the first child, counted from the first node of the tree; -1 for a leaf
    right: Int32  # (N,) the second child, -1 if there is none


class Hypergraph(NamedTuple):
    """A forest without cycles: I items, children before mothers; E edges, without scanned tags.

    The goal is the last item.
    """

    label: Int32  # (I,)
    edge_start: Int64  # (I + 1,) the edges of a mother in the next arrays
    rule: Int32  # (E,)
    left: Int32  # (E,) item of the first child
    right: Int32  # (E,) item of the second child, -1 if there is none
