"""Training of transition parsers: the averaged structured perceptron (Collins 2002)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from plcfrs.learning.kernel.arrays import Int32, Learned
from plcfrs.learning.runner import Step, Trainer
from plcfrs.learning.sequences import Tagger, jackknifed_trees
from plcfrs.learning.weights import (
    averaged,
    enlarge_weights,
    learn_from_all,
    new_weights,
    resumed,
    time_after,
)
from plcfrs.parsers.transition.features import (
    TransitionVocabulary,
    enlarge_search,
    for_sentence,
    new_search,
)
from plcfrs.parsers.transition.kernel import arrays
from plcfrs.parsers.transition.kernel.beam import find_violation, update
from plcfrs.parsers.transition.model import TransitionModel, TransitionParser, compile_settings
from plcfrs.parsers.transition.settings import TransitionSettings, find_system
from plcfrs.parsers.transition.system import Kind, Transition, prepare
from plcfrs.settings import to_texts
from plcfrs.trees import Tree


class TransitionExample(NamedTuple):
    """A training sentence as arrays."""

    words: Int32
    tags: Int32
    gold: Int32


class TransitionState(NamedTuple):
    """What a checkpoint of the training contains."""

    epoch: int
    learned: Learned


class TransitionTrainer(Trainer[TransitionModel]):
    """The training of a transition parser on trees with heads, epoch by epoch."""

    unit = "epoch"
    parser = TransitionModel
    can_resume = True
    settings: TransitionSettings

    def __init__(
        self, trees: Sequence[Tree], settings: TransitionSettings, about: Mapping[str, str]
    ) -> None:
        super().__init__(trees, settings, about)
        self.rounds = range(1, settings.epochs + 1)
        self.gold_tags = settings.tags == "given"
        self.epoch = 0
        self._tagger = Tagger.train([tree.tokens for tree in trees], settings.seed)
        if not self.gold_tags:
            trees = jackknifed_trees(trees, settings.seed)
        sentences = [tree.tokens for tree in trees]
        system = find_system(settings.system, settings.order)
        golds: list[Int32] = []
        seen: dict[Transition, int] = {}

        def derivations() -> Iterator[list[Transition]]:
            """Yield derivations, and keep only their numbers to save memory."""
            for tree in trees:
                derivation = system.oracle(prepare(tree, system.binarization))
                golds.append(_numbers(derivation, seen))
                yield derivation

        inventory = system.inventory(derivations())
        self.vocabulary = TransitionVocabulary.of(sentences, inventory)
        number = self.vocabulary.number
        final = np.array([number[transition] for transition in seen], np.int32)
        idle = number.get(Transition(Kind.IDLE), 0)  # cgap has none
        self._examples = [
            TransitionExample(
                *self.vocabulary.words_and_tags(tokens), np.append(final[gold], np.int32(idle))
            )
            for tokens, gold in zip(sentences, golds, strict=True)
        ]
        self._actions = self.vocabulary.compile(is_left=settings.order == "left")
        self._templates = compile_settings(settings)
        self._search = new_search(self._actions, self._templates, settings.beam)
        self._weights = new_weights(actions=len(self._actions.kind))

    def _decisive(self) -> Mapping[str, str]:
        return {**to_texts(self.settings), "tags": self.settings.tags}

    def run(self, number: int, step: Step) -> Mapping[str, float]:
        """Learn from all trees once."""
        self.about |= {"tags": self.settings.tags, "epochs": str(number)}
        self.epoch = number
        examples, seed = self._examples, self.settings.seed
        wrong, seconds = learn_from_all(examples, self._learn, number, seed, step)
        return {"sentences": len(examples), "wrong": wrong, "seconds": seconds}

    def model(self) -> TransitionModel:
        """Return a parser with the average of the weights so far."""
        weights = averaged(self._weights, float(time_after(self.epoch, self._examples)))
        parser = TransitionParser(self.settings, self.vocabulary, weights.averages)
        return TransitionModel(parser, self._tagger, self.about)

    @property
    def state(self) -> TransitionState:
        """The number of the epoch, and the weights."""
        return TransitionState(self.epoch, self._weights.learned)

    def restore(self, state: TransitionState) -> None:
        """Continue from the weights of a state."""
        self._weights = resumed(state.learned, len(self._actions.kind))
        self.epoch = state.epoch

    def _learn(self, example: TransitionExample, time: float) -> bool:
        """Parse a sentence; update the weights and return True if the parse is wrong."""
        words, tags, gold = example
        self._search = for_sentence(self._search, self._templates, words, tags)
        compiled, is_early = (self._actions, self._templates), self.settings.update == "early"
        while find_violation(*compiled, self._weights, self._search, gold, is_early) != arrays.DONE:
            self._search = enlarge_search(self._search)
            self._search = for_sentence(self._search, self._templates, words, tags)
        counters = self._search.counters
        if counters[arrays.GOLD] == counters[arrays.BEST]:
            return False
        change = time, float(self.settings.importance)
        while update(*compiled, self._weights, self._search, *change) != arrays.DONE:
            self._weights = enlarge_weights(self._weights)
        return True


def _numbers(derivation: Sequence[Transition], seen: dict[Transition, int]) -> Int32:
    """Return the numbers of transitions; new ones get the next numbers."""
    return np.array([seen.setdefault(each, len(seen)) for each in derivation], np.int32)
