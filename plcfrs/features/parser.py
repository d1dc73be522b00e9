"""Parsing with features: the forest of the grammar, then its best derivation by their weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf
from typing import NamedTuple

from plcfrs.chart import ChartParser, ParseResult, constituent_posteriors
from plcfrs.chart.budget import DEFAULT, Budget
from plcfrs.chart.forest import Forest
from plcfrs.chart.kernel.arrays import Costs
from plcfrs.chart.scanning import Candidates
from plcfrs.experts import best_derivation, score_sums, scores_of_edges
from plcfrs.experts.decoding import derivation_of_edges
from plcfrs.features.atoms import Symbols, Words
from plcfrs.features.grammar import FeatureGrammar
from plcfrs.features.scoring import Features
from plcfrs.grammar import Derivation, Grammar, Nonterminal
from plcfrs.tagging import WordModel

# The forest has the derivations that are at most e to this power less probable than the best one.
_LOG_RATIO = 6.0

# A forest with more items gets fewer derivations.
_MOST_ITEMS = 50_000


class Found(NamedTuple):
    """The forest of a sentence with what its features need.

    Parameters
    ----------
    forest : Forest
    words : Words
    """

    forest: Forest
    words: Words


class ForestParser:
    """The parser that finds the forests: all derivations that are not much worse than the best one.

    Parameters
    ----------
    grammar : Grammar
        Of rank 2 at most.
    budget : Budget
        Limits for each sentence.
    shares : float64 array (components,), optional
        See `ChartParser`.
    """

    def __init__(
        self, grammar: Grammar, budget: Budget = DEFAULT, shares: Costs | None = None
    ) -> None:
        self._parser = ChartParser(grammar, budget=budget, shares=shares)
        self._symbols: Symbols | None = None

    def parse(self, words: Sequence[str], tags: Candidates) -> tuple[ParseResult, Found | None]:
        """Return the best parse of the grammar, and the forest if there is one.

        Parameters
        ----------
        words : sequence of str
        tags : sequence of mapping of Nonterminal to float
            The possible tags of each token with their costs. Features see those of the best parse.
        """
        result, forest = self._parser.parse_with_forest(tags, _LOG_RATIO, _MOST_ITEMS)
        if forest is None or result.derivation is None:
            return result, None
        return result, Found(forest, Words.of(words, _tags_of(result.derivation)))

    def features(self, found: Found, places: int) -> Features:
        """Return the features of a forest.

        Parameters
        ----------
        found : Found
            By this parser.
        places : int
            The number of weights.
        """
        if self._symbols is None:
            self._symbols = Symbols.of(found.forest.compiled)
        return Features.of(found.forest, self._symbols, found.words, places)


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
        self._forests = ForestParser(model.grammar, budget, model.shares)

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
        result, found = self._forests.parse(words, tags)
        if found is None:
            return result if result.derivation is None else replace(result, gap=inf)
        scores = self._scores(found)
        best = best_derivation(found.forest, scores)
        cost = score_sums(found.forest, scores).log_probability - best.score
        derivation = derivation_of_edges(found.forest, best.edges)
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
        _, found = self._forests.parse(words, tags)
        if found is None:
            return {}
        sums = score_sums(found.forest, self._scores(found))
        return constituent_posteriors(found.forest, sums.posterior)

    def _scores(self, found: Found) -> Costs:
        features = self._forests.features(found, len(self._weights))
        return scores_of_edges(found.forest, features.judge(found.forest, self._weights))


def _tags_of(derivation: Derivation) -> list[str]:
    """Return the tags of a derivation in the order of the words."""
    tags = [node.nonterminal.category for node in derivation.bottom_up() if not node.children]
    return [tags[leaf] for leaf in derivation.order()]
