"""Set-based parsers (Coavoux and Cohen 2019): neural parsers with the head of transitions alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from plcfrs.budget import DEFAULT, Budget
from plcfrs.forest.posteriors import calibrated, posteriors_of
from plcfrs.parsers.neural.configuration import (
    SHIFT,
    CombineSets,
    Configuration,
    LabelFocus,
    NoLabel,
    SetState,
    Shift,
    Transition,
    run,
    tree_of,
)
from plcfrs.parsers.neural.network import NeuralNetwork, categories_of
from plcfrs.parsers.neural.parser import NeuralContents, NeuralParser
from plcfrs.parsers.neural.search import SetBatch, SetDerivation, SetScorer, show, transitions_of
from plcfrs.parsing.beam import BeamModel, transition_row
from plcfrs.parsing.explanation import Row
from plcfrs.parsing.parse import Parse, Task
from plcfrs.parsing.sentence import Sentence
from plcfrs.trees import Token, Tree
from plcfrs.trees.tree import positions

if TYPE_CHECKING:
    from typing_extensions import Self


BY_TRANSITIONS = "log probability of the transitions"
"""The meaning of a score."""


class SetParse(NamedTuple):
    """A tree without heads, and its derivation with the natural logarithm of its probability."""

    tree: Tree
    score: float
    derivation: SetDerivation


class SetBasedModel(NeuralParser, BeamModel[NeuralNetwork, SetParse]):
    """A network with the head of transitions alone that is ready to parse.

    Every sentence has a parse. The n-best parses come from the beam, the most probable first, so
    the beam must be at least as wide. There are no objectives to choose from.

    Parameters
    ----------
    contents : NeuralContents
        Without a grammar.
    beam : int, optional
        The width of the beam; by default as in the settings.
    """

    capabilities = BeamModel.capabilities | {"sums"}
    batch_tokens = 2_000
    _meaning = BY_TRANSITIONS

    def __init__(self, contents: NeuralContents, beam: int | None = None) -> None:
        super().__init__(contents.network, contents.about, beam)
        self.model = contents

    @classmethod
    def of(  # type: ignore[override]
        cls,
        contents: NeuralContents,
        beam: int | None = None,
        fallback: object = None,  # noqa: ARG003 (every sentence has a parse)
        budget: Budget = DEFAULT,  # noqa: ARG003 (its time grows with the sentence alone)
    ) -> Self:
        """Return the parser with these contents."""
        return cls(contents, beam)

    def _parse(self, sentences: Sequence[Sentence], task: Task) -> Iterator[list[Parse]]:
        parses = super()._parse(sentences, task)
        if not task.posteriors:
            yield from parses
            return
        inputs, fixed = map(self._input, sentences), [each.fixed for each in sentences]
        chances = self.parser.chances(list(inputs), fixed)
        for nbest, raw in zip(parses, chances, strict=True):
            fitted = calibrated(raw, self.model.calibration)
            yield [replace(parse, posteriors=posteriors_of(parse.tree, fitted)) for parse in nbest]

    def _derivations(self, sentences: Sequence[Sentence], number: int) -> Iterator[list[SetParse]]:
        inputs, fixed = map(self._input, sentences), [each.fixed for each in sentences]
        readings = self.parser.read(list(inputs), self.beam, fixed)
        for sentence, reading in zip(sentences, readings, strict=True):
            tokens = self._tagged(sentence, reading)
            yield [self._built(each, tokens) for each in reading.derivations[:number]]

    def _built(self, derivation: SetDerivation, tokens: list[Token]) -> SetParse:
        tree = tree_of(derivation.named(self.parser.vocabulary.labels), tokens)
        return SetParse(tree, derivation.log_probability, derivation)

    def _rows(self, found: SetParse) -> list[Row]:
        words = [token.form for token in found.tree.tokens]
        labels, scorer = self.parser.vocabulary.labels, self.parser.scorer([found.tree.tokens])
        return rows_of(words, found.derivation, labels, scorer)


def rows_of(
    words: Sequence[str], derivation: SetDerivation, labels: Sequence[str], scorer: SetScorer
) -> list[Row]:
    """Return the transitions of a derivation, each with the best alternative.

    The labels are in the order of the scorer; the scorer is for this sentence alone.
    """
    transitions = transitions_of(derivation, labels)
    before, *after = run(transitions, len(words))
    pairs = zip(derivation.step_scores, derivation.label_scores, strict=True)
    scores = (score for pair in pairs for score in pair)
    choices = _choices([before, *after[:-1]], labels, scorer)
    return [
        transition_row(
            str(transition),
            score,
            positions(configuration.focus),
            categories_of(transition.category) if isinstance(transition, LabelFocus) else (),
            {**show(configuration, words), "next best": _next_best(choice, transition)},
        )
        for transition, score, configuration, choice in zip(
            transitions, scores, after, choices, strict=True
        )
    ]


def _choices(
    configurations: Sequence[Configuration], labels: Sequence[str], scorer: SetScorer
) -> Iterator[Mapping[Transition, float]]:
    """Yield the transitions to choose from in each configuration, with their scores."""
    batch = SetBatch([configurations[0].length], scorer)
    states = [(0, SetState(each.memory, each.focus, each.next)) for each in configurations[::2]]
    sets = [each.focus for each in configurations[1::2]]
    label_scores = batch.label_scores([sets], labels).tolist()
    for (_, state), choice, scores in zip(states, batch.choices(states), label_scores, strict=True):
        steps = map(state.step, choice.options)
        yield {
            Shift() if step == SHIFT else CombineSets(step): score
            for step, score in zip(steps, choice.scores, strict=True)
        }
        yield {
            LabelFocus(label) if label else NoLabel(): score
            for label, score in zip(labels, scores, strict=True)
        }


def _next_best(choice: Mapping[Transition, float], taken: Transition) -> str:
    others = {each: score for each, score in choice.items() if each != taken and score > -inf}
    if not others:
        return ""
    best = max(others, key=others.__getitem__)
    return f"{others[best]:.2f} {best}"
