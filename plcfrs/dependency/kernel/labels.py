"""Labels of chains: a Viterbi search, and the perceptron that learns from its mistakes.

A chain is a sequence of steps, and each step gets one of its candidates. The score of a label is
that of the step's features, and of features that are combined with the label of the step before.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plcfrs.jit import inner_kernel, kernel
from plcfrs.linear.kernel.arrays import Int32, Int64, Keys, Places, Weights
from plcfrs.linear.kernel.learned import add, has_room
from plcfrs.linear.kernel.scores import add_scores

Scores = NDArray[np.float64]

# Counters of the training.
PLACE, MISTAKES = range(2)
COUNTERS = 2


class Chains(NamedTuple):
    """The steps of chains, with their features and labels."""

    start: Int64  # (chains + 1,) the first step of each chain
    key_start: Int64  # (steps + 1,)
    keys: Keys  # of the features of the steps
    pair_keys: Keys  # (steps, P) of the features that are combined with the label before
    candidates: Int32  # (steps,) the number of the list of candidates
    gold: Int32  # (steps,) the gold labels; empty if they are not known


class Candidates(NamedTuple):
    """Lists of labels."""

    start: Int64  # (lists + 1,)
    labels: Int32


class LabelSearch(NamedTuple):
    """Memory for the search in a chain of at most N steps; there are L labels."""

    step_scores: Scores  # (L,)
    pair_scores: Scores  # (L,)
    scores: Scores  # (N, L) of the best chain up to a step that ends with a label
    before: Int32  # (N, L) the label of the step before
    found: Int32  # (N,) the best labels
    keys: Keys  # (P,)
    rows: Places  # (as many as features of a step) where the rows of features start


@kernel
def find_labels(
    weights: Weights,
    chains: Chains,
    candidates: Candidates,
    search: LabelSearch,
    chain: int,
) -> None:
    """Find the best labels of a chain.

    Parameters
    ----------
    weights : Weights
    chains : Chains
    candidates : Candidates
    search : LabelSearch
        `found` are the best labels.
    chain : int
    """
    first, end = chains.start[chain], chains.start[chain + 1]
    for step in range(first, end):
        _score_step(weights, chains, search, step)
        here = step - first
        search.scores[here, :] = -np.inf
        if step == first:
            _extend(weights, chains, candidates, search, step, 0, len(search.step_scores), 0.0)
            continue
        before_start, before_stop = _list_of(chains, candidates, step - 1)
        for place in range(before_start, before_stop):
            before = candidates.labels[place]
            score = search.scores[here - 1, before]
            _extend(weights, chains, candidates, search, step, here, before, score)
    _follow(chains, candidates, search, first, end)


@kernel
def find_all_labels(
    weights: Weights, chains: Chains, candidates: Candidates, search: LabelSearch, labels: Int32
) -> None:
    """Write the best labels of all steps."""
    for chain in range(len(chains.start) - 1):
        find_labels(weights, chains, candidates, search, chain)
        first, end = chains.start[chain], chains.start[chain + 1]
        for step in range(first, end):
            labels[step] = search.found[step - first]


@kernel
def learn_labels(
    weights: Weights,
    chains: Chains,
    candidates: Candidates,
    search: LabelSearch,
    order: Int64,
    time: float,
    counters: Int64,
) -> None:
    """Learn from chains until there is no room for more weights.

    Parameters
    ----------
    weights : Weights
    chains : Chains
    candidates : Candidates
    search : LabelSearch
    order : array of int
        The order in which chains are visited.
    time : float
        How many chains have been seen before the first one.
    counters : array of int
        PLACE is where to begin in the order, and is moved on; MISTAKES are counted.
    """
    while counters[PLACE] < len(order):
        chain = order[counters[PLACE]]
        first, end = chains.start[chain], chains.start[chain + 1]
        features = chains.key_start[end] - chains.key_start[first]
        features += chains.pair_keys.shape[1] * (end - first)
        if not has_room(weights.learned, 2 * features):
            return
        find_labels(weights, chains, candidates, search, chain)
        counters[MISTAKES] += _update(
            weights, chains, search, first, end, time + counters[PLACE] + 1.0
        )
        counters[PLACE] += 1


@inner_kernel
def _list_of(chains: Chains, candidates: Candidates, step: int) -> tuple[int, int]:
    """Return where the candidates of a step begin and end."""
    number = chains.candidates[step]
    return candidates.start[number], candidates.start[number + 1]


@inner_kernel
def _score_step(weights: Weights, chains: Chains, search: LabelSearch, step: int) -> None:
    """Score the labels of a step by its own features."""
    scores = search.step_scores
    scores[:] = 0.0
    keys = chains.keys[chains.key_start[step] : chains.key_start[step + 1]]
    add_scores(weights, keys, search.rows, scores)


@inner_kernel
def _extend(
    weights: Weights,
    chains: Chains,
    candidates: Candidates,
    search: LabelSearch,
    step: int,
    here: int,
    before: int,
    score: float,
) -> None:
    """Extend the best chain that ends with a label by each candidate of the next step."""
    _fill_keys(search.keys, chains.pair_keys[step], before)
    search.pair_scores[:] = 0.0
    add_scores(weights, search.keys, search.rows, search.pair_scores)
    start, stop = _list_of(chains, candidates, step)
    for place in range(start, stop):
        label = candidates.labels[place]
        total = score + search.step_scores[label] + search.pair_scores[label]
        if total > search.scores[here, label]:
            search.scores[here, label] = total
            search.before[here, label] = before


@inner_kernel
def _follow(
    chains: Chains, candidates: Candidates, search: LabelSearch, first: int, end: int
) -> None:
    """Follow the best chain from its end to its beginning."""
    start, stop = _list_of(chains, candidates, end - 1)
    last = end - first - 1
    best = candidates.labels[start]
    for place in range(start + 1, stop):
        label = candidates.labels[place]
        if search.scores[last, label] > search.scores[last, best]:
            best = label
    for step in range(last, -1, -1):
        search.found[step] = best
        best = search.before[step, best]


@inner_kernel
def _update(
    weights: Weights, chains: Chains, search: LabelSearch, first: int, end: int, time: float
) -> int:
    """Reward the gold labels and punish wrong ones; return the number of wrong ones."""
    learned, mistakes = weights.learned, 0
    gold_before = found_before = len(search.step_scores)
    for step in range(first, end):
        gold, found = chains.gold[step], search.found[step - first]
        if gold != found:
            mistakes += 1
            keys = chains.keys[chains.key_start[step] : chains.key_start[step + 1]]
            add(learned, keys, len(keys), gold, 1.0, time)
            add(learned, keys, len(keys), found, -1.0, time)
        if gold != found or gold_before != found_before:
            pairs = chains.pair_keys[step]
            _fill_keys(search.keys, pairs, gold_before)
            add(learned, search.keys, len(pairs), gold, 1.0, time)
            _fill_keys(search.keys, pairs, found_before)
            add(learned, search.keys, len(pairs), found, -1.0, time)
        gold_before, found_before = gold, found
    return mistakes


@inner_kernel
def _fill_keys(keys: Keys, pairs: Keys, before: int) -> None:
    """Combine the features of a pair with the label of the step before."""
    for number in range(len(pairs)):
        key = pairs[number] + np.uint64(before + 1) * np.uint64(0x9E3779B97F4A7C15)
        key ^= key >> np.uint64(32)
        key *= np.uint64(0xD6E8FEB86659FD93)
        keys[number] = key ^ (key >> np.uint64(32))
