"""The network of a joint parser without PyTorch, and what it reads in a sentence.

One encoder serves three heads: the tagger and the transitions of a set-based parser (Coavoux and
Cohen 2019), and the scores of spans (Stern, Andreas and Klein 2017).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from plcfrs.chart import Forest
from plcfrs.chart.kernel.arrays import Costs
from plcfrs.grammar import Grammar
from plcfrs.learning.calibration import Calibration
from plcfrs.networks.encoding import Float32, Int32, Schedule, Shapes, Vocabulary, linear_shapes
from plcfrs.parsers.set_based.network import Settings, shapes_of
from plcfrs.parsers.set_based.parser import SetNetwork
from plcfrs.parsers.set_based.search import Derivation, chances_of_sets, search
from plcfrs.parsers.spans.parts import Part, borders_of, log_odds_of
from plcfrs.parsers.spans.scorer import scores_of_parts
from plcfrs.parsing.markovization import MarkovizationSettings
from plcfrs.parsing.votes import Constituent
from plcfrs.trees import Token

# Tags that are at most e to this power less probable than the best one are possible.
TAG_RATIO = 6.0

# So many derivations vote at least: one alone is too sure, and more than two change little.
_BEAM = 2

# Parts of constituents with this score at least are sure. Less is not much faster, more not better
# on the parts `dev` of MASC and CRAFT.
_SURE = 1.0


@dataclass(frozen=True)
class JointSettings(Settings, MarkovizationSettings):
    """Settings of a joint parser and its training; the network sees words alone."""

    usual: ClassVar[Schedule] = Schedule(12, 16)

    tags: Literal["own"] = "own"
    epochs: int | None = usual.epochs_setting()
    batch: int | None = usual.batch_setting()
    recurrent_size: int = 200
    span_size: int = 250


class Reading(NamedTuple):
    """What the network says of a sentence.

    Parameters
    ----------
    tags : list of mapping of str to float
        The possible tags of each token with their costs (``-log p``, natural logarithm).
    borders : array of (tokens + 1, units)
        The vectors of the borders of spans.
    derivation : Derivation
        The best one that a set-based search finds.
    chances : mapping of Constituent to float
        The probabilities of constituents, summed over the derivations of the search.
    """

    tags: list[Mapping[str, float]]
    borders: Float32
    derivation: Derivation
    chances: Mapping[Constituent, float]


@dataclass(eq=False, repr=False)
class JointNetwork(SetNetwork[JointSettings]):
    """A trained network with the labels of the parts of constituents; see `SetNetwork`."""

    settings: JointSettings
    parts: tuple[str, ...] = ()

    def read(self, sentences: Sequence[list[Token]]) -> list[Reading]:
        """Return what the network says of sentences, which it encodes once, all together."""
        lengths = list(map(len, sentences))
        encoded = self._encoded(sentences)
        scores = self._forward.tag_scores(encoded)
        borders = borders_of(encoded.second, np.array(lengths, np.int32))
        labels = self.vocabulary.labels
        beam, scorer = max(_BEAM, self.settings.beam), self._forward.scorer(encoded)
        derivations = search(lengths, scorer, labels, beam)
        chances = chances_of_sets(lengths, scorer, labels, derivations)
        ends = np.cumsum(lengths)
        return [
            Reading(
                [self._possible(row) for row in scores[end - length : end]],
                borders[end - length + place : end + place + 1],
                max(found, key=lambda each: each.log_probability),
                self.categories(sets),
            )
            for place, (length, end, found, sets) in enumerate(
                zip(lengths, ends.tolist(), derivations, chances, strict=True)
            )
        ]

    def scores(self, reading: Reading, forest: Forest) -> Costs:
        """Return the scores of the items of a forest, float64 (I,); see `SpanScorer.scores`."""

        def log_odds(borders: Int32, labels: Int32) -> list[Float32]:
            return [log_odds_of(self.arrays, reading.borders, borders, labels)]

        return scores_of_parts(forest, "factored", self._numbers, log_odds)

    def sure(self, reading: Reading, parts: Iterable[Part]) -> list[Part]:
        """Return the parts of constituents with high scores."""
        known = [part for part in parts if part.label in self._numbers]
        borders = np.array([part.borders for part in known], np.int32).reshape(-1, 2)
        labels = np.array([self._numbers[part.label] for part in known], np.int32)
        odds = log_odds_of(self.arrays, reading.borders, borders, labels)
        return [part for part, each in zip(known, odds, strict=True) if each >= _SURE]

    def _possible(self, scores: Float32) -> Mapping[str, float]:
        best = scores.max()
        total = float(np.log(np.exp(scores - best).sum()) + best)
        tags = self.vocabulary.tags
        return {
            tags[place]: total - float(scores[place])
            for place in np.flatnonzero(scores >= best - TAG_RATIO)
        }

    def _shapes(self, further_size: int) -> Shapes:
        return joint_shapes(self.settings, self.vocabulary, self.parts, further_size)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {label: number for number, label in enumerate(self.parts)}


def joint_shapes(
    settings: JointSettings, vocabulary: Vocabulary, parts: Sequence[str], further_size: int = 0
) -> Shapes:
    """Return the shapes of the arrays of a `plcfrs.parsers.joint.training.Network`."""
    units, hidden = 2 * settings.recurrent_size, settings.span_size
    return {
        **shapes_of(settings, vocabulary, further_size),
        "spans.borders.weight": (hidden, units),
        "spans.bias": (hidden,),
        **linear_shapes("spans.output", hidden, len(parts)),
    }


class JointGrammar(NamedTuple):
    """A grammar of rank 2 at most with a network; for the shares, see `SpanGrammar`.

    The calibration is that of the probabilities of constituents.
    """

    grammar: Grammar
    network: JointNetwork
    shares: Costs | None = None
    calibration: Calibration | None = None
