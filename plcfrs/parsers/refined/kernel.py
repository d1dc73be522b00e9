"""The kernels of refined grammars: sums and maxima over substates in forests and in fixed trees.

A symbol with n substates has n numbers. The *entries* of a rule are the choices of substates for
its left-hand side and its children that have a probability above 0. A *pair* is a tag with a class
of words; it has a number for each substate of the tag.

Numbers are scaled so that they do not underflow in a long sentence (Petrov et al. 2006; Petrov and
Klein 2007). The highest inside number of an item or a node is 1; the logarithm of the scale is
stored. The products of inside and outside numbers are posterior probabilities.

Arrays of numbers have a 1 at their end, for the missing second child of a unary rule. Arrays of
scales have a 0 there. Fixed trees give expected counts, and losses from merging substates.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plcfrs.chart.kernel.arrays import Costs, Int32, Int64
from plcfrs.jit import inner_kernel, kernel

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


@inner_kernel
def scale_down(numbers: Costs) -> float:
    """Divide non-negative numbers by the highest, and return the highest; 0 if all are 0."""
    highest = 0.0
    for place in range(numbers.shape[0]):
        highest = max(highest, numbers[place])
    if highest > 0.0:
        for place in range(numbers.shape[0]):
            numbers[place] /= highest
    return highest


@kernel
def sum_inside(
    forest: Hypergraph,
    refinement: Refinement,
    start: Int64,
    inside: Costs,
    scale: Costs,
    factor: Costs,
) -> None:
    """Add up the derivations of each item and substate, given the numbers of tags.

    The numbers of an item start at `start`; at first, all except those of tags are 0. Scales are
    natural logarithms, negative infinity for items without derivations. A factor says by how much
    the scales of an edge's children exceed the mother's.
    """
    for item in range(forest.label.shape[0]):
        first, end = forest.edge_start[item], forest.edge_start[item + 1]
        if first < end:
            scale[item] = _highest_scale(forest, scale, item)
        if scale[item] == -np.inf:
            continue
        numbers = inside[start[item] : start[item + 1]]
        for edge in range(first, end):
            left, right, rule = forest.left[edge], forest.right[edge], forest.rule[edge]
            factor[edge] = np.exp(scale[left] + scale[right] - scale[item])
            if factor[edge] > 0.0:
                lefts, rights = inside[start[left] :], inside[start[right] :]
                for entry in range(refinement.rule_start[rule], refinement.rule_start[rule + 1]):
                    numbers[refinement.state[entry]] += (
                        refinement.probability[entry]
                        * factor[edge]
                        * lefts[refinement.left[entry]]
                        * rights[refinement.right[entry]]
                    )
        highest = scale_down(numbers)
        scale[item] += np.log(highest) if highest > 0.0 else -np.inf
        for edge in range(first, end):
            factor[edge] = factor[edge] / highest if highest > 0.0 else 0.0


@kernel
def sum_outside(
    forest: Hypergraph,
    refinement: Refinement,
    start: Int64,
    inside: Costs,
    factor: Costs,
    outside: Costs,
    posterior: Costs,
) -> None:
    """Add up the complete derivations with a hole at each item and substate.

    The inside numbers and factors come from `sum_inside`; the goal must have derivations. The
    outside numbers and posteriors are 0 at first. A posterior is the probability that a derivation
    has the edge.
    """
    goal = forest.label.shape[0] - 1
    outside[start[goal]] = 1.0 / inside[start[goal]]
    for item in range(goal, -1, -1):
        numbers = outside[start[item] : start[item + 1]]
        for edge in range(forest.edge_start[item], forest.edge_start[item + 1]):
            left, right = start[forest.left[edge]], start[forest.right[edge]]
            rule = forest.rule[edge]
            if factor[edge] > 0.0:
                for entry in range(refinement.rule_start[rule], refinement.rule_start[rule + 1]):
                    below, beside = left + refinement.left[entry], right + refinement.right[entry]
                    above = numbers[refinement.state[entry]] * factor[edge]
                    above *= refinement.probability[entry]
                    to_left = above * inside[beside]
                    outside[below] += to_left
                    outside[beside] += above * inside[below]
                    posterior[edge] += to_left * inside[below]


@kernel
def find_best(
    forest: Hypergraph,
    refinement: Refinement,
    start: Int64,
    best: Costs,
    scale: Costs,
    chosen_edge: Int64,
    chosen_entry: Int64,
) -> None:
    """Find the most probable derivation of each item and substate, its edge and its entry.

    `best` and `scale` are like `inside` and `scale` of `sum_inside`.
    """
    for item in range(forest.label.shape[0]):
        first, end = forest.edge_start[item], forest.edge_start[item + 1]
        if first < end:
            scale[item] = _highest_scale(forest, scale, item)
        if scale[item] == -np.inf:
            continue
        for edge in range(first, end):
            left, right, rule = forest.left[edge], forest.right[edge], forest.rule[edge]
            factor = np.exp(scale[left] + scale[right] - scale[item])
            if factor > 0.0:
                lefts, rights = best[start[left] :], best[start[right] :]
                for entry in range(refinement.rule_start[rule], refinement.rule_start[rule + 1]):
                    state = start[item] + refinement.state[entry]
                    value = refinement.probability[entry] * factor
                    value *= lefts[refinement.left[entry]] * rights[refinement.right[entry]]
                    if value > best[state]:
                        best[state] = value
                        chosen_edge[state] = edge
                        chosen_entry[state] = entry
        highest = scale_down(best[start[item] : start[item + 1]])
        scale[item] += np.log(highest) if highest > 0.0 else -np.inf


@inner_kernel
def _highest_scale(forest: Hypergraph, scale: Costs, item: int) -> float:
    """Return the highest scale among the edges of an item."""
    highest = -np.inf
    for edge in range(forest.edge_start[item], forest.edge_start[item + 1]):
        highest = max(highest, scale[forest.left[edge]] + scale[forest.right[edge]])
    return highest


class EventWorkspace(NamedTuple):
    """Memory for the numbers of a tree: N is the size of the largest tree, S the most substates.

    The last row is for the missing second child of a unary rule; its inside number is 1.
    """

    inside: Costs  # (N + 1, S)
    outside: Costs  # (N + 1, S)
    scale: Costs  # (N,) the divisors of the inside numbers
    counts: Costs  # sums, shaped like the probabilities of rules
    pair_counts: Costs  # sums, shaped like the probabilities of pairs


@kernel
def count_events(events: Events, refinement: Refinement, work: EventWorkspace) -> float:
    """Add the expected count of each entry and pair to the counts of the workspace.

    Return the natural logarithm of the probability of all trees, with the classes of their words.
    """
    log_likelihood = 0.0
    for tree in range(events.tree_start.shape[0] - 1):
        log_likelihood += _sum_inside(events, refinement, tree, work)
        _sum_outside(events, refinement, tree, work)
    return log_likelihood


@kernel
def add_merge_losses(
    events: Events,
    refinement: Refinement,
    work: EventWorkspace,
    state_start: Int64,
    share: Costs,
    losses: Costs,
) -> None:
    """Add up the likelihood that merging each pair of sister substates loses.

    The loss is computed for one pair of sisters at one node at a time (Petrov et al. 2006, section
    2.3): the inside number of the merged substate is the mean of theirs, weighted by their
    frequencies (`share`, relative to both), and its outside number is their sum. The losses are
    natural logarithms, at the place of the first sister. The workspace gets counts, too.
    """
    for tree in range(events.tree_start.shape[0] - 1):
        _sum_inside(events, refinement, tree, work)
        _sum_outside(events, refinement, tree, work)
        first, end = events.tree_start[tree], events.tree_start[tree + 1]
        for node in range(end - first):
            inside, outside = work.inside[node], work.outside[node]
            label = events.label[first + node]
            for state in range(0, refinement.states[label] - 1, 2):
                place = state_start[label] + state
                in1, in2 = inside[state], inside[state + 1]
                out1, out2 = outside[state], outside[state + 1]
                mean = share[place] * in1 + share[place + 1] * in2
                merged = 1.0 - in1 * out1 - in2 * out2 + mean * (out1 + out2)
                losses[place] -= np.log(max(merged, 1e-300))


@kernel
def _sum_inside(events: Events, refinement: Refinement, tree: int, work: EventWorkspace) -> float:
    """Fill in the inside numbers of a tree; return the logarithm of its probability."""
    first, end = events.tree_start[tree], events.tree_start[tree + 1]
    log_probability = 0.0
    for node in range(end - first):
        event, left = events.event[first + node], events.left[first + node]
        states = refinement.states[events.label[first + node]]
        inside = work.inside[node]
        if left < 0:
            start = refinement.pair_start[event]
            for state in range(states):
                inside[state] = refinement.pair_probability[start + state]
        else:
            for state in range(states):
                inside[state] = 0.0
            lefts, rights = work.inside[left], work.inside[events.right[first + node]]
            for entry in range(refinement.rule_start[event], refinement.rule_start[event + 1]):
                inside[refinement.state[entry]] += (
                    refinement.probability[entry]
                    * lefts[refinement.left[entry]]
                    * rights[refinement.right[entry]]
                )
        work.scale[node] = scale_down(inside[:states])
        log_probability += np.log(work.scale[node])
    return float(log_probability + np.log(work.inside[end - first - 1, 0]))


@kernel
def _sum_outside(events: Events, refinement: Refinement, tree: int, work: EventWorkspace) -> None:
    """Fill in the outside numbers of a tree with inside numbers, and add to the counts."""
    first, end = events.tree_start[tree], events.tree_start[tree + 1]
    for node in range(end - first):
        for state in range(refinement.states[events.label[first + node]]):
            work.outside[node, state] = 0.0
    work.outside[end - first - 1, 0] = 1.0 / work.inside[end - first - 1, 0]
    for node in range(end - first - 1, -1, -1):
        event, left = events.event[first + node], events.left[first + node]
        right = events.right[first + node]
        inside, outside = work.inside[node], work.outside[node]
        if left < 0:
            start = refinement.pair_start[event]
            for state in range(refinement.states[events.label[first + node]]):
                work.pair_counts[start + state] += inside[state] * outside[state]
            continue
        for entry in range(refinement.rule_start[event], refinement.rule_start[event + 1]):
            below, beside = refinement.left[entry], refinement.right[entry]
            # After this division the numbers of the children need no further scaling.
            above = outside[refinement.state[entry]] / work.scale[node]
            above *= refinement.probability[entry]
            to_left = above * work.inside[right, beside]
            work.outside[left, below] += to_left
            work.outside[right, beside] += above * work.inside[left, below]
            work.counts[entry] += to_left * work.inside[left, below]
