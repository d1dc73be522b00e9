"""Chains of steps that get labels: their arrays, training and search."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plcfrs.dependency.kernel import labels as kernel
from plcfrs.dependency.kernel.labels import Candidates, Chains, LabelSearch
from plcfrs.linear.kernel.arrays import Int64, Keys, Weights
from plcfrs.linear.weights import averaged, enlarge_weights, new_weights

_EPOCHS = 10

# Features seen at least this often are learned.
_LEAST = 2


class Steps(NamedTuple):
    """The steps of the chains of a sentence.

    Parameters
    ----------
    start : list of int
        Where each chain starts among the steps, and where the last one ends.
    keys : array of (steps, features)
        0 stands for no feature.
    pair_keys : array of (steps, features)
        Of features that are combined with the label of the step before.
    candidates : list of int
        The number of the list of candidates of each step.
    """

    start: list[int]
    keys: Keys
    pair_keys: Keys
    candidates: list[int]


def train(
    sentences: Sequence[Steps],
    gold: Sequence[int],
    candidates: Candidates,
    labels: int,
    seed: int,
) -> Weights:
    """Return the averaged weights of a perceptron (Collins 2002).

    Parameters
    ----------
    sentences : sequence of Steps
        At least one.
    gold : sequence of int
        The labels of all steps.
    candidates : Candidates
    labels : int
        Number of labels.
    seed : int
        Of the order in which chains are visited.
    """
    chains = _training_chains(sentences, gold)
    weights, search, size = (
        new_weights(actions=labels),
        _search(chains, labels),
        len(chains.start) - 1,
    )
    random = np.random.default_rng(seed)
    for epoch in range(_EPOCHS):
        order = random.permutation(size)
        counters = np.zeros(kernel.COUNTERS, np.int64)
        while counters[kernel.PLACE] < size:
            time = float(epoch * size)
            kernel.learn_labels(weights, chains, candidates, search, order, time, counters)
            if counters[kernel.PLACE] < size:
                weights = enlarge_weights(weights)
        if counters[kernel.MISTAKES] == 0:
            break
    return averaged(weights, float((epoch + 1) * size))


def find(weights: Weights, steps: Steps, candidates: Candidates, labels: int) -> list[int]:
    """Return the best label of each step.

    Parameters
    ----------
    weights : Weights
    steps : Steps
    candidates : Candidates
    labels : int
        Number of labels.
    """
    chains = Chains(
        np.array(steps.start, np.int64),
        *_chosen(steps.keys, steps.keys != 0),
        steps.pair_keys,
        np.array(steps.candidates, np.int32),
        np.zeros(0, np.int32),
    )
    found = np.empty(len(steps.keys), np.int32)
    kernel.find_all_labels(weights, chains, candidates, _search(chains, labels), found)
    return found.tolist()


def _training_chains(sentences: Sequence[Steps], gold: Sequence[int]) -> Chains:
    """Return all chains with the keys of features that are not too rare."""
    first = accumulate((steps.start[-1] for steps in sentences), initial=0)
    starts = [
        before + start
        for before, steps in zip(first, sentences, strict=False)
        for start in steps.start[:-1]
    ]
    keys = np.concatenate([steps.keys for steps in sentences])
    return Chains(
        np.array([*starts, len(gold)], np.int64),
        *_chosen(keys, _is_frequent(keys)),
        np.concatenate([steps.pair_keys for steps in sentences]),
        np.array([number for steps in sentences for number in steps.candidates], np.int32),
        np.array(gold, np.int32),
    )


def _is_frequent(keys: Keys) -> NDArray[np.bool_]:
    is_frequent: NDArray[np.bool_] = keys != 0
    for template, column in enumerate(keys.T):  # one by one, to save memory
        _, places, counts = np.unique(column, return_inverse=True, return_counts=True)
        is_frequent[:, template] &= (counts >= _LEAST)[places]
    return is_frequent


def _chosen(keys: Keys, is_chosen: NDArray[np.bool_]) -> tuple[Int64, Keys]:
    """Return where the chosen keys of each step start, and these keys."""
    return np.append(0, np.cumsum(is_chosen.sum(axis=1))), keys[is_chosen]


def _search(chains: Chains, labels: int) -> LabelSearch:
    """Return memory for the search in the longest chain."""
    steps = int(np.diff(chains.start).max(initial=0))
    pairs = chains.pair_keys.shape[1]
    features = int(np.diff(chains.key_start).max(initial=0))
    return LabelSearch(
        step_scores=np.empty(labels),
        pair_scores=np.empty(labels),
        scores=np.empty((steps, labels)),
        before=np.zeros((steps, labels), np.int32),
        found=np.empty(steps, np.int32),
        keys=np.empty(pairs, np.uint64),
        rows=np.empty(max(features, pairs), np.uint32),
    )
