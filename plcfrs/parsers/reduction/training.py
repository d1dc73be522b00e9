"""The training of the backbone by 1-best MIRA with averaged weights, epoch by epoch."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plcfrs.learning.kernel.arrays import Int32
from plcfrs.learning.weights import (
    HashedState,
    averages_of,
    hashed_of,
    learn_from_all,
    new_hashed_weights,
    state_of,
    time_after,
)
from plcfrs.parsers.reduction.backbone import (
    LONGEST,
    PLACES,
    PRUNER_PLACES,
    Backbone,
    BackboneSettings,
)
from plcfrs.parsers.reduction.features import (
    ReductionVocabulary,
    TreeWorkspace,
    compile_all,
    features_of,
    most_features,
)
from plcfrs.parsers.reduction.kernel.learning import learn_heads, learn_tree
from plcfrs.trees import DependencyTree, Token

# The largest change of a weight by one sentence.
_LARGEST_CHANGE = 0.005


class ReductionExample(NamedTuple):
    """A training sentence as arrays."""

    tokens: list[Token]
    gold: Int32  # the head of each word, after -1 for the root


class ReductionState(NamedTuple):
    """What a checkpoint of the training contains."""

    epoch: int
    parser: HashedState
    pruner: HashedState


class BackboneTraining:
    """The training of a backbone on dependencies."""

    def __init__(self, trees: Iterable[DependencyTree], settings: BackboneSettings) -> None:
        self.settings = settings
        self.epoch = 0
        trees = list(trees)
        self.rounds, self.steps = range(1, settings.epochs + 1), len(trees)
        self.vocabulary = ReductionVocabulary.of(tree.tokens for tree in trees)
        self._examples = [
            ReductionExample(tree.tokens, np.array([-1, *tree.heads], np.int32)) for tree in trees
        ]
        self._templates = compile_all()
        self._workspace = TreeWorkspace()
        self._places = np.zeros(0, np.uint32)
        self._weights = new_hashed_weights(PLACES)
        self._pruner = new_hashed_weights(PRUNER_PLACES)

    def run_epoch(self, step: Callable[[], object] = lambda: None) -> dict[str, float]:
        """Learn from all trees once, in a new order, and return the figures for people.

        `step` is called after each sentence.
        """
        self.epoch += 1
        examples, seed = self._examples, self.settings.seed
        wrong, seconds = learn_from_all(examples, self._learn, self.epoch, seed, step)
        return {"wrong heads": wrong, "seconds": seconds}

    def model(self) -> Backbone:
        """Return a backbone with the weights averaged so far."""
        time = time_after(self.epoch, self._examples)
        weights, pruner = averages_of(self._weights, time), averages_of(self._pruner, time)
        return Backbone(self.settings, self.vocabulary, weights, pruner)

    @property
    def state(self) -> ReductionState:
        """The progress, and the weights so far."""
        return ReductionState(self.epoch, state_of(self._weights), state_of(self._pruner))

    def resume(self, state: ReductionState) -> None:
        """Continue from a state of the same trees and settings; raise a ValueError if damaged."""
        self._weights = hashed_of(state.parser, PLACES)
        self._pruner = hashed_of(state.pruner, PRUNER_PLACES)
        self.epoch = state.epoch

    def _learn(self, example: ReductionExample, time: float) -> int:
        """Parse a sentence, learn from the mistakes, and return their number."""
        gold, space, settings = example.gold, self._workspace, self.settings
        words = len(gold) - 1
        if words == 0:
            return 0
        features = features_of(self._templates, example.tokens, self.vocabulary.known)
        space.begin(words)
        most = most_features(self._templates, words)
        if most > len(self._places):
            self._places = np.zeros(most, np.uint32)
        learning = _LARGEST_CHANGE, time, self._places
        space.score_arcs(self._pruner.values, features)
        learn_heads(self._pruner, features, space.arcs, gold, *learning)
        if words > LONGEST:
            return 0
        space.keep(settings.candidates)
        space.kept[gold[1:], range(1, words + 1)] = True
        parts = space.score_parts(self._weights.values, features)
        add_costs(space.arcs, gold)
        space.climb(parts, settings.candidates + 2)
        space.reattach(parts)
        return learn_tree(self._weights, features, gold, space.heads, *learning)


def add_costs(arcs: NDArray[np.float64], gold: Int32) -> None:
    """Let wrong arcs score 1 more, so that wrong trees come near the right one."""
    arcs += 1
    arcs[gold[1:], np.arange(1, len(gold))] -= 1
