"""The family of set-based parsers (Coavoux and Cohen 2019): a network scores the steps."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from math import inf
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from plcfrs.errors import InputError
from plcfrs.grammar.grammar import Inspection
from plcfrs.learning.calibration import Calibration
from plcfrs.learning.sequences import Tagger
from plcfrs.networks.encoding import Shapes, require_torch
from plcfrs.networks.inputs import TrainedNetwork, further_vectors
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
    tree_of,
)
from plcfrs.parsers.set_based.network import Forward, Settings, shapes_of
from plcfrs.parsers.set_based.oracle import lengths_of
from plcfrs.parsers.set_based.search import (
    Batch,
    Derivation,
    Float64,
    Scorer,
    chances_of_sets,
    search,
    show,
    transitions_of,
)
from plcfrs.parsing.beam import BeamModel, BeamOptions, explain_transitions, transition_row
from plcfrs.parsing.explanation import Row
from plcfrs.parsing.parse import Parse, Wanted
from plcfrs.parsing.posteriors import calibration_of, posteriors_of
from plcfrs.parsing.registry import Family
from plcfrs.parsing.sentence import Sentence
from plcfrs.parsing.votes import Constituent
from plcfrs.transformation import Options
from plcfrs.trees import Token, Tree
from plcfrs.trees.labels import is_axiom, parse_chain
from plcfrs.trees.tree import positions
from plcfrs.wording import some

if TYPE_CHECKING:
    from plcfrs.parsers.set_based.training import SetBasedTrainer


KIND = "set-based"


BATCH = 64  # sentences that are parsed at once

# Probabilities are sums over so many derivations: more change little. Less probable labels of sets
# do not count.
WIDE_BEAM = 8
_LEAST = 1e-4


class SetParse(NamedTuple):
    """A tree without heads, and its derivation with the natural logarithm of its probability."""

    tree: Tree
    score: float
    derivation: Derivation


class SetParser(TrainedNetwork[Settings]):
    """A trained set-based parser; see `TrainedNetwork`."""

    settings: Settings

    def parse(self, sentences: Sequence[list[Token]], beam: int | None = None) -> list[SetParse]:
        """Return the best parse of each sentence that the search finds.

        Tokens without tags get tags from the network; if tags are its input, all tokens
        need them. Without a beam, that of the settings is used. Raise an InputError if a sentence
        has no tokens.
        """
        return [parses[0] for parses in self.k_best(sentences, 1, beam)]

    def k_best(
        self, sentences: Sequence[list[Token]], number: int, beam: int | None = None
    ) -> list[list[SetParse]]:
        """Return the parses in the last beam of each sentence, the most probable first.

        There are at most `number`. Without a beam, that of the settings is used, or a wider one for
        so many parses.
        """
        if not all(sentences):
            raise InputError("the sentence has no words")
        beam = beam or max(number, self.settings.beam)
        found: list[list[SetParse]] = [[] for _ in sentences]
        # Sentences of about the same length go well together.
        order = sorted(range(len(sentences)), key=lambda place: len(sentences[place]))
        for start in range(0, len(order), BATCH):
            places = order[start : start + BATCH]
            batch = self._parse_batch([sentences[place] for place in places], number, beam)
            for place, parses in zip(places, batch, strict=True):
                found[place] = parses
        return found

    def chances(self, sentences: Sequence[list[Token]]) -> list[dict[Constituent, float]]:
        """Return the probabilities of the constituents of each sentence, summed over a beam.

        Tags that the network needs must be given. It is `WIDE_BEAM` derivations wide at least.
        """
        beam, labels = max(WIDE_BEAM, self.settings.beam), self.vocabulary.labels
        found: list[dict[Constituent, float]] = []
        for start in range(0, len(sentences), BATCH):
            batch = sentences[start : start + BATCH]
            lengths = list(map(len, batch))
            scorer = self._scorer(batch)
            derivations = search(lengths, scorer, labels, beam)
            sets = chances_of_sets(lengths, scorer, labels, derivations)
            found += [self._categories(each) for each in sets]
        return found

    def scorer(self, tokens: list[Token]) -> Scorer:
        """Return what scores the steps of a sentence, whose tokens have tags."""
        return self._scorer([tokens])

    def _scorer(self, sentences: Sequence[list[Token]]) -> Scorer:
        forward = self._forward
        further = further_vectors(self.inputs, sentences)
        return forward.scorer(forward.encode(self.vocabulary.numbers(sentences), further))

    def _categories(self, sets: Mapping[int, Float64]) -> dict[Constituent, float]:
        """Return the probability of each category over each set, given those of labels."""
        found: dict[Constituent, float] = defaultdict(float)
        for mask, chances in sets.items():
            for label in np.flatnonzero(chances > _LEAST).tolist():
                for category in dict.fromkeys(self._chains[label]):
                    found[category, mask] += float(chances[label])
        return found

    @cached_property
    def _chains(self) -> list[tuple[str, ...]]:
        """The categories of each label, of which NO-LABEL has none."""
        return [(), *map(categories_of, self.vocabulary.labels[1:])]

    def _shapes(self, further_size: int) -> Shapes:
        return shapes_of(self.settings, self.vocabulary, further_size)

    def check(self) -> None:
        """Raise a ValueError if something is damaged."""
        check_labels(self.vocabulary.labels)
        super().check()

    @cached_property
    def _forward(self) -> Forward:
        return Forward(self.arrays)

    def _parse_batch(
        self, sentences: list[list[Token]], number: int, beam: int
    ) -> list[list[SetParse]]:
        forward = self._forward
        further = further_vectors(self.inputs, sentences)
        encoded = forward.encode(self.vocabulary.numbers(sentences), further)
        if self.settings.tags == "own":
            sentences = self._tagged(sentences, forward.tags(encoded).tolist())
        labels = self.vocabulary.labels
        derivations = search(list(map(len, sentences)), forward.scorer(encoded), labels, beam)
        best = attrgetter("log_probability")
        return [
            [
                self._parse_of(derivation, tokens)
                for derivation in sorted(found, key=best, reverse=True)[:number]
            ]
            for tokens, found in zip(sentences, derivations, strict=True)
        ]

    def _tagged(self, sentences: list[list[Token]], tags: list[int]) -> list[list[Token]]:
        numbers = iter(tags)
        return [
            [
                token if token.tag else replace(token, tag=self.vocabulary.tags[tag - 1])
                for token, tag in zip(sentence, numbers, strict=False)
            ]
            for sentence in sentences
        ]

    def _parse_of(self, derivation: Derivation, tokens: list[Token]) -> SetParse:
        labels = self.vocabulary.labels
        constituents = {
            tokens_of: labels[label] for tokens_of, label in derivation.constituents.items()
        }
        return SetParse(tree_of(constituents, tokens), derivation.log_probability, derivation)


def check_labels(labels: Sequence[str]) -> None:
    """Raise a ValueError if no label begins with ROOT, or the first one is not empty."""
    if not labels or labels[0] or not any(map(is_axiom, labels)):
        raise ValueError("the labels of the set-based parser are damaged")


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
    kind = KIND
    contents_type = Contents
    together = 2_000

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
            if self.calibration is not None:
                chances = {each: self.calibration(chance) for each, chance in chances.items()}
            yield [replace(each, posteriors=posteriors_of(each.tree, chances)) for each in found]

    def _found(self, sentences: Sequence[Sentence], number: int) -> list[list[SetParse]]:
        tokens = [self._tokens(sentence) for sentence in sentences]
        return self.parser.k_best(tokens, number, self.beam)

    def _tokens(self, sentence: Sentence) -> list[Token]:
        """Return the tokens with given tags; without any, the tagger or the parser finds them."""
        return sentence.best_tagged(self.tagger or (lambda words: [""] * len(words)))

    def _parsed(self, found: SetParse, sentence: Sentence, *, explained: bool) -> Parse:
        tree = found.tree.forget_splits()
        tree.id = sentence.id
        explanation = None
        if explained:
            scorer = self.parser.scorer(tree.tokens)
            labels = self.parser.vocabulary.labels
            rows = rows_of(sentence.words, found.derivation, labels, scorer)
            explanation = explain_transitions(sentence.words, rows)
        return Parse(
            tree,
            "parsed",
            score=found.score,
            meaning="log probability of the transitions",
            explanation=explanation,
        )


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
            _categories(transition),
            {**show(configuration, words), "next best": _next_best(choice, transition)},
        )
        for transition, score, configuration, choice in zip(
            transitions, scores, after, choices, strict=True
        )
    ]


def _categories(transition: Transition) -> tuple[str, ...]:
    """Return the categories of the new constituents."""
    return categories_of(transition.category) if isinstance(transition, Label) else ()


def categories_of(label: str) -> tuple[str, ...]:
    """Return the categories of the constituents over a set, from the highest to the lowest.

    >>> categories_of("ROOT+SQ")
    ('ROOT', 'SQ')
    """
    made = parse_chain(label)
    return made.category, *(each.category for each in made.chain)


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


def _trainer(trees: Any, settings: Any, about: Any) -> SetBasedTrainer:  # noqa: ANN401
    require_torch(settings.encoder)
    from plcfrs.parsers.set_based.training import SetBasedTrainer

    return SetBasedTrainer(trees, settings, about)


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
        KIND,
        KIND,
        "a set-based parser with a neural network (Coavoux and Cohen 2019)",
        SetBasedModel.load,
        _trainer,
        _inspect,
        Settings(),
        BeamOptions(),
        (),
        SetBasedModel.capabilities | {"resume"},
        # The network sees the whole sentence, which is more informative than category splits.
        transformation=Options(splits=()),
        lengths=lengths_of,
    ),
)
