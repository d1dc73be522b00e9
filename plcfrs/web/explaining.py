"""A model whose parses say which rules they are made of, with their costs."""

from __future__ import annotations

from dataclasses import dataclass, fields

from plcfrs.chart import ParseResult
from plcfrs.chart.search import Candidates
from plcfrs.pipeline import Model, Parse
from plcfrs.pipeline.explanation import Explanation, explain
from plcfrs.trees import Token


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedParse(Parse):
    """A parse with its derivation, rule by rule."""

    explanation: Explanation


class ExplainingModel(Model):
    """A model that keeps of each parse the derivation with the rules that the parser used.

    The derivation of a `Parse` is that of the grammar before binarization, whose rules have no
    costs of their own any more.
    """

    def _parsed(
        self, result: ParseResult, tokens: list[Token], candidates: Candidates, sentence: str
    ) -> Parse:
        parse = super()._parsed(result, tokens, candidates, sentence)
        if result.derivation is None:
            return parse
        words = [token.form for token in tokens]
        explanation = explain(self.grammar, words, candidates, result.derivation)
        known = {field.name: getattr(parse, field.name) for field in fields(Parse)}
        return ExplainedParse(**known, explanation=explanation)
