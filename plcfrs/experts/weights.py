"""How much each member counts, for constituents without and with gaps.

The weights are those of a log-linear model of the derivations of a forest. There are two for each
member. They maximize by how many more constituents are expected to be right than wrong (minimum
risk; Smith and Eisner 2006), less a penalty for weights that are far from each other. The
likelihood of the best derivations would do so for rules and intermediate symbols, too, and trust
a member too much that was trained in the same way. No weight is negative: then a member would be
believed to be wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import NamedTuple

import numpy as np

from plcfrs.chart import Forest
from plcfrs.chart.kernel.arrays import Costs
from plcfrs.experts.judgement import Judgement, scores_of_edges
from plcfrs.experts.sums import score_sums
from plcfrs.experts.votes import nearest
from plcfrs.trees import Tree

# Lower scores count as this one: no member alone can forbid what all others want.
_LEAST = -20.0

ROUNDS = 40
_RATE = 0.4

# Of squared differences: of the weights of a member for constituents without and with gaps, and of
# each weight and the mean of weights that add up to 1.
_GAP_PENALTY = 20.0
_PENALTY = 2.0

# Changes of scores from which a derivative is computed.
_CHANGE = 1e-3


class Example(NamedTuple):
    """A forest with what each of N members says of it.

    Parameters
    ----------
    forest : Forest
        With E edges.
    scores : float64 array (2 * N, E)
        Of the edges without gaps, and then of those with gaps, by each member.
    agreement : float64 array (E,)
        1 for edges whose mother is a right constituent, -1 for those of wrong ones.
    """

    forest: Forest
    scores: Costs
    agreement: Costs


def scores_of_members(forest: Forest, judgements: Sequence[Judgement]) -> Costs:
    """Return the scores of edges by each member: first without gaps, then with gaps.

    Returns
    -------
    float64 array (2 * members, E)
        Zero for edges of the other kind.
    """
    fan_out = forest.compiled.arrays.labels["fan_out"][forest.label]
    has_gap = fan_out[forest.edge_mother] > 1
    scores = np.maximum([scores_of_edges(forest, each) for each in judgements], _LEAST)
    return np.concatenate([np.where(has_gap, 0.0, scores), np.where(has_gap, scores, 0.0)])


def example_of(forest: Forest, scores: Costs, gold: Tree) -> Example:
    """Return an example to learn weights from.

    Parameters
    ----------
    scores : float64 array (2 * members, E)
        See `scores_of_members`.
    gold : Tree
        Of the same sentence.
    """
    return Example(forest, scores, scores_of_edges(forest, nearest(forest, gold)))


def learn_weights(
    examples: Sequence[Example], members: int, step: Callable[[], object] = lambda: None
) -> Costs:
    """Return the weights of members.

    Parameters
    ----------
    members : int
        How many.
    step : callable
        Called after each round.

    Returns
    -------
    float64 array (2 * members,)
        For constituents without gaps, and then for those with gaps.
    """
    weights = best = np.full(2 * members, 1.0 / members)
    squares = np.full(2 * members, 1e-8)
    highest = -inf
    for _ in range(ROUNDS):
        objective, gradient = objective_of(examples, weights)
        if objective > highest:
            highest, best = objective, weights
        squares += gradient**2
        weights = np.maximum(weights + _RATE * gradient / np.sqrt(squares), 0.0)
        step()
    return best


def objective_of(examples: Sequence[Example], weights: Costs) -> tuple[float, Costs]:
    """Return by how many more constituents are right than wrong, less the penalty; its gradient.

    The gradient is the covariance of scores and agreement: the derivative of the expected scores if
    the agreement is added to the scores by which derivations are chosen.
    """
    total, gradient = 0.0, np.zeros_like(weights)
    for forest, scores, agreement in examples:
        higher, lower = (
            score_sums(forest, weights @ scores + change * agreement).edge_posterior
            for change in (_CHANGE, -_CHANGE)
        )
        total += float(agreement @ (higher + lower)) / 2
        gradient += scores @ (higher - lower) / (2 * _CHANGE)
    without, with_gap = np.split(weights, 2)
    difference, distance = with_gap - without, weights - 2.0 / len(weights)
    total -= float(_GAP_PENALTY * (difference**2).sum() + _PENALTY * (distance**2).sum())
    gradient += 2 * _GAP_PENALTY * np.concatenate([difference, -difference])
    gradient -= 2 * _PENALTY * distance
    return total, gradient
