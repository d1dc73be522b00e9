"""Parsing with features: the forest of the grammar, then its best derivation by their weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from plcfrs.chart import ChartParser, ParseResult, constituent_posteriors
from plcfrs.chart.budget import DEFAULT, Budget
from plcfrs.chart.forest import Forest
from plcfrs.chart.scanning import Candidates
from plcfrs.experts import (
    LOG_RATIO,
    MOST_ITEMS,
    Judgement,
    best_derivation,
    score_sums,
    scores_of_edges,
    unjudged,
)
from plcfrs.experts.decoding import derivation_of_edges
from plcfrs.features.atoms import SymbolNumbers, words_of
from plcfrs.features.grammar import FeatureGrammar
from plcfrs.features.scoring import Features
from plcfrs.grammar import Nonterminal
from plcfrs.tagging import WordModel


class FeatureParser:
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
        self._weights = model.weights
        self._tagger = WordModel(model.grammar.lexicon)
        self._chart = ChartParser(model.grammar, budget=budget, shares=model.shares)
        self._numbers = SymbolNumbers()

    def parse(self, words: Sequence[str], tags: Candidates) -> ParseResult:
        """Return the most probable derivation of a sentence.

        Parameters
        ----------
        words : sequence of str
        tags : sequence of mapping of Nonterminal to float
            The possible tags of each token with their costs (0 for given tags).

        Returns
        -------
        ParseResult
            Its cost is ``-log p`` of the derivation, given the words, among those of the forest. If
            the budget is used up or the sentence is too long for a forest, a derivation of the
            grammar alone, if there is one; nothing is known about better ones, so its gap is
            infinite.
        """
        result, forest = self.parse_with_forest(tags)
        if forest is None:
            return unjudged(result)
        scores = scores_of_edges(forest, self.judge(words, forest))
        best = best_derivation(forest, scores)
        cost = score_sums(forest, scores).log_probability - best.score
        derivation = derivation_of_edges(forest, best.edges)
        return replace(result, cost=max(cost, 0.0), derivation=derivation, gap=None)

    def tags(self, words: Sequence[str]) -> list[dict[Nonterminal, float]]:
        """Return the possible tags of each word, with their costs (see `WordModel.tags`)."""
        return self._tagger.tags(words)

    def constituents(
        self, words: Sequence[str], tags: Candidates
    ) -> dict[tuple[Nonterminal, int], float]:
        """Return the posterior probability of each constituent and tag.

        Parameters
        ----------
        words : sequence of str
        tags : sequence of mapping of Nonterminal to float
            As for `parse`.

        Returns
        -------
        dict of (Nonterminal, int) to float
            For each symbol and span, a bitset (see `plcfrs.trees.spans`), without intermediate
            symbols. Empty if there is no forest.
        """
        _, forest = self.parse_with_forest(tags)
        if forest is None:
            return {}
        sums = score_sums(forest, scores_of_edges(forest, self.judge(words, forest)))
        return constituent_posteriors(forest, sums.posterior)

    def parse_with_forest(self, tags: Candidates) -> tuple[ParseResult, Forest | None]:
        """Return the best parse of the grammar alone, and the forest that features judge.

        See `ChartParser.parse_with_forest`.

        Parameters
        ----------
        tags : sequence of mapping of Nonterminal to float
            As for `parse`.
        """
        return self._chart.parse_with_forest(tags, LOG_RATIO, MOST_ITEMS)

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
