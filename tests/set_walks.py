"""Trees, derivations and scores for tests of the set-based system."""

import numpy as np
from strategies import trees

from plcfrs.parsers.neural.configuration import (
    CombineSets,
    Configuration,
    LabelFocus,
    NoLabel,
    Shift,
    apply,
    constituents_of,
    structure_transitions,
)

LABELS = ("", "NP", "ROOT", "ROOT+S", "VP")


def plain_trees(max_tokens=10):
    """Random trees with crossing branches and unary chains, without function tags."""
    return trees(max_tokens).map(_without_functions)


def _without_functions(tree):
    for node in tree.nodes():
        node.functions = ()
    return tree


def golds(max_tokens=6):
    """The constituents of a random tree, and its number of tokens."""
    found = plain_trees(max_tokens)
    return found.map(lambda tree: (constituents_of(tree), len(tree.tokens)))


def written(text):
    """Return transitions in the notation of the design, such as ``SH/- C3/NP``."""
    found = []
    for pair in text.split():
        step, label = pair.split("/")
        found.append(Shift() if step == "SH" else CombineSets(int(step[1:])))
        found.append(NoLabel() if label == "-" else LabelFocus(label))
    return found


def legal_transitions(configuration, labels=("NP", "VP")):
    if configuration.steps % 2 == 0:
        return structure_transitions(configuration)
    return [*map(LabelFocus, labels), *[NoLabel()] * (not configuration.is_full)]


def random_walk(random, length, labels=("NP", "VP")):
    """Return the configurations of a random derivation, and its transitions."""
    configurations, transitions = [Configuration(length)], []
    while not configurations[-1].is_final:
        transitions.append(random.choice(legal_transitions(configurations[-1], labels)))
        configurations.append(apply(configurations[-1], transitions[-1]))
    return configurations, transitions


def mask(*tokens):
    return sum(1 << token for token in tokens)


class WildScorer:
    """Scores that look random; they depend on the length and the places within a sentence only."""

    def __init__(self, lengths, seed=0):
        random = np.random.default_rng(seed)
        self.weights = random.uniform(1, 9, (9, len(LABELS)))
        self.places = np.array([*(place for each in lengths for place in range(each)), -1])
        self.lengths = np.array([each for each in lengths for _ in range(each)])
        self.rows = []

    def structure(self, rows):
        assert rows.dtype == np.int32
        self.rows.append(rows)
        return self._scores(rows)[:, 0]

    def labels(self, rows):
        assert rows.dtype == np.int32
        return self._scores(rows)

    def _scores(self, rows):
        seen = np.column_stack((self.places[rows], self.lengths[rows[:, 0]]))
        sums = np.sin((seen + 2) @ self.weights[: seen.shape[1]] * 100)
        return (3 * sums).astype(np.float32)
