"""A grammar with span features that is ready to parse, and its training."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from plcfrs.chart.budget import DEFAULT, Budget
from plcfrs.features import FeatureGrammar, FeatureParser, Settings
from plcfrs.features.files import KIND, contents_of, model_of
from plcfrs.grammar.inspection import Inspection
from plcfrs.pipeline.family import Family
from plcfrs.pipeline.grammar_parser import FallbackOptions
from plcfrs.pipeline.judging import LogLinearModel
from plcfrs.pipeline.kernels import FEATURE_LEARNING, FEATURES, SEARCH, TIGHTENING
from plcfrs.pipeline.parse import Fallback
from plcfrs.storage import model_file
from plcfrs.storage.files import errors_name
from plcfrs.storage.model_file import ModelFile
from plcfrs.transformation import Options

if TYPE_CHECKING:
    from plcfrs.pipeline.feature_training import FeatureTrainer


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

    def __init__(
        self, model: FeatureGrammar, fallback: Fallback = "none", budget: Budget = DEFAULT
    ) -> None:
        super().__init__(model.grammar, fallback, budget)
        self.model = model
        self._parser = FeatureParser(model, budget)

    @classmethod
    def load(
        cls, path: str | Path, fallback: Fallback = "none", budget: Budget = DEFAULT
    ) -> FeatureModel:
        """Read a saved grammar with features; the other parameters are those of `FeatureModel`.

        Raises
        ------
        GrammarError
            If the file is missing, damaged or something else.
        """
        contents = model_file.load(path)
        with errors_name(path):
            return cls(model_of(contents), fallback, budget)

    def contents(self) -> ModelFile:
        """Return the grammar and the weights."""
        return contents_of(self.model)


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
        kernels={
            # The forest of every sentence is found with tighter bounds.
            "parsing": (SEARCH, TIGHTENING._replace(modules=()), FEATURES),
            "training": (SEARCH, TIGHTENING._replace(modules=()), FEATURE_LEARNING),
        },
    ),
)
