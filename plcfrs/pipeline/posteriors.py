"""Parsers that judge their own forests: they know the posterior probabilities of constituents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import ClassVar, Generic, Protocol, TypeVar

from plcfrs.binarization import unbinarize
from plcfrs.chart import Forest, ParseResult
from plcfrs.chart.scanning import Candidates
from plcfrs.experts import LOG_RATIO
from plcfrs.grammar import Derivation, Nonterminal
from plcfrs.grammar.positions import render_ranges
from plcfrs.pipeline.explanation import Step, numbered, steps_of
from plcfrs.pipeline.grammar_parser import GrammarParser
from plcfrs.pipeline.sentence import Sentence
from plcfrs.pipeline.sentence_parser import LearnedParser
from plcfrs.trees.spans import span_of_runs


@dataclass(frozen=True, slots=True)
class PosteriorExplanation:
    """The constituents of a parse, each with its posterior probability.

    Parameters
    ----------
    words : list of str
    steps : list of Step
        Mothers before their children; their scores are logarithms of posterior probabilities.
    """

    words: list[str]
    steps: list[Step]
    noun: ClassVar[str] = "rule"
    measure: ClassVar[str] = "ln posterior"
    dependencies: ClassVar[None] = None

    @classmethod
    def of(
        cls,
        words: list[str],
        derivation: Derivation,
        posteriors: Mapping[tuple[Nonterminal, int], float],
    ) -> PosteriorExplanation:
        """Return the explanation of a derivation.

        Parameters
        ----------
        words : list of str
        derivation : Derivation
            With intermediate symbols.
        posteriors : mapping of (Nonterminal, int) to float
            The probability of each symbol and span, a bitset.
        """

        def cost(part: Derivation, ranges: tuple[tuple[int, int], ...]) -> float:
            posterior = posteriors.get((part.nonterminal, span_of_runs(ranges)), 0.0)
            return -log(max(posterior, 1e-300))

        return cls(words, steps_of(unbinarize(derivation), cost))

    def lines(self, *, binarized: bool = False) -> list[str]:  # noqa: ARG002 (there are no other rules)
        """Return the rules with the posterior probabilities of their constituents as text."""
        places = [render_ranges(step.ranges) for step in self.steps]
        width = max(map(len, places))
        lines = [numbered(self.words), "", f"posterior  {'at':<{width}}  rule"]
        for step, place in zip(self.steps, places, strict=True):
            rule = f"{2 * step.depth * ' '}{step.with_word(self.words)}"
            lines.append(f"{step.probability:9.4f}  {place:<{width}}  {rule}")
        return lines


class ForestJudge(Protocol):
    """What chooses among the derivations of a forest that it finds."""

    def parse_with_forest(
        self, tags: Candidates, log_ratio: float, /
    ) -> tuple[ParseResult, Forest | None]:
        """Return the best parse of the grammar alone, and the forest."""

    def tags(self, words: Sequence[str], /) -> Sequence[Mapping[Nonterminal, float]]:
        """Return the possible tags of each word, with their costs."""

    def constituents(
        self, words: Sequence[str], tags: Candidates, /
    ) -> Mapping[tuple[Nonterminal, int], float]:
        """Return the posterior probability of each constituent and tag."""


Judge = TypeVar("Judge", bound=ForestJudge)


class JudgingModel(GrammarParser, LearnedParser, Generic[Judge]):
    """A parser with a grammar whose judge finds the forest, the tags and the posteriors."""

    _parser: Judge

    def parse_with_forest(
        self, candidates: Candidates, log_ratio: float = LOG_RATIO
    ) -> tuple[ParseResult, Forest | None]:
        """Return the best parse and a forest; see `GrammarParser.parse_with_forest`."""
        return self._parser.parse_with_forest(candidates, log_ratio)

    def _tags_of(self, words: list[str]) -> list[Mapping[Nonterminal, float]]:
        return list(self._parser.tags(words))

    def _constituents(
        self, sentence: Sentence, candidates: Candidates
    ) -> Mapping[tuple[Nonterminal, int], float]:
        return self._parser.constituents(sentence.words, candidates)

    def _explained(
        self, sentence: Sentence, candidates: Candidates, derivation: Derivation
    ) -> PosteriorExplanation:
        posteriors = self._constituents(sentence, candidates)
        return PosteriorExplanation.of(sentence.words, derivation, posteriors)
