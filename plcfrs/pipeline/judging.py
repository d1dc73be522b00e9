"""Parsers that judge the forests of their own grammar, and those of others, in the same way."""

from __future__ import annotations

from plcfrs.chart import Forest, ParseResult
from plcfrs.chart.scanning import Candidates
from plcfrs.experts import Judgement
from plcfrs.experts.parser import JudgingParser
from plcfrs.pipeline.posteriors import JudgingModel
from plcfrs.pipeline.sentence import Sentence


class LogLinearModel(JudgingModel[JudgingParser]):
    """A parser whose judge has a log-linear model of the derivations of a forest.

    There are no objectives to choose from, and no n-best parses.
    """

    _meaning = "ln p of the derivation among those of the forest"

    def judge(self, sentence: Sentence, forest: Forest) -> Judgement:
        """Return what the judge says of a forest; see `JudgingParser.judge`."""
        return self._parser.judge(sentence.words, forest)

    def _search(self, sentence: Sentence, candidates: Candidates, objective: str) -> ParseResult:  # noqa: ARG002 (there is no choice)
        return self._parser.parse(sentence.words, candidates)
