"""The network of a joint parser without PyTorch, and what it reads in a sentence.

One encoder serves three heads: the tagger and the transitions of a set-based parser (Coavoux and
Cohen 2019), and the scores of spans (Stern, Andreas and Klein 2017).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from plcfrs.chart.estimates import Bracket
from plcfrs.chart.kernel.arrays import Costs
from plcfrs.forest.markovization import MarkovizationSettings
from plcfrs.grammar import Grammar
from plcfrs.learning.calibration import Calibration
from plcfrs.networks.encoding import Float32, Int32, Schedule, Shapes, Vocabulary, linear_shapes
from plcfrs.parsers.joint.outline import Chain, Chains, Outline, constituents_of
from plcfrs.parsers.set_based.network import Settings, shapes_of
from plcfrs.parsers.set_based.parser import SetNetwork
from plcfrs.parsers.set_based.search import Derivation, chances_of_sets, search
from plcfrs.parsers.spans.parts import Part, borders_of, log_odds_of
from plcfrs.parsers.spans.scorer import scores_of_parts
from plcfrs.parsing.votes import Constituent
from plcfrs.settings import setting
from plcfrs.trees import Token
from plcfrs.trees.tree import fan_out, runs

# Tags that are at most e to this power less probable than the best one are possible.
TAG_RATIO = 6.0

# So many derivations vote at least: one alone is too sure, and more than two change little.
_BEAM = 2

# Constituents of the set-based tree with this score at least are sure. With less, F1 falls on the
# parts `dev` of MASC and CRAFT; more is not better.
_SURE = 1.0


@dataclass(frozen=True)
class JointSettings(Settings, MarkovizationSettings):
    """Settings of a joint parser and its training; the network sees words alone."""

    usual: ClassVar[Schedule] = Schedule(12, 16)

    tags: Literal["own"] = "own"
    epochs: int | None = usual.epochs_setting()
    batch: int | None = usual.batch_setting()
    # The score of a constituent with a gap is the sum over its parts, each of which is rare. The
    # default was chosen on the parts `dev` of MASC and CRAFT.
    gap_bonus: float = setting(
        2.0,
        "How much higher a constituent with a gap scores than by its spans: without any, too few "
        "are found.",
        least=0,
        fraction=True,
    )
    recurrent_size: int = 200
    span_size: int = 250


class Reading(NamedTuple):
    """What the network says of a sentence.

    Parameters
    ----------
    tags : sequence of mapping of str to float
        The possible tags of each token with their costs (``-log p``, natural logarithm).
    borders : array of (tokens + 1, units)
        The vectors of the borders of spans.
    derivation : Derivation
        The best one that a set-based search finds.
    chances : mapping of Constituent to float
        The probabilities of constituents, summed over the derivations of the search.
    """

    tags: Sequence[Mapping[str, float]]
    borders: Float32
    derivation: Derivation
    chances: Mapping[Constituent, float]

    def within(self, outline: Outline) -> Reading:
        """Return what is said of the tokens of an outline, but for tags."""
        spans = {span: outline.narrowed(span) for span in {span for _, span in self.chances}}
        kept = {span for span, tokens in spans.items() if outline.widened(tokens) == span}
        chances = {
            (category, spans[span]): chance
            for (category, span), chance in self.chances.items()
            if span in kept
        }
        return self._replace(borders=self.borders[outline.borders], chances=chances)


@dataclass(eq=False, repr=False)
class JointNetwork(SetNetwork[JointSettings]):
    """A trained network with the labels of the parts of constituents; see `SetNetwork`."""

    settings: JointSettings
    parts: tuple[str, ...] = ()

    def read(self, sentences: Sequence[list[Token]]) -> list[Reading]:
        """Return what the network says of sentences, which it encodes once, all together."""
        lengths = list(map(len, sentences))
        encoded = self._encoded(sentences)
        tags = self._possible(self._forward.tag_scores(encoded))
        borders = borders_of(encoded.second, np.array(lengths, np.int32))
        labels = self.vocabulary.labels
        beam, scorer = max(_BEAM, self.settings.beam), self._forward.scorer(encoded)
        derivations = search(lengths, scorer, labels, beam)
        chances = chances_of_sets(lengths, scorer, labels, derivations)
        ends = np.cumsum(lengths)
        return [
            Reading(
                tags[end - length : end],
                borders[end - length + place : end + place + 1],
                max(found, key=lambda each: each.log_probability),
                self.categories(sets),
            )
            for place, (length, end, found, sets) in enumerate(
                zip(lengths, ends.tolist(), derivations, chances, strict=True)
            )
        ]

    def scores(self, reading: Reading, groups: Sequence[Sequence[Constituent]]) -> Costs:
        """Return the sums of the scores of groups of constituents; see `SpanScorer.scores`."""
        parts = [
            (place, part)
            for place, group in enumerate(groups)
            for constituent in group
            for part in Part.all_of(*constituent, "factored")
        ]

        def log_odds(borders: Int32, labels: Int32) -> list[Float32]:
            return [log_odds_of(self.arrays, reading.borders, borders, labels)]

        return scores_of_parts(len(groups), parts, self._numbers, log_odds)

    def outline(self, reading: Reading, tree: Chains) -> tuple[Outline, list[Bracket]]:
        """Return the outline of a tree, and the spans of its tokens that are sure."""
        constituents = [each for item in tree.items() for each in constituents_of(*item)]
        scores = self.scores(reading, [[each] for each in constituents])
        sure = {span for _, span in constituents if fan_out(span) == 1}
        sure -= {span for (_, span), low in zip(constituents, scores < _SURE, strict=True) if low}
        outline = Outline.of(len(reading.tags), tree, sure)
        return outline, sorted({run for span in sure for run in runs(outline.narrowed(span))})

    def tree_of_reading(self, reading: Reading, tags: Sequence[str]) -> dict[int, Chain]:
        """Return the set-based tree with these tags, see `plcfrs.parsers.joint.outline`."""
        labels = reading.derivation.constituents
        found = {span: self._chains[label] for span, label in labels.items()}
        for token, tag in enumerate(tags):
            found[1 << token] = (*found.get(1 << token, ()), tag)
        return found

    def _possible(self, scores: Float32) -> list[dict[str, float]]:
        """Return the possible tags of each token, given the scores of all tags."""
        best = scores.max(1, keepdims=True)
        totals = np.log(np.exp(scores - best).sum(1, keepdims=True)) + best
        costs = totals.astype(np.float64) - scores
        found: list[dict[str, float]] = [{} for _ in scores]
        tokens, tags = np.nonzero(scores >= best - TAG_RATIO)
        chosen = zip(tokens.tolist(), tags.tolist(), costs[tokens, tags].tolist(), strict=True)
        for token, tag, cost in chosen:
            found[token][self.vocabulary.tags[tag]] = cost
        return found

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
