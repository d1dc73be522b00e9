"""Training of transition parsers: the averaged structured perceptron (Collins 2002)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from plcfrs.linear.epochs import EpochReport, learn_from_all
from plcfrs.linear.kernel.arrays import Int32, Learned
from plcfrs.linear.weights import (
    averaged,
    enlarge_weights,
    new_weights,
    resumed,
)
from plcfrs.transition.kernel import arrays
from plcfrs.transition.kernel.beam import find_violation
from plcfrs.transition.kernel.learning import update
from plcfrs.transition.memory import enlarge_search, for_sentence, new_search
from plcfrs.transition.parser import TransitionParser, compile_settings
from plcfrs.transition.preparation import prepare
from plcfrs.transition.registry import find_system
from plcfrs.transition.settings import Settings
from plcfrs.transition.transitions import Kind, Transition
from plcfrs.transition.vocabulary import Vocabulary
from plcfrs.trees import Token, Tree


class Example(NamedTuple):
    """A training sentence as arrays."""

    words: Int32
    tags: Int32
    gold: Int32


class State(NamedTuple):
    """What is stored of a training."""

    epoch: int
    time: int
    learned: Learned


class Training:
    """Training, epoch by epoch.

    Parameters
    ----------
    trees : iterable of Tree
        Transformed, with heads.
    settings : Settings
    """

    def __init__(self, trees: Iterable[Tree], settings: Settings) -> None:
        self.settings = settings
        self.epoch = 0
        self._time = 1
        system = find_system(settings.system, settings.order)
        sentences: list[list[Token]] = []
        golds: list[Int32] = []
        seen: dict[Transition, int] = {}

        def derivations() -> Iterator[list[Transition]]:
            """Yield derivations; only their numbers are kept, to save memory."""
            for tree in trees:
                derivation = system.oracle(prepare(tree, system.binarization))
                sentences.append(tree.tokens)
                golds.append(_numbers(derivation, seen))
                yield derivation

        inventory = system.inventory(derivations())
        self.vocabulary = Vocabulary.of(sentences, inventory)
        number = self.vocabulary.number
        final = np.array([number[transition] for transition in seen], np.int32)
        idle = number.get(Transition(Kind.IDLE), 0)  # cgap has none
        self._examples = [
            Example(*self.vocabulary.words_and_tags(tokens), np.append(final[gold], np.int32(idle)))
            for tokens, gold in zip(sentences, golds, strict=True)
        ]
        self._actions = self.vocabulary.compile(is_left=settings.order == "left")
        self._templates = compile_settings(settings)
        self._search = new_search(self._actions, self._templates, settings.beam)
        self._weights = new_weights(actions=len(self._actions.kind))

    def run_epoch(self, step: Callable[[], object] = lambda: None) -> EpochReport:
        """Learn from all trees once, in a new order.

        Parameters
        ----------
        step : callable
            Called after each sentence.
        """
        self.epoch += 1

        def count() -> None:
            self._time += 1
            step()

        return learn_from_all(self._examples, self._learn, self.epoch, self.settings.seed, count)

    def parser(self) -> TransitionParser:
        """Return a parser with the weights averaged so far."""
        return TransitionParser(
            self.settings, self.vocabulary, averaged(self._weights, self._time).averages
        )

    @property
    def state(self) -> State:
        """The progress, and the weights so far."""
        return State(self.epoch, self._time, self._weights.learned)

    def resume(self, state: State) -> None:
        """Resume a training with the same trees and settings after the end of an epoch.

        Raises
        ------
        ValueError
            If something is damaged.
        """
        self._weights = resumed(state.learned, len(self._actions.kind))
        self.epoch, self._time = state.epoch, state.time

    def _learn(self, example: Example) -> bool:
        """Parse a sentence; if the parse is wrong, update the weights and return True."""
        self._search = for_sentence(self._search, self._templates, example.words, example.tags)
        is_early = self.settings.update == "early"
        while (
            find_violation(
                self._actions, self._templates, self._weights, self._search, example.gold, is_early
            )
            != arrays.DONE
        ):
            self._search = enlarge_search(self._search)
            self._search = for_sentence(self._search, self._templates, example.words, example.tags)
        counters = self._search.counters
        if counters[arrays.GOLD] == counters[arrays.BEST]:
            return False
        while (
            update(
                self._actions,
                self._templates,
                self._weights,
                self._search,
                float(self._time),
                float(self.settings.importance),
            )
            != arrays.DONE
        ):
            self._weights = enlarge_weights(self._weights)
        return True


def _numbers(derivation: Sequence[Transition], seen: dict[Transition, int]) -> Int32:
    """Return the numbers of transitions; new ones get the next numbers."""
    return np.array([seen.setdefault(each, len(seen)) for each in derivation], np.int32)
