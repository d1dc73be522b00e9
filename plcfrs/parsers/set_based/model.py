"""The family of set-based parsers (Coavoux and Cohen 2019): a network scores the steps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import NamedTuple

from plcfrs.forest.posteriors import calibration_of, posteriors_of
from plcfrs.grammar.grammar import Inspection
from plcfrs.learning.calibration import Calibration, calibrated
from plcfrs.learning.sequences import Tagger
from plcfrs.networks.encoding import require_torch
from plcfrs.parsers.set_based.configuration import (
    SHIFT,
    Combine,
    Configuration,
    Label,
    NoLabel,
    Shift,
    State,
    Transition,
    run,
)
from plcfrs.parsers.set_based.network import Settings
from plcfrs.parsers.set_based.oracle import lengths_of
from plcfrs.parsers.set_based.parser import SetParse, SetParser, categories_of
from plcfrs.parsers.set_based.search import Batch, Derivation, Scorer, show, transitions_of
from plcfrs.parsing.beam import BeamModel, BeamOptions, transition_row
from plcfrs.parsing.explanation import Row
from plcfrs.parsing.parse import Parse, Wanted
from plcfrs.parsing.registry import Family, trained_by
from plcfrs.parsing.sentence import Sentence
from plcfrs.transformation import Options
from plcfrs.trees import Token, Tree
from plcfrs.trees.tree import positions
from plcfrs.wording import some


class Contents(NamedTuple):
    """What is stored; there is a tagger if tags are the input of the parser."""

    parser: SetParser
    tagger: Tagger | None
    about: Mapping[str, str]
    calibration: Calibration | None = None

    def check(self) -> None:
        """Raise a ValueError if the tagger is missing."""
        if self.tagger is None and self.parser.settings.tags == "given":
            raise ValueError("the tagger is missing")


class SetBasedModel(BeamModel[SetParser, SetParse]):
    """A set-based parser and, if tags are its input, a tagger for words without tags.

    Every sentence has a parse. The n-best parses are those in the beam, the most probable first, so
    there are at most as many as the beam is wide. There are no objectives to choose from.

    Parameters
    ----------
    tagger : Tagger or None
        None if the parser itself finds the tags.
    about : mapping of str to str
        How the model was made, for people.
    beam : int, optional
        The width of the beam; by default that of the settings.
    calibration : Calibration, optional
        Of the probabilities of constituents.
    """

    capabilities = BeamModel.capabilities | {"sums"}
    kind = "set-based"
    contents_type = Contents
    together = 2_000
    _meaning = "log probability of the transitions"

    def __init__(
        self,
        parser: SetParser,
        tagger: Tagger | None,
        about: Mapping[str, str],
        calibration: Calibration | None = None,
        beam: int | None = None,
    ) -> None:
        super().__init__(parser, about, beam)
        self.tagger = tagger
        self.calibration = calibration

    @property
    def contents(self) -> Contents:
        """The parser, the tagger and the calibration."""
        return Contents(self.parser, self.tagger, self._about, self.calibration)

    def calibrated(self, sentences: Sequence[Tree], gold: Sequence[Tree]) -> SetBasedModel:
        """Return the parser with calibrated probabilities; see `SentenceParser.calibrated`."""
        found = copy(self)
        found.calibration = None
        found.calibration = calibration_of(found, sentences, gold)
        return found

    def _parse(self, sentences: Sequence[Sentence], wanted: Wanted) -> Iterator[list[Parse]]:
        parses = super()._parse(sentences, wanted)
        if not wanted.posteriors:
            yield from parses
            return
        tokens = [self._tokens(sentence) for sentence in sentences]
        for found, chances in zip(parses, self.parser.chances(tokens), strict=True):
            fitted = calibrated(chances, self.calibration)
            yield [replace(each, posteriors=posteriors_of(each.tree, fitted)) for each in found]

    def _found(self, sentences: Sequence[Sentence], number: int) -> list[list[SetParse]]:
        tokens = [self._tokens(sentence) for sentence in sentences]
        return self.parser.k_best(tokens, number, self.beam)

    def _tokens(self, sentence: Sentence) -> list[Token]:
        """Return the tokens with given tags; without any, the tagger or the parser finds them."""
        return sentence.best_tagged(self.tagger or (lambda words: [""] * len(words)))

    def _rows(self, found: SetParse) -> list[Row]:
        words = [token.form for token in found.tree.tokens]
        labels, scorer = self.parser.vocabulary.labels, self.parser.scorer([found.tree.tokens])
        return rows_of(words, found.derivation, labels, scorer)


def rows_of(
    words: Sequence[str], derivation: Derivation, labels: Sequence[str], scorer: Scorer
) -> list[Row]:
    """Return the transitions of a derivation, each with the best one that was not taken.

    The labels are in the order of the scorer, which is of this sentence alone.
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
            categories_of(transition.category) if isinstance(transition, Label) else (),
            {**show(configuration, words), "next best": _next_best(choice, transition)},
        )
        for transition, score, configuration, choice in zip(
            transitions, scores, after, choices, strict=True
        )
    ]


def _choices(
    configurations: Sequence[Configuration], labels: Sequence[str], scorer: Scorer
) -> Iterator[Mapping[Transition, float]]:
    """Yield the transitions to choose from in each configuration, with their scores."""
    batch = Batch([configurations[0].length], scorer)
    states = [(0, State(each.memory, each.focus, each.next)) for each in configurations[::2]]
    sets = [each.focus for each in configurations[1::2]]
    label_scores = batch.label_scores([sets], labels).tolist()
    for (_, state), choice, scores in zip(states, batch.choices(states), label_scores, strict=True):
        steps = map(state.step, choice.options)
        yield {
            Shift() if step == SHIFT else Combine(step): score
            for step, score in zip(steps, choice.scores, strict=True)
        }
        yield {
            Label(label) if label else NoLabel(): score
            for label, score in zip(labels, scores, strict=True)
        }


def _next_best(choice: Mapping[Transition, float], taken: Transition) -> str:
    others = {each: score for each, score in choice.items() if each != taken and score > -inf}
    if not others:
        return ""
    best = max(others, key=others.__getitem__)
    return f"{others[best]:.2f} {best}"


def _inspect(path: Path) -> Inspection:
    model = SetBasedModel.load(path)
    vocabulary = model.parser.vocabulary
    lines = model.parser.lines(
        model.about,
        f"characters: {len(vocabulary.characters)} seen at least twice",
        f"tags: {len(vocabulary.tags)} ({some(vocabulary.tags)})",
        f"labels: {len(vocabulary.labels) - 1} ({some(vocabulary.labels[1:])})",
    )
    return Inspection(None, lines)


FAMILIES = (
    Family(
        SetBasedModel.kind,
        SetBasedModel.kind,
        "a set-based parser with a neural network (Coavoux and Cohen 2019)",
        SetBasedModel.load,
        trained_by("plcfrs.parsers.set_based.training", "SetBasedTrainer", require_torch),
        _inspect,
        Settings(),
        BeamOptions(),
        capabilities=SetBasedModel.capabilities | {"resume"},
        # The network sees the whole sentence, which is more informative than category splits.
        transformation=Options(splits=()),
        lengths=lengths_of,
    ),
)
