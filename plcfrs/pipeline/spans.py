"""A grammar with a span scorer that is ready to parse, and its training."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plcfrs.chart.budget import DEFAULT, Budget
from plcfrs.grammar.inspection import Inspection
from plcfrs.grammar.summary import some
from plcfrs.neural.requirement import require_torch
from plcfrs.neural.spans.parser import SpanGrammar, SpanParser
from plcfrs.neural.spans.settings import SpanSettings
from plcfrs.pipeline.family import Family
from plcfrs.pipeline.grammar_parser import FallbackOptions
from plcfrs.pipeline.judging import LogLinearModel
from plcfrs.pipeline.parse import Fallback
from plcfrs.settings import texts_of
from plcfrs.transformation import Options

if TYPE_CHECKING:
    from plcfrs.pipeline.span_training import SpanTrainer

KIND = "spans"


class SpanModel(LogLinearModel):
    """A grammar with a span scorer that is ready to parse.

    Parameters
    ----------
    model : SpanGrammar
    fallback : {"none", "flat", "partial"}
        What to do without a parse of the grammar; see `GrammarParser`.
    budget : Budget
        For each sentence.
    """

    kind = KIND
    contents_type = SpanGrammar

    def __init__(
        self, model: SpanGrammar, fallback: Fallback = "none", budget: Budget = DEFAULT
    ) -> None:
        super().__init__(model.grammar, fallback, budget)
        self.model = model
        self._parser = SpanParser(model, budget)

    @property
    def about(self) -> Mapping[str, str]:
        """The settings, and the options of the grammar."""
        return {**texts_of(self.model.scorer.settings), **super().about}

    @property
    def contents(self) -> SpanGrammar:
        """The grammar and the span scorer."""
        return self.model


def _trainer(*given: Any) -> SpanTrainer:  # noqa: ANN401
    require_torch()
    from plcfrs.pipeline.span_training import SpanTrainer

    return SpanTrainer(*given)


def _inspect(path: Path) -> Inspection:
    model = SpanModel.load(path)
    scorer = model.model.scorer
    return Inspection(
        model.grammar,
        [
            *(f"  {key}: {value}" for key, value in texts_of(scorer.settings).items()),
            f"  words: {len(scorer.vocabulary.words)} seen at least twice",
            f"  labels: {len(scorer.vocabulary.labels)} ({some(scorer.vocabulary.labels)})",
            f"  weights: {scorer.weights:,}",
            *(f"  {each.title}" for each in scorer.inputs),
        ],
    )


FAMILIES = (
    Family(
        KIND,
        KIND,
        "a grammar with a neural span scorer (Stern, Andreas and Klein 2017)",
        SpanModel.load,
        _trainer,
        _inspect,
        SpanSettings(),
        FallbackOptions(),
        (),
        frozenset({"budget", "sums", "resume"}),
        # The network sees the whole sentence, which is more informative than category splits.
        transformation=Options(splits=()),
    ),
)
