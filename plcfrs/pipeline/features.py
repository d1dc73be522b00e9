"""A grammar with span features that is ready to parse, and its training."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from plcfrs.chart import ChartParser, Forest
from plcfrs.chart.budget import DEFAULT, Budget
from plcfrs.experts import Judgement
from plcfrs.features import FeatureGrammar, Settings
from plcfrs.features.atoms import SymbolNumbers, words_of
from plcfrs.features.scoring import Features
from plcfrs.grammar.inspection import Inspection
from plcfrs.pipeline.family import Family
from plcfrs.pipeline.forest_parser import ForestParser
from plcfrs.pipeline.grammar_parser import FallbackOptions
from plcfrs.pipeline.parse import Fallback
from plcfrs.pipeline.sentence import Sentence
from plcfrs.pipeline.sentence_parser import LearnedParser
from plcfrs.tagging import WordModel
from plcfrs.transformation import Options

if TYPE_CHECKING:
    from plcfrs.pipeline.feature_training import FeatureTrainer

KIND = "features"


class FeatureModel(ForestParser, LearnedParser):
    """A grammar with span features that is ready to parse.

    Parameters
    ----------
    fallback : {"none", "flat", "partial"}
        What to do without a parse of the grammar; see `GrammarParser`.
    budget : Budget
        For each sentence.
    """

    kind = KIND
    capabilities = frozenset({"budget", "sums"})
    contents_type = FeatureGrammar

    def __init__(
        self, model: FeatureGrammar, fallback: Fallback = "none", budget: Budget = DEFAULT
    ) -> None:
        chart = ChartParser(model.grammar, budget=budget, shares=model.shares)
        super().__init__(model.grammar, chart, WordModel(model.grammar.lexicon), fallback, budget)
        self.model = model
        self._numbers = SymbolNumbers()

    def judge(self, sentence: Sentence, forest: Forest) -> Judgement:
        """Return the scores of the edges and items: ``log p`` and the weights of the features."""
        weights, symbols = self.model.weights, self._numbers.of(forest.compiled)
        features = Features.of(forest, symbols, words_of(forest, sentence.words), len(weights))
        return features.judge(forest, weights)

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
        FeatureModel.capabilities | {"resume"},
        # The features include the words around, which are more informative than category splits.
        transformation=Options(splits=()),
    ),
)
