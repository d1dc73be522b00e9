"""The family of grammars with span features: the parser, and the settings of its training."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from plcfrs.chart import Forest
from plcfrs.forest.forest_parser import StoredForestParser
from plcfrs.forest.forests import MarkovizationSettings
from plcfrs.forest.grammar_parser import FallbackOptions
from plcfrs.forest.votes import ForestScores
from plcfrs.grammar.grammar import Inspection
from plcfrs.parsers.features.atoms import FeatureGrammar, ForestFeatures, SymbolNumbers, WordNumbers
from plcfrs.parsing.registry import Family, trained_by
from plcfrs.parsing.sentence import Sentence
from plcfrs.settings import setting
from plcfrs.transformation import Options


@dataclass(frozen=True)
class FeatureSettings(MarkovizationSettings):
    """Settings of training feature weights; the defaults did best on a development set."""

    epochs: int = setting(4, "Number of passes over all trees.", least=0)
    folds: int = setting(
        8,
        "Number of parts of the trees; the forests of a part come from a grammar of the others.",
        least=2,
    )
    seed: int = setting(1, "Seed of the order of the trees.", least=0)


class FeatureModel(StoredForestParser[FeatureGrammar]):
    """A grammar with span features that is ready to parse."""

    kind = "features"
    contents_type = FeatureGrammar

    def judge(self, sentence: Sentence, forest: Forest) -> ForestScores:
        """Return the scores of edges and items: ``log p`` plus the weights of their features."""
        weights, symbols = self.model.weights, self._numbers.of(forest.compiled)
        features = ForestFeatures.of(
            forest, symbols, WordNumbers.of(forest, sentence.words), len(weights)
        )
        return features.judge(forest, weights)

    @cached_property
    def _numbers(self) -> SymbolNumbers:
        return SymbolNumbers()


FAMILIES = (
    Family(
        FeatureModel.kind,
        FeatureModel.kind,
        "a grammar with span features (Hall, Durrett and Klein 2014)",
        FeatureModel.load,
        trained_by("plcfrs.parsers.features.training", "FeatureTrainer"),
        lambda path: Inspection(FeatureModel.load(path).grammar),
        FeatureSettings(),
        FallbackOptions(),
        capabilities=FeatureModel.capabilities | {"resume"},
        # The features include the words around, which say more than category splits.
        transformation=Options(splits=()),
    ),
)
