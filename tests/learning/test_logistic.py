"""Logistic regression, and a naive one with a dictionary of weights."""

from collections import defaultdict
from math import exp, sqrt

import numpy as np

from plcfrs.learning import logistic
from plcfrs.learning.kernel import logistic as kernel
from plcfrs.learning.kernel.sequences import Candidates
from plcfrs.learning.logistic import _EPOCHS, _LEAST, find, train
from plcfrs.learning.templates import ContextTemplates

LABELS = 4
LISTS = [[0, 1, 2, 3], [1, 3]]
CANDIDATES = Candidates(np.array([0, 4, 6]), np.array([*LISTS[0], *LISTS[1]], np.int32))


def examples(seed, number=60, values=5):
    random = np.random.default_rng(seed)
    table = random.integers(1, values + 1, (number, 3)).astype(np.uint64)
    keys = ContextTemplates("abc", ["a", "b", "c"]).keys(table)
    lists = random.integers(2, size=number).tolist()
    gold = [random.choice(LISTS[each]).item() for each in lists]
    return keys, gold, lists


def naive_weights(keys, gold, lists, seed):
    weights, squares = defaultdict(float), defaultdict(float)
    random = np.random.default_rng(seed)
    for _ in range(_EPOCHS):
        for number in random.permutation(len(keys)):
            row, labels = keys[number].tolist(), LISTS[lists[number]]
            odds = {label: exp(sum(weights[key, label] for key in row)) for label in labels}
            for label in labels:
                error = odds[label] / sum(odds.values()) - (label == gold[number])
                for pair in [(key, label) for key in row] if abs(error) > kernel._SMALL else []:
                    squares[pair] += error * error
                    rate = kernel._RATE / sqrt(1 + squares[pair])
                    moved = weights[pair] - rate * error
                    size = max(abs(moved) - rate * kernel._PENALTY, 0)
                    weights[pair] = size if moved > 0 else -size
    return {pair: weight if abs(weight) >= _LEAST else 0.0 for pair, weight in weights.items()}


def test_it_learns_what_a_naive_one_learns(monkeypatch):
    monkeypatch.setattr(logistic, "_SEEN", 0)
    keys, gold, lists = examples(1)
    found = find(train(keys, gold, lists, CANDIDATES, LABELS, 7), keys, lists, CANDIDATES, LABELS)
    weights = naive_weights(keys, gold, lists, 7)

    def score(row, label):
        return sum(weights.get((key, label), 0.0) for key in row)

    for row, number, label in zip(keys.tolist(), lists, found, strict=True):
        best = max(score(row, each) for each in LISTS[number])
        assert label in LISTS[number]
        assert score(row, label) > best - 0.02  # weights are stored with 16 bits


def test_it_separates_what_can_be_separated():
    keys, _, _ = examples(2)
    gold, lists = (keys[:, 0] % LABELS).tolist(), [0] * len(keys)
    weights = train(keys, gold, lists, CANDIDATES, LABELS, 1)
    assert find(weights, keys, lists, CANDIDATES, LABELS) == gold


def test_weights_find_room():
    keys, gold, lists = examples(3, number=3000, values=2000)
    keys = np.repeat(keys, 2, axis=0)  # so that all features are frequent enough
    gold, lists = np.repeat(gold, 2).tolist(), np.repeat(lists, 2).tolist()
    weights = train(keys, gold, lists, CANDIDATES, LABELS, 1)
    found = find(weights, keys, lists, CANDIDATES, LABELS)
    assert np.mean(np.array(found) == gold) > 0.9
