"""A grammar with span features that is ready to parse, and its training."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from plcfrs.chart.budget import DEFAULT, Budget
from plcfrs.features import FeatureGrammar, FeatureParser, Settings
from plcfrs.grammar.inspection import Inspection
from plcfrs.pipeline.family import Family
from plcfrs.pipeline.grammar_parser import FallbackOptions
from plcfrs.pipeline.judging import LogLinearModel
from plcfrs.pipeline.parse import Fallback
from plcfrs.transformation import Options

if TYPE_CHECKING:
    from plcfrs.pipeline.feature_training import FeatureTrainer

KIND = "features"


class FeatureModel(LogLinearModel):
    """A grammar with span features that is ready to parse.

    Parameters
    ----------
    model : FeatureGrammar
    fallback : {"none", "flat", "partial"}
        What to do without a parse of the grammar; see `GrammarParser`.
    budget : Budget
        For each sentence.
    """

    kind = KIND
    contents_type = FeatureGrammar

    def __init__(
        self, model: FeatureGrammar, fallback: Fallback = "none", budget: Budget = DEFAULT
    ) -> None:
        super().__init__(model.grammar, fallback, budget)
        self.model = model
        self._parser = FeatureParser(model, budget)

    @property
    def contents(self) -> FeatureGrammar:
        """The grammar and the weights."""
        return self.model


def _trainer(*given: Any) -> FeatureTrainer:  # noqa: ANN401
    from plcfrs.pipeline.feature_training import FeatureTrainer

    return FeatureTrainer(*given)


def _inspect(path: Path) -> Inspection:
    return Inspection(FeatureModel.load(path).grammar)


FAMILIES = (
    Family(
        KIND,
        KIND,
        "a grammar with span features (Hall, Durrett and Klein 2014)",
        FeatureModel.load,
        _trainer,
        _inspect,
        Settings(),
        FallbackOptions(),
        (),
        frozenset({"budget", "sums", "resume"}),
        # The features include the words around, which are more informative than category splits.
        transformation=Options(splits=()),
    ),
)
