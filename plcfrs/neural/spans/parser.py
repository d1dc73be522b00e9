"""Parsing with a span scorer: the forest of a grammar, then its best derivation by both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from plcfrs.chart import Forest
from plcfrs.chart.budget import DEFAULT, Budget
from plcfrs.chart.kernel.arrays import Costs
from plcfrs.experts import Judgement
from plcfrs.experts.decoding import best_tags
from plcfrs.experts.parser import JudgingParser
from plcfrs.grammar import Grammar
from plcfrs.neural.spans.scorer import SpanScorer
from plcfrs.trees import Token


class SpanGrammar(NamedTuple):
    """A grammar with a span scorer.

    Parameters
    ----------
    grammar : Grammar
        Of rank 2 at most.
    scorer : SpanScorer
    shares : float64 array (components,), optional
        The cost of each component of each rule, for the search (see `ChartParser`).
    """

    grammar: Grammar
    scorer: SpanScorer
    shares: Costs | None = None


class SpanParser(JudgingParser):
    """Parsing with a grammar and a span scorer.

    The score of a derivation is ``log p`` of its rules, plus the scores of its constituents.

    Parameters
    ----------
    model : SpanGrammar
    budget : Budget
        Limits for each sentence.

    Raises
    ------
    GrammarError
        If a rule has more than two children, or the shares do not belong to the grammar.
    """

    def __init__(self, model: SpanGrammar, budget: Budget = DEFAULT) -> None:
        super().__init__(model.grammar, model.shares, budget)
        self._scorer = model.scorer

    def judge(self, words: Sequence[str], forest: Forest) -> Judgement:
        """Return the scores of the constituents, without those of the rules.

        The tags that the network sees are those of the most probable derivation.

        Parameters
        ----------
        words : sequence of str
        forest : Forest
            Of any grammar of the same treebank that is binarized in the same way.
        """
        tokens = list(map(Token, words, best_tags(forest)))
        nothing = np.zeros(len(forest.edge_rule))
        return Judgement(nothing, self._scorer.scores(tokens, forest))

    def _scores(self, words: Sequence[str], forest: Forest) -> Costs:
        return super()._scores(words, forest) - forest.edge_cost
