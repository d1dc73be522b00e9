"""Parsing with refined grammars: the forest of the unrefined grammar, then the substates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf

import numpy as np

from plcfrs.chart import ChartParser, ParseResult, constituent_posteriors
from plcfrs.chart.budget import DEFAULT, Budget
from plcfrs.chart.forest import Forest
from plcfrs.chart.kernel.arrays import Int64
from plcfrs.chart.scanning import Candidates
from plcfrs.errors import InputError
from plcfrs.experts import (
    LOG_RATIO,
    MOST_ITEMS,
    Judgement,
    best_derivation,
    scores_of_edges,
    unjudged,
)
from plcfrs.experts.decoding import derivation_of_edges
from plcfrs.grammar import Nonterminal, Rule
from plcfrs.refinement.decoding import RefinedForest, RefinedObjective, RefinedSums
from plcfrs.refinement.grammar import RefinedGrammar
from plcfrs.refinement.kernel.arrays import Refinement
from plcfrs.refinement.words import Words

# If a refined grammar has no derivation in the forest of the first ratio, the second one is tried.
_LOG_RATIOS = (LOG_RATIO, 2 * LOG_RATIO)


class RefinedParser:
    """Parsing with one refined grammar or the product of several, from coarse to fine.

    The coarse pass finds parses of the unrefined grammar that are not much worse than the best one
    (see `ChartParser.parse_with_forest`). The result is chosen among them, with sums over all
    substates.

    Parameters
    ----------
    refined : RefinedGrammar
        With at least one refinement.
    budget : Budget
        Limits for each sentence.

    Raises
    ------
    GrammarError
        If a rule has more than two children.

    Examples
    --------
    >>> from plcfrs.grammar import tag
    >>> from plcfrs.refinement import compile_trees
    >>> from plcfrs.transformation import transform
    >>> from plcfrs.treebank import read_trees
    >>> training = compile_trees(transform(tree) for tree in read_trees("plcfrs:demo"))
    >>> refined = replace(training.refined, refinements=(training.refined.unrefined(),))
    >>> words = "What should we do ?".split()
    >>> tags = [{tag(name): 0.0} for name in "WP MD PRP VB .".split()]
    >>> RefinedParser(refined).parse(words, tags).status
    'parsed'
    """

    def __init__(self, refined: RefinedGrammar, budget: Budget = DEFAULT) -> None:
        self._refinements = refined.refinements
        self._unrefined = refined.unrefined()
        self._words = Words(refined)
        self._coarse = ChartParser(refined.grammar, budget=budget, shares=refined.shares)

    @property
    def rules(self) -> list[Rule]:
        """The rules of the unrefined grammar, in the order in which forests number them."""
        return self._coarse.rules

    def parse(
        self,
        words: Sequence[str],
        tags: Candidates,
        objective: RefinedObjective = "max-rule-product",
    ) -> ParseResult:
        """Return the best parse of a sentence.

        Parameters
        ----------
        words : sequence of str
        tags : sequence of mapping of Nonterminal to float
            The possible tags of each token with their costs (0 for given tags).
        objective : {"max-rule-product", "max-rule-sum", "mpd"}
            The derivation without substates whose rules have the highest product or sum of
            posteriors, or ("mpd", for one refinement) the most probable derivation with substates.

        Returns
        -------
        ParseResult
            With a derivation of the unrefined grammar. Its cost is that of the substates for "mpd",
            otherwise summed over all substates, and for several refinements the mean. The
            probability of a word with a substate is relative to that with the tag, so costs may be
            below 0. If the budget is used up or the sentence is too long for a forest, a derivation
            of the unrefined grammar, if there is one; nothing is known about better ones, so its
            gap is infinite. Otherwise there is no gap, since the objectives are not maximized over
            all derivations.

        Raises
        ------
        InputError
            If the objective is "mpd" and there are several refinements.
        """
        if objective == "mpd" and len(self._refinements) > 1:
            raise InputError(
                "the most probable derivation needs one refined grammar, "
                f"not of {len(self._refinements)}: use max-rule-product"
            )
        result = ParseResult("no parse")
        for log_ratio in _LOG_RATIOS:
            result, forest = self._coarse.parse_with_forest(tags, log_ratio, MOST_ITEMS)
            if forest is None:
                return unjudged(result)
            refined = self._refine(forest, words)
            best = self._best(forest, refined, objective)
            if best is not None:
                cost, chosen = best
                derivation = derivation_of_edges(forest, chosen)
                return replace(result, cost=cost, derivation=derivation, gap=None)
        return ParseResult("no parse", statistics=result.statistics)

    def tags(self, words: Sequence[str]) -> list[dict[Nonterminal, float]]:
        """Return the possible tags of each word of a sentence, with their costs.

        See `plcfrs.tagging.WordModel.tags`.

        Parameters
        ----------
        words : sequence of str
        """
        return self._words.tags(words)

    def constituents(
        self, words: Sequence[str], tags: Candidates
    ) -> dict[tuple[Nonterminal, int], float]:
        """Return the posterior probability of each constituent and tag, without substates.

        Parameters
        ----------
        words : sequence of str
        tags : sequence of mapping of Nonterminal to float
            As for `parse`.

        Returns
        -------
        dict of (Nonterminal, int) to float
            The mean over all refinements, for each symbol and span, a bitset (see
            `plcfrs.trees.spans`), without intermediate symbols. Empty if there is no parse.
        """
        _, forest = self.parse_with_forest(tags, _LOG_RATIOS[0])
        if forest is None:
            return {}
        refined = self._refine(forest, words)
        posteriors = [refined.sums(refinement).posterior for refinement in self._refinements]
        return constituent_posteriors(forest, np.mean(posteriors, axis=0))

    def parse_with_forest(
        self, tags: Candidates, log_ratio: float = LOG_RATIO
    ) -> tuple[ParseResult, Forest | None]:
        """Return the best parse of the unrefined grammar, and the forest that is refined.

        See `ChartParser.parse_with_forest`.

        Parameters
        ----------
        tags : sequence of mapping of Nonterminal to float
            As for `parse`.
        log_ratio : float
        """
        return self._coarse.parse_with_forest(tags, log_ratio, MOST_ITEMS)

    def judge(self, words: Sequence[str], forest: Forest) -> Judgement | None:
        """Return the scores of "max-rule-product".

        Parameters
        ----------
        words : sequence of str
        forest : Forest
            Of the unrefined grammar.

        Returns
        -------
        Judgement or None
            None if the refinements have no derivation in the forest.
        """
        refined = self._refine(forest, words)
        sums = [sums for _, sums in self._possible(refined)]
        return refined.judge(sums, "max-rule-product") if sums else None

    def _refine(self, forest: Forest, words: Sequence[str]) -> RefinedForest:
        return RefinedForest(forest, self._words.pairs(words), self._unrefined)

    def _best(
        self, forest: Forest, refined: RefinedForest, objective: RefinedObjective
    ) -> tuple[float, Int64] | None:
        """Return the cost and the edges of the best derivation, or an infinite cost.

        Edges that are possible one by one may be impossible together with the same substates: then
        the cost is infinite.
        """
        if objective == "mpd":
            cost, chosen = refined.most_probable(self._refinements[0])
            return (cost, chosen) if cost < inf else None
        possible = self._possible(refined)
        if not possible:
            return None
        judgement = refined.judge([sums for _, sums in possible], objective)
        chosen = best_derivation(forest, scores_of_edges(forest, judgement)).edges
        costs = [refined.cost(chosen, each) for each, _ in possible]
        return float(np.mean(costs)), chosen

    def _possible(self, refined: RefinedForest) -> list[tuple[Refinement, RefinedSums]]:
        """Return the refinements that have a derivation in the forest, and their sums."""
        possible: list[tuple[Refinement, RefinedSums]] = []
        for each in self._refinements:
            sums = refined.sums(each, possible[0][1] if possible else None)
            if sums.log_probability > -inf:
                possible.append((each, sums))
        return possible
