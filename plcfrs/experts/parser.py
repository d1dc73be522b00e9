"""Parsing by a judge: the forest of a grammar, then its best derivation."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace

from plcfrs.chart import ChartParser, Forest, ParseResult, constituent_posteriors
from plcfrs.chart.budget import DEFAULT, Budget
from plcfrs.chart.kernel.arrays import Costs
from plcfrs.chart.scanning import Candidates
from plcfrs.experts.decoding import best_derivation, derivation_of_edges
from plcfrs.experts.judgement import LOG_RATIO, MOST_ITEMS, Judgement, scores_of_edges, unjudged
from plcfrs.experts.sums import score_sums
from plcfrs.grammar import Grammar, Nonterminal
from plcfrs.tagging import WordModel


class JudgingParser(ABC):
    """A grammar whose forests are judged: the derivations have a log-linear model.

    Parameters
    ----------
    grammar : Grammar
        Of rank 2 at most.
    shares : float64 array (components,), optional
        The cost of each component of each rule, for the search (see `ChartParser`).
    budget : Budget
        Limits for each sentence.

    Raises
    ------
    GrammarError
        If a rule has more than two children, or the shares do not belong to the grammar.
    """

    def __init__(
        self, grammar: Grammar, shares: Costs | None = None, budget: Budget = DEFAULT
    ) -> None:
        self._tagger = WordModel(grammar.lexicon)
        self._chart = ChartParser(grammar, budget=budget, shares=shares)

    @abstractmethod
    def judge(self, words: Sequence[str], forest: Forest) -> Judgement:
        """Return the scores of the edges and items of a forest.

        Parameters
        ----------
        words : sequence of str
        forest : Forest
            Of any grammar of the same treebank that is binarized in the same way.
        """

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
        scores = self._scores(words, forest)
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
        sums = score_sums(forest, self._scores(words, forest))
        return constituent_posteriors(forest, sums.posterior)

    def parse_with_forest(
        self, tags: Candidates, log_ratio: float = LOG_RATIO
    ) -> tuple[ParseResult, Forest | None]:
        """Return the best parse of the grammar alone, and the forest that is judged.

        See `ChartParser.parse_with_forest`.

        Parameters
        ----------
        tags : sequence of mapping of Nonterminal to float
            As for `parse`.
        log_ratio : float
        """
        return self._chart.parse_with_forest(tags, log_ratio, MOST_ITEMS)

    def _scores(self, words: Sequence[str], forest: Forest) -> Costs:
        """Return the scores by which the best derivation is chosen, those of all edges."""
        return scores_of_edges(forest, self.judge(words, forest))
