"""Labels of sequences: a beam search, and the perceptron that learns from its mistakes.

Each step of a sequence gets one of its candidates (Collins 2002). The score of a label is the score
of the step's features, and of features that include one or two labels before. The search keeps only
the best of all sequences that look the same to later features.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plcfrs.jit import inner_kernel, kernel
from plcfrs.learning.kernel.arrays import Int32, Int64, Keys, Places, Weights
from plcfrs.learning.kernel.averages import add_scores
from plcfrs.learning.kernel.weights import add, has_room

Floats = NDArray[np.float64]

# Counters of the training.
PLACE, MISTAKES = range(2)
COUNTERS = 2

_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xD6E8FEB86659FD93)
_HALF = np.uint64(32)


class Sequences(NamedTuple):
    """The steps of sequences, with their features and labels."""

    start: Int64  # (sequences + 1,) the first step of each sequence
    key_start: Int64  # (steps + 1,)
    keys: Keys  # of the features of the steps
    pair_keys: Keys  # (steps, P) of features that are combined with the label before
    triple_keys: Keys  # (T,) the same in all steps: combined with the two labels before
    candidates: Int32  # (steps,) the number of the list of candidates
    gold: Int32  # (steps,) the gold labels; empty if they are not known


class Candidates(NamedTuple):
    """Lists of labels."""

    start: Int64  # (lists + 1,)
    labels: Int32


class Beams(NamedTuple):
    """Arrays for sequences of up to N steps with L labels: the K best up to each step."""

    step_scores: Floats  # (L,) by the features of a step
    context_scores: Floats  # (L,) by the labels before it
    size: Int32  # (N + 1,) sequences up to a step; the first row is before all steps
    score: Floats  # (N + 1, K)
    label: Int32  # (N + 1, K) the last one; L before the first step
    before: Int32  # (N + 1, K) the place of the sequence without the last label, in the row before
    best: Int32  # (N,) the best labels
    keys: Keys  # (P + T,)
    rows: Places  # (as many as features of a step) where the rows of features start


@kernel
def find_labels(
    weights: Weights, sequences: Sequences, candidates: Candidates, beams: Beams, sequence: int
) -> None:
    """Find the best labels of a sequence, and write them to `best`."""
    first, end = sequences.start[sequence], sequences.start[sequence + 1]
    beams.size[0], beams.score[0, 0], beams.before[0, 0] = 1, 0.0, 0
    beams.label[0, :] = len(beams.step_scores)
    for step in range(first, end):
        here = step - first
        beams.step_scores[:] = 0.0
        keys = sequences.keys[sequences.key_start[step] : sequences.key_start[step + 1]]
        add_scores(weights, keys, beams.rows, beams.step_scores)
        beams.size[here + 1] = 0
        for place in range(beams.size[here]):
            _extend(weights, sequences, candidates, beams, step, here, place)
    place = 0
    for here in range(end - first, 0, -1):
        beams.best[here - 1] = beams.label[here, place]
        place = beams.before[here, place]


@kernel
def find_all_labels(
    weights: Weights, sequences: Sequences, candidates: Candidates, beams: Beams, labels: Int32
) -> None:
    """Write the best labels of all steps."""
    for sequence in range(len(sequences.start) - 1):
        find_labels(weights, sequences, candidates, beams, sequence)
        first, end = sequences.start[sequence], sequences.start[sequence + 1]
        for step in range(first, end):
            labels[step] = beams.best[step - first]


@kernel
def learn_labels(
    weights: Weights,
    sequences: Sequences,
    candidates: Candidates,
    beams: Beams,
    order: Int64,
    time: float,
    counters: Int64,
) -> None:
    """Learn from sequences until there is no room for more weights.

    Parameters
    ----------
    weights : Weights
    sequences : Sequences
    candidates : Candidates
    beams : Beams
    order : array of int
        The order of the sequences.
    time : float
        The number of sequences before the first one.
    counters : array of int
        PLACE is where to begin in the order, and moves on; MISTAKES are added up.
    """
    while counters[PLACE] < len(order):
        sequence = order[counters[PLACE]]
        first, end = sequences.start[sequence], sequences.start[sequence + 1]
        features = sequences.key_start[end] - sequences.key_start[first]
        features += len(beams.keys) * (end - first)
        if not has_room(weights.learned, 2 * features):
            return
        find_labels(weights, sequences, candidates, beams, sequence)
        now = time + counters[PLACE] + 1.0
        counters[MISTAKES] += _update(weights, sequences, beams, first, end, now)
        counters[PLACE] += 1


@inner_kernel
def _extend(
    weights: Weights,
    sequences: Sequences,
    candidates: Candidates,
    beams: Beams,
    step: int,
    here: int,
    place: int,
) -> None:
    """Extend a sequence by each candidate, and put the good ones into the next beam."""
    last = beams.label[here, place]
    before = beams.label[here - 1, beams.before[here, place]] if here > 0 else last
    _fill_keys(beams.keys, sequences, step, before, last)
    beams.context_scores[:] = 0.0
    add_scores(weights, beams.keys, beams.rows, beams.context_scores)
    number = sequences.candidates[step]
    sees_two = len(sequences.triple_keys) > 0
    for candidate in range(candidates.start[number], candidates.start[number + 1]):
        label = candidates.labels[candidate]
        score = beams.score[here, place] + beams.step_scores[label] + beams.context_scores[label]
        _insert(beams, here, place, label, score, sees_two)


@inner_kernel
def _insert(beams: Beams, here: int, before: int, label: int, score: float, sees_two: bool) -> None:
    """Insert a sequence into the beam after a step, best first, if it is good enough.

    Of equal ones, the earlier comes first. In an exact search, the lower label comes first, and
    then the lower label before.
    """
    size, beam, labels = beams.size[here + 1], beams.score[here + 1], beams.label[here + 1]
    if size == len(beam) and score <= beam[size - 1]:
        return
    last = beams.label[here, before]
    hole = size
    for place in range(size):
        other = beams.label[here, beams.before[here + 1, place]]
        if labels[place] == label and (not sees_two or other == last):
            if score < beam[place] or (score == beam[place] and other <= last):
                return
            hole = place
    if hole == size:
        hole = min(size, len(beam) - 1)
        beams.size[here + 1] = hole + 1
    while hole > 0 and (
        beam[hole - 1] < score
        or (beam[hole - 1] == score and labels[hole - 1] > label and not sees_two)
    ):
        beam[hole], labels[hole] = beam[hole - 1], labels[hole - 1]
        beams.before[here + 1, hole] = beams.before[here + 1, hole - 1]
        hole -= 1
    beam[hole], labels[hole], beams.before[here + 1, hole] = score, label, before


@inner_kernel
def _update(
    weights: Weights, sequences: Sequences, beams: Beams, first: int, end: int, time: float
) -> int:
    """Reward the gold labels and punish wrong ones; return the number of wrong ones."""
    learned, mistakes, sees_two = weights.learned, 0, len(sequences.triple_keys) > 0
    gold1 = gold2 = predicted1 = predicted2 = len(beams.step_scores)  # one and two steps before
    for step in range(first, end):
        gold, predicted = sequences.gold[step], beams.best[step - first]
        if gold != predicted:
            mistakes += 1
            keys = sequences.keys[sequences.key_start[step] : sequences.key_start[step + 1]]
            add(learned, keys, len(keys), gold, 1.0, time)
            add(learned, keys, len(keys), predicted, -1.0, time)
        if gold != predicted or gold1 != predicted1 or (sees_two and gold2 != predicted2):
            _fill_keys(beams.keys, sequences, step, gold2, gold1)
            add(learned, beams.keys, len(beams.keys), gold, 1.0, time)
            _fill_keys(beams.keys, sequences, step, predicted2, predicted1)
            add(learned, beams.keys, len(beams.keys), predicted, -1.0, time)
        gold2, gold1, predicted2, predicted1 = gold1, gold, predicted1, predicted
    return mistakes


@inner_kernel
def _fill_keys(keys: Keys, sequences: Sequences, step: int, before: int, last: int) -> None:
    """Fill in the features that include the last label, or the last two."""
    pairs = sequences.pair_keys.shape[1]
    for number in range(pairs):
        keys[number] = _combined(sequences.pair_keys[step, number], last)
    for number in range(len(sequences.triple_keys)):
        pair = _combined(sequences.triple_keys[number], before)
        keys[pairs + number] = _combined(pair, last)


@inner_kernel
def _combined(key: np.uint64, label: int) -> np.uint64:
    key += np.uint64(label + 1) * _FACTOR
    key = (key ^ (key >> _HALF)) * _MIX
    return key ^ (key >> _HALF)
