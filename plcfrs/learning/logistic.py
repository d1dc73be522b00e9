"""Logistic regression over features, for decisions that do not depend on each other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from plcfrs.learning.kernel import logistic as kernel
from plcfrs.learning.kernel.arrays import Keys, Weights
from plcfrs.learning.kernel.logistic import Decisions, Floats, Memory
from plcfrs.learning.kernel.sequences import Candidates
from plcfrs.learning.sequences import frequent_features
from plcfrs.learning.weights import averaged, enlarge_weights, new_weights

# All decisions are seen this often, or more often if there are few.
_EPOCHS = 8
_SEEN = 40_000

# Smaller weights than this are most of the weights, and change next to nothing.
_LEAST = 0.03


def train(
    keys: Keys,
    gold: Sequence[int],
    numbers: Sequence[int],
    candidates: Candidates,
    labels: int,
    seed: int,
) -> Weights:
    """Return the weights of features.

    Parameters
    ----------
    keys : array of (decisions, features)
        0 stands for no feature.
    gold : sequence of int
        The labels of all decisions.
    numbers : sequence of int
        The number of the list of candidates of each decision.
    candidates : Candidates
    labels : int
        Number of labels.
    seed : int
        Of the order of the decisions.
    """
    is_used = frequent_features(keys)
    decisions = Decisions(
        np.append(0, np.cumsum(is_used.sum(axis=1))),
        keys[is_used],
        np.array(numbers, np.int32),
        np.array(gold, np.int32),
    )
    weights, memory = new_weights(actions=labels), _memory(keys, labels)
    random = np.random.default_rng(seed)
    for _ in range(max(_EPOCHS, _SEEN // max(len(keys), 1))):
        order, place = random.permutation(len(keys)), 0
        while place < len(keys):
            place = kernel.learn_decisions(weights, decisions, candidates, memory, order, place)
            if place < len(keys):
                weights = enlarge_weights(weights)
    learned = weights.learned
    learned.values[np.abs(learned.values) < _LEAST] = 0
    learned.totals[:] = 0  # so that averages are the weights themselves
    return averaged(weights, 1)


def find(
    weights: Weights, keys: Keys, numbers: Sequence[int], candidates: Candidates, labels: int
) -> list[int]:
    """Return the best label of each decision; see `train`."""
    best = np.empty(len(keys), np.int32)
    decisions = _decisions(keys, numbers)
    kernel.decide_all(weights, decisions, candidates, _memory(keys, labels), best)
    return best.tolist()


def find_chances(
    weights: Weights, keys: Keys, numbers: Sequence[int], candidates: Candidates, labels: int
) -> Floats:
    """Return the probabilities of all labels (decisions, labels); see `train`."""
    chances = np.zeros((len(keys), labels))
    decisions = _decisions(keys, numbers)
    kernel.find_chances(weights, decisions, candidates, _memory(keys, labels), chances)
    return chances


def _decisions(keys: Keys, numbers: Sequence[int]) -> Decisions:
    start = np.arange(len(keys) + 1) * keys.shape[1]
    return Decisions(start, keys.ravel(), np.array(numbers, np.int32), np.zeros(0, np.int32))


def _memory(keys: Keys, labels: int) -> Memory:
    return Memory(np.empty(labels), np.empty(keys.shape[1], np.uint32))
