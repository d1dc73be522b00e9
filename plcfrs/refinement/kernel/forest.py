"""Sums and maxima over the substates of all derivations in a forest.

The inside numbers of an item are scaled so that the highest is 1, and the logarithm of the scale is
stored separately, so that nothing underflows in a long sentence. The outside numbers are scaled so
that the products of both are posterior probabilities.

Arrays of numbers have a 1 at their end, for the missing second child of a unary rule. Arrays of
scales have a 0 there.
"""

from __future__ import annotations

import numpy as np

from plcfrs.chart.kernel.arrays import Costs, Int64
from plcfrs.jit import inner_kernel, kernel
from plcfrs.refinement.kernel.arrays import Hypergraph, Refinement
from plcfrs.refinement.kernel.scaling import scale_down


@kernel
def sum_inside(
    forest: Hypergraph,
    refinement: Refinement,
    start: Int64,
    inside: Costs,
    scale: Costs,
    factor: Costs,
) -> None:
    """Add up the derivations of each item and substate, from those of tags, which are given.

    The numbers of an item start at `start`; all but those of tags are 0. Scales are natural
    logarithms, negative infinity for items without derivations. A factor says by how much the
    scales of an edge's children exceed that of the mother.
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

    The inside numbers and factors are those of `sum_inside`; the goal must have derivations. The
    outside numbers and posteriors are 0 before; a posterior is the probability that a derivation
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
