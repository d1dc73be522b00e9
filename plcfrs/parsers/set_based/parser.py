"""Set-based parsers: a network scores the steps, without PyTorch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from operator import attrgetter
from typing import NamedTuple

from plcfrs.errors import InputError
from plcfrs.networks.pretrained import TrainedNetwork, further_vectors
from plcfrs.networks.settings import Settings
from plcfrs.networks.vocabulary import Forward, Shapes, Vocabulary, shapes_of
from plcfrs.parsers.set_based.configuration import tree_of
from plcfrs.parsers.set_based.search import Derivation, Scorer, search
from plcfrs.trees import Token, Tree
from plcfrs.trees.labels import is_axiom

BATCH = 64  # sentences that are parsed at once


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

    def scorer(self, tokens: list[Token]) -> Scorer:
        """Return what scores the steps of a sentence, whose tokens have tags."""
        forward = self._forward
        further = further_vectors(self.inputs, [tokens])
        return forward.scorer(forward.encode(self.vocabulary.numbers([tokens]), further))

    @staticmethod
    def _shapes_of(settings: Settings, vocabulary: Vocabulary, further_size: int) -> Shapes:
        return shapes_of(settings, vocabulary, further_size)

    def check(self) -> None:
        """Raise a ValueError if something is damaged."""
        check_labels(self.vocabulary.labels)
        super().check()

    @cached_property
    def _forward(self) -> Forward:
        return Forward(self.network)

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
