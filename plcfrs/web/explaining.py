"""Models whose parses say which rules, or which transitions, they are made of, with their costs."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from plcfrs.chart import ParseResult
from plcfrs.chart.search import Candidates
from plcfrs.pipeline import Model, Parse, TransitionModel
from plcfrs.pipeline.explanation import Explanation, explain
from plcfrs.pipeline.steps import TransitionStep, steps_of
from plcfrs.transition.parser import TransitionParse
from plcfrs.trees import Token


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedParse(Parse):
    """A parse with its derivation, rule by rule."""

    explanation: Explanation


@dataclass(frozen=True, slots=True, kw_only=True)
class TransitionsParse(Parse):
    """A parse of a transition parser with its transitions."""

    steps: list[TransitionStep]


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
        return ExplainedParse(**_content(parse), explanation=explanation)


class ExplainingTransitionModel(TransitionModel):
    """A transition parser that keeps the transitions of each parse."""

    def _parsed(self, found: TransitionParse, sentence: str) -> Parse:
        steps = steps_of(self.parser.settings, found)
        return TransitionsParse(**_content(super()._parsed(found, sentence)), steps=steps)


def _content(parse: Parse) -> dict[str, Any]:
    return {field.name: getattr(parse, field.name) for field in fields(Parse)}
