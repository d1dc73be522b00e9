"""Trained set-based parsers, and the part that they share with other networks that build sets."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from operator import attrgetter
from typing import NamedTuple, TypeVar

import numpy as np

from plcfrs.errors import InputError
from plcfrs.networks.encoding import Encoded, Shapes
from plcfrs.networks.inputs import TrainedNetwork, further_vectors
from plcfrs.parsers.set_based.configuration import tree_of
from plcfrs.parsers.set_based.network import Forward, NetworkScorer, Settings, shapes_of
from plcfrs.parsers.set_based.search import Derivation, Float64, chances_of_sets, search
from plcfrs.parsing.votes import Constituent
from plcfrs.trees import Token, Tree
from plcfrs.trees.labels import is_axiom, labels_of_chain

AnySettings = TypeVar("AnySettings", bound=Settings)

BATCH = 64  # sentences that are parsed at once

# Probabilities are sums over so many derivations: more change little. Less probable labels of sets
# do not count.
WIDE_BEAM = 8
_LEAST = 1e-4


class SetNetwork(TrainedNetwork[AnySettings]):
    """A trained network that builds labelled sets; see `TrainedNetwork`."""

    settings: AnySettings

    def check(self) -> None:
        """Raise a ValueError if something is damaged."""
        labels = self.vocabulary.labels
        if not labels or labels[0] or not any(map(is_axiom, labels)):  # the first is NO-LABEL
            raise ValueError("the labels of the set-based parser are damaged")
        super().check()

    @cached_property
    def _forward(self) -> Forward:
        return Forward(self.arrays)

    def chances(self, sentences: Sequence[list[Token]]) -> list[dict[Constituent, float]]:
        """Return the probabilities of the constituents of each sentence, summed over a beam.

        Tags that the network needs must be given. It is `WIDE_BEAM` derivations wide at least.
        """
        beam, labels = max(WIDE_BEAM, self.settings.beam), self.vocabulary.labels
        found: list[dict[Constituent, float]] = []
        for start in range(0, len(sentences), BATCH):
            batch = sentences[start : start + BATCH]
            lengths = list(map(len, batch))
            scorer = self.scorer(batch)
            derivations = search(lengths, scorer, labels, beam)
            sets = chances_of_sets(lengths, scorer, labels, derivations)
            found += [self.categories(each) for each in sets]
        return found

    def scorer(self, sentences: Sequence[list[Token]]) -> NetworkScorer:
        """Return what scores the steps of sentences, whose tokens have the tags that it needs."""
        return self._forward.scorer(self._encoded(sentences))

    def tree_of(self, derivation: Derivation, tokens: list[Token]) -> Tree:
        """Return the tree of a derivation."""
        labels = self.vocabulary.labels
        constituents = {mask: labels[label] for mask, label in derivation.constituents.items()}
        return tree_of(constituents, tokens)

    def _encoded(self, sentences: Sequence[list[Token]]) -> Encoded:
        numbers = self.vocabulary.numbers(sentences)
        return self._forward.encode(numbers, further_vectors(self.inputs, sentences))

    def categories(self, sets: Mapping[int, Float64]) -> dict[Constituent, float]:
        """Return the probability of each category over each set, given those of labels."""
        found: dict[Constituent, float] = defaultdict(float)
        masks, chances = list(sets), np.stack(list(sets.values()))
        rows, labels = np.nonzero(chances > _LEAST)
        likely = zip(rows.tolist(), labels.tolist(), chances[rows, labels].tolist(), strict=True)
        for row, label, chance in likely:
            for category in dict.fromkeys(self._chains[label]):
                found[category, masks[row]] += chance
        return found

    @cached_property
    def _chains(self) -> list[tuple[str, ...]]:
        """The categories of each label, of which NO-LABEL has none."""
        return list(map(categories_of, self.vocabulary.labels))


class SetParse(NamedTuple):
    """A tree without heads, and its derivation with the natural logarithm of its probability."""

    tree: Tree
    score: float
    derivation: Derivation


class SetParser(SetNetwork[Settings]):
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

    def _shapes(self, further_size: int) -> Shapes:
        return shapes_of(self.settings, self.vocabulary, further_size)

    def _parse_batch(
        self, sentences: list[list[Token]], number: int, beam: int
    ) -> list[list[SetParse]]:
        forward, encoded = self._forward, self._encoded(sentences)
        if self.settings.tags == "own":
            sentences = self._tagged(sentences, forward.tags(encoded).tolist())
        labels = self.vocabulary.labels
        derivations = search(list(map(len, sentences)), forward.scorer(encoded), labels, beam)
        best = attrgetter("log_probability")
        return [
            [
                SetParse(self.tree_of(derivation, tokens), derivation.log_probability, derivation)
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


def categories_of(label: str) -> tuple[str, ...]:
    """Return the categories of the constituents over a set, from the highest to the lowest.

    >>> categories_of("ROOT+SQ")
    ('ROOT', 'SQ')
    """
    return tuple(each.category for each in labels_of_chain(label))
