"""Training feature weights: the target of each sentence gets more probable in its forest.

The derivative of ``log p`` of the target by a weight is the number of times that the feature occurs
in the target, minus its expected number in a derivation of the forest (Finkel et al. 2008).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plcfrs.chart import Forest
from plcfrs.chart.forest import span_of_item
from plcfrs.chart.kernel.arrays import Costs, Int64
from plcfrs.forest.forests import MARKOVIZATION, ForestTrainer, jackknifed_forests
from plcfrs.forest.scored_forest import best_derivation
from plcfrs.forest.votes import ForestScores, score_sums, scores_of_edges, votes
from plcfrs.grammar import Derivation, Markovization, Rule, binarize_tree, derivation_of
from plcfrs.learning.kernel.arrays import Scores
from plcfrs.learning.runner import Step
from plcfrs.learning.weights import checked
from plcfrs.parsers.features.atoms import (
    PLACES,
    FeatureGrammar,
    ForestFeatures,
    SymbolNumbers,
    Symbols,
    WordNumbers,
)
from plcfrs.parsers.features.kernel import AdaGradWeights, add_counts, take_step
from plcfrs.parsers.features.model import FeatureModel, FeatureSettings
from plcfrs.trees import Tree

_RATE = 0.05
_PENALTY = 0.05

# Counts closer to 0 change nothing.
_LEAST_COUNT = 1e-4


class Gold(NamedTuple):
    """A gold derivation by its parts: constituents, and rules with the spans of their children.

    Spans are bitsets (see `plcfrs.trees.tree`).
    """

    constituents: frozenset[tuple[str, int]]
    steps: frozenset[tuple[Rule | int, ...]]

    @classmethod
    def of(cls, derivation: Derivation) -> Gold:
        """Return the parts of a derivation of rank 1 or 2."""
        position = {leaf: position for position, leaf in enumerate(derivation.order())}
        constituents: set[tuple[str, int]] = set()
        steps: set[tuple[Rule | int, ...]] = set()
        leaves = iter(range(len(position)))

        def span(part: Derivation, below: list[int]) -> int:
            if not below:
                return 1 << position[next(leaves)]
            steps.add((part.rule, *below))
            if part.nonterminal.kind == "category":
                constituents.add((part.nonterminal.category, sum(below)))
            return sum(below)

        derivation.fold(span)
        return cls(frozenset(constituents), frozenset(steps))


def nearest(forest: Forest, gold: Gold) -> Int64:
    """Return the edges, in ascending order, of the derivation nearest to a gold one.

    A constituent counts 1 if a gold one has its category and span, otherwise -1. Among equal
    derivations, the one with the most steps of the gold derivation wins. The forest has no cycles.
    """
    of_items = votes(forest, dict.fromkeys(gold.constituents, 1.0)).item_scores
    spans = [span_of_item(forest, item) for item in range(len(forest.label))]
    of_edges = np.zeros(len(forest.edge_rule))
    for edge in np.flatnonzero(forest.edge_rule >= 0):
        children = forest.edge_left[edge], forest.edge_right[edge]
        below = (spans[child] for child in children if child >= 0)
        if (forest.compiled.rules[forest.edge_rule[edge]], *below) in gold.steps:
            of_edges[edge] = 1.0 / (len(gold.steps) + 1)
    best = best_derivation(forest, scores_of_edges(forest, ForestScores(of_edges, of_items)))
    return np.sort(best.edges[best.edges >= 0])


class FeatureExample(NamedTuple):
    """A sentence to learn from.

    Parameters
    ----------
    forest : Forest
        From a grammar that did not see the sentence.
    symbols : Symbols
        Of this grammar.
    target : int64 array (edges,)
        The edges of the derivation that should be the most probable.
    """

    forest: Forest
    symbols: Symbols
    words: WordNumbers
    target: Int64


class Derivative(NamedTuple):
    """The derivative of ``log p`` of a target by the scores of edges and items."""

    log_probability: float
    by_edge: Costs
    by_item: Costs


def derivative_of(forest: Forest, target: Int64, scores: Costs) -> Derivative:
    """Return ``log p`` of a target, the edges of a derivation, and its derivative.

    The forest has no cycles. The scores (E,) are the scores of edges, with their mothers.
    """
    sums = score_sums(forest, scores)
    by_edge, by_item = -sums.edge_posterior, -sums.posterior
    by_edge[target] += 1.0
    by_item[forest.edge_mother[target]] += 1.0
    return Derivative(fsum(scores[target]) - sums.log_probability, by_edge, by_item)


def counted(
    features: ForestFeatures, derivative: Derivative
) -> list[tuple[NDArray[np.int32], Costs]]:
    """Return the places of all features, and the derivatives of their rows; tiny ones become 0."""
    pairs = [(part, derivative.by_item) for part in features.items]
    pairs += [(part, derivative.by_edge) for part in features.edges]
    return [
        (part.places, np.where(np.abs(counts[part.rows]) < _LEAST_COUNT, 0.0, counts[part.rows]))
        for part, counts in pairs
    ]


def example_of(
    forest: Forest,
    numbers: SymbolNumbers,
    tree: Tree,
    markovization: Markovization = MARKOVIZATION,
) -> FeatureExample:
    """Return a sentence with its target, given its forest and its transformed tree with heads.

    The grammar of the forest must have the same Markovization.
    """
    words = WordNumbers.of(forest, [token.form for token in tree.tokens])
    gold = Gold.of(derivation_of(binarize_tree(tree, markovization)))
    return FeatureExample(forest, numbers.of(forest.compiled), words, nearest(forest, gold))


class FeatureState(NamedTuple):
    """What a checkpoint of the training contains."""

    values: Scores
    squares: Scores


class FeatureTrainer(ForestTrainer[FeatureModel]):
    """The training of the weights: it finds the forests of all sentences, then runs epochs."""

    unit = "epoch"
    parser = FeatureModel
    settings: FeatureSettings

    def __init__(
        self, trees: Sequence[Tree], settings: FeatureSettings, about: Mapping[str, str]
    ) -> None:
        super().__init__(trees, settings, about)
        self.rounds = range(settings.epochs + 1)
        self._examples: dict[int, FeatureExample] = {}
        self._weights = AdaGradWeights(
            *(np.zeros(PLACES, np.float32) for _ in AdaGradWeights._fields)
        )

    def _decisive(self) -> Mapping[str, str]:
        names = ("binarization", "horizontal", "vertical", "folds", "seed")
        return {name: str(getattr(self.settings, name)) for name in names}

    def run(self, number: int, step: Step) -> Mapping[str, float]:
        """Learn from all trees once; epoch 0 finds their forests.

        The figure of epoch 0 is the number of sentences with a forest; others are not used. The
        figure of each other epoch is the mean of ``log p`` of the targets before they are learned.
        """
        self.about |= {"epochs": str(number)}
        if number == 0:
            self._find_forests(step)
            return {"forests": len(self._examples)}
        if not self._examples:
            self._find_forests(lambda: None)
        random = np.random.default_rng([self.settings.seed, number])
        log_probabilities = []
        for tree in random.permutation(len(self.trees)):
            if tree in self._examples:
                log_probabilities.append(self._learn(self._examples[tree]))
            step()
        mean = fsum(log_probabilities) / max(1, len(log_probabilities))
        return {"log likelihood per sentence": mean}

    def model(self) -> FeatureModel:
        """Return the grammar of all trees with the weights so far."""
        weights = self._weights.values.copy()
        return FeatureModel(FeatureGrammar(self.grammar_of_now(), weights, self.shares))

    @property
    def state(self) -> FeatureState:
        """The weights and their squares."""
        return FeatureState(self._weights.values, self._weights.squares)

    def restore(self, state: FeatureState) -> None:
        """Continue from a copy of the weights of a state."""
        values, squares = (checked(array, PLACES).copy() for array in state)
        if (squares < 0).any():
            raise ValueError("the weights are damaged")
        self._weights = AdaGradWeights(values, squares, np.zeros(PLACES, np.float32))

    def _find_forests(self, step: Step) -> None:
        """Find the forest of each sentence with a grammar of the other trees."""
        markovization = self.settings.markovization
        numbers = SymbolNumbers()
        for number, forest in jackknifed_forests(self.trees, self.settings.folds, markovization):
            if forest is not None:
                tree = self.trees[number]
                self._examples[number] = example_of(forest, numbers, tree, markovization)
            step()

    def _learn(self, example: FeatureExample) -> float:
        """Take a step, and return ``log p`` of the target before it."""
        forest, symbols, words, target = example
        features = ForestFeatures.of(forest, symbols, words, PLACES)
        scores = scores_of_edges(forest, features.judge(forest, self._weights.values))
        derivative = derivative_of(forest, target, scores)
        rows = counted(features, derivative)
        for places, counts in rows:
            add_counts(places, counts, self._weights.changes)
        for places, counts in rows:
            take_step(places, counts, _RATE, _PENALTY, self._weights)
        return derivative.log_probability
