"""Logistic regression: labels of decisions by their features, learned from all mistakes at once.

Each decision has one of its candidates. The probability of a label depends on the sum of the
weights of the features. A step of learning follows the gradient of the likelihood; it is smaller
for weights that have changed much (Duchi and others 2011), and pulls all weights towards 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plcfrs.jit import inner_kernel, kernel
from plcfrs.learning.kernel.arrays import Int32, Int64, Keys, Learned, Places, Weights
from plcfrs.learning.kernel.averages import add_scores
from plcfrs.learning.kernel.sequences import Candidates
from plcfrs.learning.kernel.weights import entry_of, has_room

Floats = NDArray[np.float64]

_RATE = np.float32(0.07)
_PENALTY = np.float32(0.001)

# A smaller error of a probability changes nothing, to save time and room.
_SMALL = 0.01


class Decisions(NamedTuple):
    """Decisions, with their features and labels."""

    start: Int64  # (decisions + 1,) the first key of each decision
    keys: Keys
    candidates: Int32  # (decisions,) the number of the list of candidates
    gold: Int32  # (decisions,) the gold labels; empty if they are not known


class Memory(NamedTuple):
    """Arrays for decisions with L labels and up to F features."""

    scores: Floats  # (L,)
    rows: Places  # (F,) where the rows of features start


@kernel
def decide_all(
    weights: Weights,
    decisions: Decisions,
    candidates: Candidates,
    memory: Memory,
    labels: Int32,
) -> None:
    """Write the best label of each decision."""
    for decision in range(len(labels)):
        _score(weights, decisions, memory, decision)
        first, end = _candidates(candidates, decisions, decision)
        best = candidates.labels[first]
        for candidate in range(first + 1, end):
            label = candidates.labels[candidate]
            if memory.scores[label] > memory.scores[best]:
                best = label
        labels[decision] = best


@kernel
def find_chances(
    weights: Weights,
    decisions: Decisions,
    candidates: Candidates,
    memory: Memory,
    chances: Floats,
) -> None:
    """Write the probability of each candidate of each decision, (decisions, L)."""
    for decision in range(len(chances)):
        _score(weights, decisions, memory, decision)
        first, end = _candidates(candidates, decisions, decision)
        _to_probabilities(memory.scores, candidates.labels[first:end])
        for candidate in range(first, end):
            label = candidates.labels[candidate]
            chances[decision, label] = memory.scores[label]


@kernel
def learn_decisions(
    weights: Weights,
    decisions: Decisions,
    candidates: Candidates,
    memory: Memory,
    order: Int64,
    learned_before: int,
) -> int:
    """Learn from decisions until there is no room for more weights.

    The totals of the weights are sums of squared gradients.

    Parameters
    ----------
    weights : Weights
    decisions : Decisions
    candidates : Candidates
    memory : Memory
    order : array of int
        The order of the decisions.
    learned_before : int
        Where to begin in the order.

    Returns
    -------
    int
        The place in the order that comes next.
    """
    for place in range(learned_before, len(order)):
        decision = order[place]
        keys = decisions.keys[decisions.start[decision] : decisions.start[decision + 1]]
        if not has_room(weights.learned, 2 * len(keys)):
            return place
        _score(weights, decisions, memory, decision)
        first, end = _candidates(candidates, decisions, decision)
        _to_probabilities(memory.scores, candidates.labels[first:end])
        for candidate in range(first, end):
            label = candidates.labels[candidate]
            error = memory.scores[label] - (label == decisions.gold[decision])
            if abs(error) > _SMALL:
                for key in keys:
                    _follow(weights.learned, entry_of(weights.learned, key, label), error)
    return len(order)


@inner_kernel
def _score(weights: Weights, decisions: Decisions, memory: Memory, decision: int) -> None:
    memory.scores[:] = 0.0
    keys = decisions.keys[decisions.start[decision] : decisions.start[decision + 1]]
    add_scores(weights, keys, memory.rows, memory.scores)


@inner_kernel
def _candidates(
    candidates: Candidates, decisions: Decisions, decision: int
) -> tuple[np.int64, np.int64]:
    """Return where the candidates of a decision begin and end."""
    number = decisions.candidates[decision]
    return candidates.start[number], candidates.start[number + 1]


@inner_kernel
def _to_probabilities(scores: Floats, labels: Int32) -> None:
    """Replace the scores of labels with their probabilities (softmax)."""
    best = scores[labels[0]]
    for label in labels:
        best = max(best, scores[label])
    total = 0.0
    for label in labels:
        scores[label] = np.exp(scores[label] - best)
        total += scores[label]
    for label in labels:
        scores[label] /= total


@inner_kernel
def _follow(learned: Learned, place: int, gradient: float) -> None:
    """Change a weight against a gradient, and move it towards 0, but not beyond."""
    learned.totals[place] += np.float32(gradient * gradient)
    rate = _RATE / np.sqrt(np.float32(1) + learned.totals[place])
    value = learned.values[place] - rate * np.float32(gradient)
    size = max(abs(value) - rate * _PENALTY, np.float32(0))
    learned.values[place] = size if value > 0 else -size
