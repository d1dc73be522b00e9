"""The contents of a neural parser, and what all neural parsers share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from plcfrs.chart.kernel.arrays import Costs
from plcfrs.forest.grammar_parser import FallbackOptions
from plcfrs.forest.posteriors import Calibration, calibration_of
from plcfrs.grammar import Grammar
from plcfrs.learning.sequences import Tagger
from plcfrs.parsers.neural.network import NeuralNetwork, Reading
from plcfrs.parsing import LearnedParser, Sentence
from plcfrs.parsing.beam import BeamOptions
from plcfrs.trees import Token, Tree

if TYPE_CHECKING:
    from typing_extensions import Self


@dataclass(frozen=True)
class NeuralOptions(BeamOptions, FallbackOptions):
    """Options of parsing: the beam is for transitions, the fallback for spans alone."""


class NeuralContents(NamedTuple):
    """What a model file of a neural parser contains.

    Parameters
    ----------
    network : NeuralNetwork
    about : mapping of str to str
        How the model was made, for people.
    tagger : Tagger, optional
        For words without tags, if tags are an input of the network.
    grammar : Grammar, optional
        With up to two children in a rule; it makes the forests whose spans are scored.
    shares : float64 array (components,), optional
        The cost of each component of each rule, for the search (see `ChartParser`).
    calibration : Calibration, optional
        Of the probabilities of constituents.
    """

    network: NeuralNetwork
    about: Mapping[str, str]
    tagger: Tagger | None = None
    grammar: Grammar | None = None
    shares: Costs | None = None
    calibration: Calibration | None = None

    def check(self) -> None:
        """Raise a ValueError if something is missing."""
        settings = self.network.settings
        if (self.tagger is None) == (settings.tags == "given"):
            raise ValueError("the tagger is missing, or useless")
        if (self.grammar is None) == settings.has_spans:
            raise ValueError("the grammar is missing, or useless")


class NeuralParser(LearnedParser):
    """What neural parsers share, with and without a grammar."""

    kind = "neural"
    contents_type = NeuralContents
    model: NeuralContents

    @property
    def contents(self) -> NeuralContents:
        """The network, and all that belongs to it."""
        return self.model

    def calibrated(self, sentences: Sequence[Tree], gold: Sequence[Tree]) -> Self:
        """Return the parser with calibrated probabilities; see `SentenceParser.calibrated`."""
        parser = copy(self)
        parser.model = self.model._replace(calibration=None)
        calibration = calibration_of(parser, sentences, gold)
        parser.model = self.model._replace(calibration=calibration)
        return parser

    def _input(self, sentence: Sentence) -> list[Token]:
        """Return the tokens that the network reads, with tags if these are an input."""
        tagger = self.model.tagger
        return sentence.tokens if tagger is None else sentence.best_tagged(tagger)

    def _tagged(self, sentence: Sentence, reading: Reading) -> list[Token]:
        """Return new tokens with the given tags, or with the network's best tags."""
        return sentence.best_tagged(lambda _: reading.best_tags)
