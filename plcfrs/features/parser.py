"""Parsing with features: the forest of the grammar, then its best derivation by their weights."""

from __future__ import annotations

from collections.abc import Sequence

from plcfrs.chart import Forest
from plcfrs.chart.budget import DEFAULT, Budget
from plcfrs.experts import Judgement
from plcfrs.experts.parser import JudgingParser
from plcfrs.features.atoms import SymbolNumbers, words_of
from plcfrs.features.grammar import FeatureGrammar
from plcfrs.features.scoring import Features


class FeatureParser(JudgingParser):
    """Parsing with the weights of features, from coarse to fine.

    Parameters
    ----------
    model : FeatureGrammar
    budget : Budget
        Limits for each sentence.

    Raises
    ------
    GrammarError
        If a rule has more than two children, or the shares do not belong to the grammar.
    """

    def __init__(self, model: FeatureGrammar, budget: Budget = DEFAULT) -> None:
        super().__init__(model.grammar, model.shares, budget)
        self._weights = model.weights
        self._numbers = SymbolNumbers()

    def judge(self, words: Sequence[str], forest: Forest) -> Judgement:
        """Return the scores of the edges and items: ``log p`` and the weights of the features.

        Parameters
        ----------
        words : sequence of str
        forest : Forest
            Of any grammar of the same treebank that is binarized in the same way.
        """
        symbols = self._numbers.of(forest.compiled)
        features = Features.of(forest, symbols, words_of(forest, words), len(self._weights))
        return features.judge(forest, self._weights)
