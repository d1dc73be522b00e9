"""How much each expert counts, for constituents without and with gaps.

The weights are those of a log-linear model of the derivations of a forest. There are two for each
expert. They maximize the probability of the derivations that are nearest to gold trees, less a
penalty for weights that are far from each other (a conditional random field; Lafferty et al. 2001).
No weight is negative: then an expert would be believed to be wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from plcfrs.chart import Forest
from plcfrs.chart.kernel.arrays import Costs
from plcfrs.experts.decoding import best_derivation
from plcfrs.experts.judgement import Judgement, scores_of_edges
from plcfrs.experts.sums import score_sums
from plcfrs.experts.votes import nearest
from plcfrs.trees import Tree

# Lower scores count as this one: no expert alone can forbid what all others want.
_LEAST = -20.0

ROUNDS = 100
_RATE = 0.2

# Of squared differences: of the weights of an expert for constituents without and with gaps, and of
# each weight and 1.
_GAP_PENALTY = 20.0
_PENALTY = 1.0


class Example(NamedTuple):
    """A forest with what each of N experts says of it.

    Parameters
    ----------
    forest : Forest
        With E edges.
    scores : float64 array (2 * N, E)
        Of the edges without gaps, and then of those with gaps, by each expert.
    target : float64 array (2 * N,)
        The sums of these scores over the derivation nearest to the gold tree.
    """

    forest: Forest
    scores: Costs
    target: Costs


def scores_of_experts(forest: Forest, judgements: Sequence[Judgement]) -> Costs:
    """Return the scores of edges by each expert: first without gaps, then with gaps.

    Parameters
    ----------
    forest : Forest
    judgements : sequence of Judgement

    Returns
    -------
    float64 array (2 * experts, E)
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
    forest : Forest
    scores : float64 array (2 * experts, E)
        See `scores_of_experts`.
    gold : Tree
        Of the same sentence.
    """
    edges = best_derivation(forest, scores_of_edges(forest, nearest(forest, gold))).edges
    return Example(forest, scores, scores[:, edges[edges >= 0]].sum(axis=1))


def learn_weights(
    examples: Sequence[Example], experts: int, step: Callable[[], object] = lambda: None
) -> Costs:
    """Return the weights of experts.

    Parameters
    ----------
    examples : sequence of Example
    experts : int
        How many.
    step : callable
        Called after each round.

    Returns
    -------
    float64 array (2 * experts,)
        For constituents without gaps, and then for those with gaps.
    """
    weights = np.full(2 * experts, 1.0 / experts)
    squares = np.full(2 * experts, 1e-8)
    for _ in range(ROUNDS):
        gradient = gradient_of(examples, weights)
        squares += gradient**2
        weights = np.maximum(weights + _RATE * gradient / np.sqrt(squares), 0.0)
        step()
    return weights


def objective_of(examples: Sequence[Example], weights: Costs) -> float:
    """Return the log-likelihood of the targets, less the penalty."""
    total = 0.0
    for forest, scores, target in examples:
        total += float(weights @ target) - score_sums(forest, weights @ scores).log_probability
    without, with_gap = np.split(weights, 2)
    total -= _GAP_PENALTY * float(((with_gap - without) ** 2).sum())
    return total - _PENALTY * float(((weights - 1.0) ** 2).sum())


def gradient_of(examples: Sequence[Example], weights: Costs) -> Costs:
    """Return the gradient of the objective: scores of targets less expected scores."""
    total = np.zeros_like(weights)
    for forest, scores, target in examples:
        total += target - scores @ score_sums(forest, weights @ scores).edge_posterior
    without, with_gap = np.split(weights, 2)
    difference = 2 * _GAP_PENALTY * (with_gap - without)
    total += np.concatenate([difference, -difference])
    total -= 2 * _PENALTY * (weights - 1.0)
    return total
