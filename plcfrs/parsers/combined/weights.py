"""The weights of members, and the calibration of their sum.

Weights maximize the expected number of right constituents minus wrong ones (minimum risk; Smith and
Eisner 2006). Then all scores are divided by a temperature, because models are often too sure, and
`plcfrs.forest.posteriors` corrects the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf, log
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from plcfrs.chart import Forest
from plcfrs.chart.forest import span_of_item
from plcfrs.chart.kernel.arrays import Costs
from plcfrs.forest.posteriors import PRIOR, Calibration, fit_calibration
from plcfrs.forest.scored_forest import best_derivation
from plcfrs.forest.votes import (
    ForestScores,
    nearest,
    posteriors_in_forest,
    score_sums,
    scores_of_edges,
)
from plcfrs.parsing.parse import chances_of
from plcfrs.threads import one_thread
from plcfrs.trees import ROOT, Tree

# Lower scores count as this one, so that no member can forbid what all others want.
_LOWEST_SCORE = -20.0
ROUNDS = 40
_RATE = 0.4

# Penalties of squared differences: between the weights of a kind for constituents without and with
# gaps, between each of these and the mean of weights that add up to 1, and between a member and the
# mean of its kind.
_GAP_PENALTY = 20.0
_PENALTY = 2.0
_OWN_PENALTY = 20.0

# The change of scores that approximates a derivative.
_SCORE_CHANGE = 1e-3


class WeightExample(NamedTuple):
    """A forest with the scores of all members.

    Parameters
    ----------
    scores : float64 array (2 * members, E)
        See `scores_of_members`.
    agreement : float64 array (E,)
        1 for edges whose mother is a right constituent, -1 if it is a wrong one.
    """

    forest: Forest
    scores: Costs
    agreement: Costs


def scores_of_members(forest: Forest, all_scores: Sequence[ForestScores]) -> Costs:
    """Return each member's scores of the edges, as a float64 array (2 * members, E).

    The first half has the scores of edges without gaps, the second half those of edges with gaps;
    all others are 0.
    """
    fan_out = forest.compiled.arrays.labels["fan_out"][forest.label]
    has_gap = fan_out[forest.edge_mother] > 1
    scores = np.maximum([scores_of_edges(forest, each) for each in all_scores], _LOWEST_SCORE)
    return np.concatenate([np.where(has_gap, 0.0, scores), np.where(has_gap, scores, 0.0)])


def example_of(forest: Forest, scores: Costs, gold: Tree) -> WeightExample:
    """Return an example to learn weights from, given `scores_of_members` and the gold tree."""
    return WeightExample(forest, scores, scores_of_edges(forest, nearest(forest, gold)))


@one_thread
def learn_weights(
    examples: Sequence[WeightExample],
    kinds: Sequence[str],
    step: Callable[[], object] = lambda: None,
) -> Costs:
    """Return the weights of members of these kinds; `step` is called after each round.

    These are the weights of a log-linear model of derivations: for constituents without gaps, and
    then with gaps, as a float64 array (2 * members,). They are not negative: a negative weight
    would take a member to be wrong. Maximizing the likelihood of the best derivations would count
    rules and intermediate symbols, too, and trust members that were trained that way too much.

    Members of a kind make the same mistakes. So the sum of their weights is learned as one weight,
    and each one's difference from their mean as another. A copy of a member takes half its weight.
    """
    same = same_kind(kinds)
    size = same.sum(axis=0)
    weights = best = np.tile(1.0 / (size * len(set(kinds))), 2)
    squares = np.full((2, 2, len(kinds)), 1e-8)
    highest = -inf
    for _ in range(ROUNDS):
        objective, gradient = objective_of(examples, weights, same)
        if objective > highest:
            highest, best = objective, weights
        mean = gradient.reshape(2, -1) @ same / size
        parts = np.array([mean, gradient.reshape(2, -1) - mean])
        squares += parts**2
        shared, own = _RATE * parts / np.sqrt(squares)
        changes = shared / size + own - own @ same / size
        weights = np.maximum(weights + changes.ravel(), 0.0)
        step()
    return best


def same_kind(kinds: Sequence[str]) -> Costs:
    """Return whether members have the same kind: 1 or 0, a float64 array (members, members)."""
    return np.array([[float(row == column) for column in kinds] for row in kinds])


def objective_of(
    examples: Sequence[WeightExample], weights: Costs, same: Costs
) -> tuple[float, Costs]:
    """Return the expected number of right minus wrong constituents, less a penalty; its gradient.

    The penalty is for weights that are far from each other; see `same_kind`. The gradient is the
    covariance of scores and agreement: the derivative of the expected scores if the agreement is
    added to the scores.
    """
    total, gradient = 0.0, np.zeros_like(weights)
    for forest, scores, agreement in examples:
        higher, lower = (
            score_sums(forest, weights @ scores + change * agreement).edge_posterior
            for change in (_SCORE_CHANGE, -_SCORE_CHANGE)
        )
        total += float(agreement @ (higher + lower)) / 2
        gradient += scores @ (higher - lower) / (2 * _SCORE_CHANGE)
    size = same.sum(axis=0)
    sums = weights.reshape(2, -1) @ same
    own = weights.reshape(2, -1) - sums / size
    difference, distance = sums - sums[::-1], sums - 1.0 / (1.0 / size).sum()
    shared = (_GAP_PENALTY * difference**2 / 2 + _PENALTY * distance**2) / size
    total -= float((shared + _OWN_PENALTY * own**2).sum())
    for penalty, each in (_GAP_PENALTY, difference), (_PENALTY, distance), (_OWN_PENALTY, own):
        gradient -= 2 * penalty * each.ravel()
    return total, gradient


# The logarithm of a temperature has the prior of a calibration.
_TEMPERATURES = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0)


def calibrate(scored: Sequence[tuple[Forest, Costs, Tree]]) -> tuple[float, Calibration]:
    """Return the temperature and the calibration that maximize the likelihood of gold trees.

    `scored` has forests, the scores of their edges (E,) and the gold trees. The calibration is for
    probabilities from scores divided by the temperature, which is 1 or a power of 2.
    """
    fitted = []
    for temperature in _TEMPERATURES:
        constituents = [
            each
            for forest, scores, tree in scored
            for each in observed(forest, scores / temperature, tree)
        ]
        calibration = fit_calibration(constituents)
        prior = -PRIOR / 2 * log(temperature) ** 2
        fitted.append((prior + calibration.log_likelihood(constituents), temperature, calibration))
    _, temperature, calibration = max(fitted, key=itemgetter(0))
    return temperature, calibration


def observed(forest: Forest, scores: Costs, gold: Tree) -> list[tuple[float, bool]]:
    """Return the probability of each constituent of the best derivation, and whether it is right.

    The scores of edges are a float64 array (E,).
    """
    posteriors = posteriors_in_forest(forest, score_sums(forest, scores))
    symbols = list(forest.compiled.labels)
    gold_constituents = chances_of([(1.0, gold)])
    observations = []
    for item in np.flatnonzero(best_derivation(forest, scores).edges >= 0):
        symbol = symbols[forest.label[item]]
        if symbol.kind == "category" and symbol.category != ROOT:
            constituent = symbol.category, span_of_item(forest, int(item))
            is_right = constituent in gold_constituents
            observations.append((posteriors.get(constituent, 0.0), is_right))
    return observations
