"""The search for the labels of chains, and its perceptron, against plain Python."""

from collections import defaultdict
from itertools import product

import numpy as np
from quick import core
from weights_by_key import learned_weights

from plcfrs.learning.kernel import sequences as kernel
from plcfrs.learning.kernel.sequences import Sequences
from plcfrs.learning.sequences import CandidateLists, new_beams
from plcfrs.learning.weights import new_weights

LABELS = 4
LISTS = [[0, 1, 2, 3], [2], [1, 3], [0, 2, 3]]


def random_chains(random: np.random.Generator, pairs: int = 2, triples: int = 0) -> Sequences:
    """Return chains of one to four steps, with features from a small inventory."""
    lengths = random.integers(1, 5, size=12)
    steps = int(lengths.sum())
    sizes = random.integers(0, 4, size=steps)
    candidates = random.integers(0, len(LISTS), size=steps)
    return Sequences(
        np.append(0, np.cumsum(lengths)),
        np.append(0, np.cumsum(sizes)),
        random.integers(1, 9, size=int(sizes.sum())).astype(np.uint64) << np.uint64(40),
        random.integers(1, 4, size=(steps, pairs)).astype(np.uint64) << np.uint64(50),
        random.integers(1, 4, size=triples).astype(np.uint64) << np.uint64(50),
        candidates.astype(np.int32),
        np.array([random.choice(LISTS[number]) for number in candidates], np.int32),
    )


def combined(key: int, label: int) -> int:
    """Return the key of a feature that is combined with a label."""
    key = (key + (label + 1) * 0x9E3779B97F4A7C15) % 2**64
    key = (key ^ key >> 32) * 0xD6E8FEB86659FD93 % 2**64
    return key ^ key >> 32


def features(chains: Sequences, chain: int, labels: list[int]) -> list[tuple[int, int, int]]:
    """Return the features of a labelled chain: the step, the key and the label."""
    found, before, last = [], LABELS, LABELS
    for step, label in enumerate(labels, start=int(chains.start[chain])):
        keys = chains.keys[chains.key_start[step] : chains.key_start[step + 1]].tolist()
        keys += [combined(key, last) for key in chains.pair_keys[step].tolist()]
        keys += [combined(combined(key, before), last) for key in chains.triple_keys.tolist()]
        found += [(step, key, label) for key in keys]
        before, last = last, label
    return found


class Naive:
    """A perceptron that looks at all labellings."""

    def __init__(self):
        self.weights = defaultdict(float)

    def score(self, chains, chain, labels):
        return sum(self.weights[key, label] for _, key, label in features(chains, chain, labels))

    def scores(self, chains, chain):
        steps = range(chains.start[chain], chains.start[chain + 1])
        labellings = product(*(LISTS[chains.candidates[step]] for step in steps))
        return {labels: self.score(chains, chain, labels) for labels in labellings}

    def learn(self, chains, chain, found):
        gold = chains.gold[chains.start[chain] : chains.start[chain + 1]].tolist()
        for labels, change in ((gold, 1.0), (found, -1.0)):
            for _, key, label in features(chains, chain, labels):
                self.weights[key, label] += change


@core(1, ("pairs", "triples"), [(0, 0), (2, 0), (1, 1)])
@core(1, "seed", range(3))
def test_search_and_learning(seed, pairs, triples, monkeypatch):
    monkeypatch.setattr("plcfrs.learning.sequences._BEAM", LABELS**2)  # exact
    random = np.random.default_rng(seed)
    chains = random_chains(random, pairs, triples)
    candidates = CandidateLists(dict(enumerate(LISTS))).arrays
    weights, search, naive = (
        new_weights(LABELS, 1000, 9000),
        new_beams(chains, candidates, LABELS),
        Naive(),
    )
    mistakes = 0
    with np.errstate(over="ignore"):
        for chain in random.integers(0, 12, size=30):
            kernel.find_labels(weights, chains, candidates, search, chain)
            gold = chains.gold[chains.start[chain] : chains.start[chain + 1]]
            found = tuple(search.best[: len(gold)].tolist())
            scores = naive.scores(chains, chain)
            assert scores[found] == max(scores.values())
            counters = np.zeros(kernel.COUNTERS, np.int64)
            order = np.array([chain])
            kernel.learn_labels(weights, chains, candidates, search, order, 0.0, counters)
            assert counters.tolist() == [1, (np.array(found) != gold).sum()]
            mistakes += counters[kernel.MISTAKES]
            naive.learn(chains, chain, found)
    assert mistakes > 5
    learned = {place: weight for place, weight in learned_weights(weights).items() if weight}
    assert learned == {place: weight for place, weight in naive.weights.items() if weight}


def test_all_chains():
    chains = random_chains(np.random.default_rng(5))
    candidates = CandidateLists(dict(enumerate(LISTS))).arrays
    weights, search = new_weights(LABELS, 1000, 9000), new_beams(chains, candidates, LABELS)
    counters = np.zeros(kernel.COUNTERS, np.int64)
    found = np.empty(len(chains.gold), np.int32)
    with np.errstate(over="ignore"):
        kernel.learn_labels(weights, chains, candidates, search, np.arange(12), 0.0, counters)
        kernel.find_all_labels(weights, chains, candidates, search, found)
        for chain in range(12):
            kernel.find_labels(weights, chains, candidates, search, chain)
            part = found[chains.start[chain] : chains.start[chain + 1]]
            assert part.tolist() == search.best[: len(part)].tolist()


def test_learning_stops_where_there_is_no_room():
    chains = random_chains(np.random.default_rng(7))
    candidates = CandidateLists(dict(enumerate(LISTS))).arrays
    counters = np.zeros(kernel.COUNTERS, np.int64)
    order = np.arange(12)
    search = new_beams(chains, candidates, LABELS)
    with np.errstate(over="ignore"):
        kernel.learn_labels(
            new_weights(LABELS, 9, 9), chains, candidates, search, order, 0.0, counters
        )
    assert counters[kernel.PLACE] < 12
