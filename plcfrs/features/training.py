"""Training the weights of features: the target of each sentence gets more probable in its forest.

The derivative of ``log p`` of the target by a weight is how often its feature occurs in the target,
minus how often it is expected in a derivation of the forest (Finkel et al. 2008).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import fsum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plcfrs.binarization import Markovization, binarize_tree
from plcfrs.chart import Forest
from plcfrs.chart.kernel.arrays import Costs, Int64
from plcfrs.experts import MARKOVIZATION, score_sums, scores_of_edges
from plcfrs.experts.forests import jackknifed_forests
from plcfrs.extraction import derivation_of
from plcfrs.features.atoms import SymbolNumbers, Symbols, Words, words_of
from plcfrs.features.grammar import PLACES
from plcfrs.features.kernel.weights import Weights, add_counts, take_step
from plcfrs.features.scoring import Features
from plcfrs.features.settings import Settings
from plcfrs.features.targets import Gold, nearest
from plcfrs.linear.hashed import checked
from plcfrs.linear.kernel.arrays import Scores
from plcfrs.trees import Tree

_RATE = 0.05
_PENALTY = 0.05

# Counts closer to 0 change nothing.
_LEAST_COUNT = 1e-4


class Example(NamedTuple):
    """A sentence to learn from.

    Parameters
    ----------
    forest : Forest
        Of a grammar that did not see the sentence.
    symbols : Symbols
        Of this grammar.
    words : Words
    target : int64 array (edges,)
        The edges of the derivation that should be the most probable one.
    """

    forest: Forest
    symbols: Symbols
    words: Words
    target: Int64


class Derivative(NamedTuple):
    """The derivative of ``log p`` of a target by the scores of edges and items.

    Parameters
    ----------
    log_probability : float
    of_edges : float64 array (E,)
    of_items : float64 array (I,)
    """

    log_probability: float
    of_edges: Costs
    of_items: Costs


def derivative_of(forest: Forest, target: Int64, scores: Costs) -> Derivative:
    """Return the probability of a target in a log-linear model, and its derivative.

    Parameters
    ----------
    forest : Forest
        Without cycles.
    target : int64 array (edges,)
        The edges of a derivation.
    scores : float64 array (E,)
        Of all edges with their mothers.
    """
    sums = score_sums(forest, scores)
    of_edges, of_items = -sums.edge_posterior, -sums.posterior
    of_edges[target] += 1.0
    of_items[forest.edge_mother[target]] += 1.0
    return Derivative(fsum(scores[target]) - sums.log_probability, of_edges, of_items)


class State(NamedTuple):
    """What is stored of a training."""

    values: Scores
    squares: Scores


class Training:
    """The training of the weights: first the forests of all sentences, then epoch by epoch.

    Parameters
    ----------
    trees : sequence of Tree
        Transformed trees with heads.
    settings : Settings
    """

    def __init__(self, trees: Sequence[Tree], settings: Settings) -> None:
        self._trees = trees
        self._settings = settings
        self._examples: dict[int, Example] = {}
        self._weights = Weights(*(np.zeros(PLACES, np.float32) for _ in Weights._fields))

    @property
    def weights(self) -> Scores:
        """A copy of the weights so far."""
        return self._weights.values.copy()

    def find_forests(self, step: Callable[[], object] = lambda: None) -> int:
        """Find the forest of each sentence with a grammar of the other trees.

        Parameters
        ----------
        step : callable
            Called after each sentence.

        Returns
        -------
        int
            The number of sentences that have one: the others are not learned from.
        """
        markovization = self._settings.markovization
        numbers = SymbolNumbers()
        for number, forest in jackknifed_forests(self._trees, self._settings.folds, markovization):
            if forest is not None:
                tree = self._trees[number]
                self._examples[number] = example_of(forest, numbers, tree, markovization)
            step()
        return len(self._examples)

    def run_epoch(self, epoch: int, step: Callable[[], object]) -> float:
        """Learn from all sentences once.

        Parameters
        ----------
        epoch : int
            Together with the seed, it decides about the order.
        step : callable
            Called after each sentence.

        Returns
        -------
        float
            The mean of ``log p`` of the targets (natural logarithm), each before it was learned.
        """
        if not self._examples:
            self.find_forests()
        random = np.random.default_rng([self._settings.seed, epoch])
        found = []
        for number in random.permutation(len(self._trees)):
            if number in self._examples:
                found.append(self._learn(self._examples[number]))
            step()
        return fsum(found) / max(1, len(found))

    @property
    def state(self) -> State:
        """The weights and their squares, from which training can continue."""
        return State(self._weights.values, self._weights.squares)

    def resume(self, state: State) -> None:
        """Continue from weights and squares, which are copied.

        Raises
        ------
        ValueError
            If something is damaged.
        """
        values, squares = (checked(array, PLACES).copy() for array in state)
        if (squares < 0).any():
            raise ValueError("the weights are damaged")
        self._weights = Weights(values, squares, np.zeros(PLACES, np.float32))

    def _learn(self, example: Example) -> float:
        """Take a step, and return ``log p`` of the target before it."""
        forest, symbols, words, target = example
        features = Features.of(forest, symbols, words, PLACES)
        scores = scores_of_edges(forest, features.judge(forest, self._weights.values))
        derivative = derivative_of(forest, target, scores)
        rows = counted(features, derivative)
        for places, counts in rows:
            add_counts(places, counts, self._weights.changes)
        for places, counts in rows:
            take_step(places, counts, _RATE, _PENALTY, self._weights)
        return derivative.log_probability


def counted(features: Features, derivative: Derivative) -> list[tuple[NDArray[np.int32], Costs]]:
    """Return the places of all features with the derivatives of their rows; tiny ones are 0."""
    pairs = [(part, derivative.of_items) for part in features.items]
    pairs += [(part, derivative.of_edges) for part in features.edges]
    return [
        (part.places, np.where(np.abs(counts[part.rows]) < _LEAST_COUNT, 0.0, counts[part.rows]))
        for part, counts in pairs
    ]


def example_of(
    forest: Forest,
    numbers: SymbolNumbers,
    tree: Tree,
    markovization: Markovization = MARKOVIZATION,
) -> Example:
    """Return a sentence with its target.

    Parameters
    ----------
    forest : Forest
        Of the sentence.
    numbers : SymbolNumbers
    tree : Tree
        Transformed, with heads.
    markovization : Markovization
        How the trees of the grammar were binarized.
    """
    words = words_of(forest, [token.form for token in tree.tokens])
    gold = Gold.of(derivation_of(binarize_tree(tree, markovization)))
    return Example(forest, numbers.of(forest.compiled), words, nearest(forest, gold))
