"""The family of refined grammars: the best derivation of a forest, the parser and its settings.

The best derivation is the most probable one with substates (Viterbi), or the derivation without
substates whose edges have the highest product or sum of posterior probabilities (Petrov and Klein
2007). With several grammars, the posterior of an edge is the geometric mean of theirs (Petrov
2010).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from math import inf
from pathlib import Path
from typing import NamedTuple

import numpy as np

from plcfrs.budget import DEFAULT, Budget
from plcfrs.chart import ChartParser, Forest
from plcfrs.chart.forest import span_of_item
from plcfrs.chart.held_forest import HeldForest
from plcfrs.chart.kernel.arrays import Costs, Int64
from plcfrs.forest.forest_parser import ForestParser
from plcfrs.forest.forests import MarkovizationSettings
from plcfrs.forest.grammar_parser import FallbackOptions, GrammarParser
from plcfrs.forest.scored_forest import ScoredForest, best_derivation, derivation_of_edges
from plcfrs.forest.votes import LOG_RATIO, ForestScores, scores_of_edges
from plcfrs.grammar import Derivation, Inspection, Nonterminal
from plcfrs.parsers.refined.grammar import RefinedGrammar, RefinedLexicon, first_states
from plcfrs.parsers.refined.kernel import (
    Hypergraph,
    Refinement,
    find_best,
    sum_inside,
    sum_outside,
)
from plcfrs.parsers.refined.substates import numbers_of_substates, substate_tables
from plcfrs.parsing import Fallback, LearnedParser, Sentence
from plcfrs.parsing.registry import Family, trained_by
from plcfrs.settings import setting
from plcfrs.transformation import Options

# Edges that are less probable in the first refinement are left out for the others.
_LEAST_POSTERIOR = 1e-5


class RefinedSums(NamedTuple):
    """The natural logarithm of a sentence's probability, and the posteriors of items and edges.

    The posteriors are probabilities (I,) and (E,); scanned tags are not edges. Without a
    derivation, the logarithm is negative infinity.
    """

    log_probability: float
    posterior: Costs
    edge_posterior: Costs


class RefinedForest:
    """A forest of the unrefined grammar, for use with refinements.

    It has no cycles, and its goal is the last item (see `plcfrs.chart.estimates.prune`). The
    forest has the probability of a word given its tag, and the probability given a substate of the
    tag is relative to this; given tags cost nothing. A token without a pair with its tag is
    equally probable in all substates.
    """

    def __init__(
        self, forest: Forest, pairs: Sequence[Mapping[Nonterminal, int]], unrefined: Refinement
    ) -> None:
        self._forest = forest
        self._pairs = pairs
        self._unrefined = unrefined
        mother = forest.edge_mother
        rules = self._rules = np.flatnonzero(forest.edge_rule >= 0)
        self._hypergraph = Hypergraph(
            forest.label,
            np.searchsorted(mother[rules], np.arange(len(forest.label) + 1)),
            forest.edge_rule[rules],
            forest.edge_left[rules],
            forest.edge_right[rules],
        )
        symbols = list(forest.compiled.labels)
        self._scanned = []
        for edge in np.flatnonzero(forest.edge_rule < 0):
            item = int(mother[edge])
            position = span_of_item(forest, item).bit_length() - 1
            pair = pairs[position].get(symbols[forest.label[item]], -1)
            self._scanned.append((item, pair, float(forest.edge_cost[edge])))

    def held(self, forest: Forest) -> RefinedForest:
        """Return some derivations of the forest, as another one."""
        return RefinedForest(forest, self._pairs, self._unrefined)

    def sums(self, refinement: Refinement, among: RefinedSums | None = None) -> RefinedSums:
        """Return the posteriors, without edges that are improbable in another refinement."""
        edges = np.arange(len(self._hypergraph.rule))
        if among is not None:
            edges = np.flatnonzero(among.edge_posterior >= _LEAST_POSTERIOR)
        forest = self._with_edges(edges)
        start, inside, scale = self._vectors(refinement)
        factor, posterior = np.zeros((2, len(edges)))
        outside = np.zeros_like(inside)
        sum_inside(forest, refinement, start, inside, scale, factor)
        log_probability = float(scale[len(forest.label) - 1])
        if log_probability > -inf:
            sum_outside(forest, refinement, start, inside, factor, outside, posterior)
        item_posteriors = np.add.reduceat((inside * outside)[:-1], start[:-1])
        edge_posteriors = np.zeros(len(self._hypergraph.rule))
        edge_posteriors[edges] = posterior
        return RefinedSums(log_probability, item_posteriors, edge_posteriors)

    def most_probable(self, refinement: Refinement) -> tuple[float, Int64]:
        """Return the cost of the most probable derivation with substates, and each item's edge.

        The cost is ``-log p`` (natural logarithm), infinite if there is no derivation. The edge is
        -1 for tags and for items outside the derivation.
        """
        forest = self._hypergraph
        start, best, scale = self._vectors(refinement)
        edge, entry = np.full((2, len(best)), -1, np.int64)
        find_best(forest, refinement, start, best, scale, edge, entry)
        goal = len(forest.label) - 1
        edges = np.full(goal + 1, -1, np.int64)
        stack = [(goal, start[goal])] if scale[goal] > -inf else []
        while stack:
            item, state = stack.pop()
            if edge[state] >= 0:
                edges[item] = self._rules[edge[state]]
                left, right = forest.left[edge[state]], forest.right[edge[state]]
                stack.append((left, start[left] + refinement.left[entry[state]]))
                if right >= 0:
                    stack.append((right, start[right] + refinement.right[entry[state]]))
        return -float(scale[goal]), edges

    def judge(self, sums: Sequence[RefinedSums], objective: str) -> ForestScores:
        """Return scores that give the best derivation the highest product or sum of posteriors."""
        with np.errstate(divide="ignore"):
            score = np.mean([np.log(each.edge_posterior) for each in sums], axis=0)
        if objective == "max-rule-sum":
            score = np.exp(score)
        scores = np.zeros(len(self._forest.edge_rule))
        scores[self._rules] = score
        return ForestScores(scores, np.zeros(len(self._forest.label)))

    def cost(self, edges: Int64, refinement: Refinement) -> float:
        """Return ``-log p`` of the derivation with these edges, summed over all substates."""
        derivation = self._with_edges(np.flatnonzero(np.isin(self._rules, edges)))
        start, inside, scale = self._vectors(refinement)
        sum_inside(derivation, refinement, start, inside, scale, np.zeros(len(derivation.rule)))
        return -float(scale[len(derivation.label) - 1])

    def _with_edges(self, edges: Int64) -> Hypergraph:
        """Return a hypergraph with some of the edges, in ascending order."""
        label, start, *columns = self._hypergraph
        return Hypergraph(
            label, np.searchsorted(edges, start), *(column[edges] for column in columns)
        )

    def _vectors(self, refinement: Refinement) -> tuple[Int64, Costs, Costs]:
        """Return where the numbers of items start, the numbers of tags, and the scales."""
        start = first_states(refinement.states[self._forest.label])
        values = np.zeros(start[-1] + 1)
        scale = np.full(len(start), -inf)
        values[-1], scale[-1] = 1.0, 0.0  # for the missing second child of a unary rule
        for item, pair, cost in self._scanned:
            scale[item] = -cost
            numbers = values[start[item] : start[item + 1]]
            numbers[:] = 1.0
            if pair >= 0:
                first, end = refinement.pair_start[pair : pair + 2]
                numbers[:] = refinement.pair_probability[first:end]
                numbers /= self._unrefined.pair_probability[pair]
        return start, values, scale


_OBJECTIVES = ("max-rule-product", "max-rule-sum", "mpd")
_MOST_GRAMMARS = 1000


@dataclass(frozen=True)
class RefinedSettings(MarkovizationSettings):
    """Settings of training refined grammars; the defaults did best on a development set."""

    cycles: int = setting(4, "Number of cycles that split the substates in two.", least=0)
    grammars: int = setting(
        1,
        "Number of grammars with different seeds, whose product parses (Petrov 2010).",
        least=1,
        most=_MOST_GRAMMARS,
    )
    seed: int = setting(
        1, "Seed of the first grammar; further grammars have the seeds N+1, N+2 ...", least=0
    )
    jobs: int = setting(1, "Number of grammars to train at the same time.", least=1)

    @property
    def seeds(self) -> range:
        """The seed of each grammar."""
        return range(self.seed, self.seed + self.grammars)


class ScoredByRefinements(ScoredForest):
    """A forest with the sums of refinements over all substates."""

    def __init__(
        self, forest: Forest, refined: RefinedForest, refinements: Sequence[Refinement]
    ) -> None:
        super().__init__(forest, -forest.edge_cost)
        self._refined = refined
        self._refinements = refinements

    def held(
        self,
        held: HeldForest,
        free: ScoredForest,  # noqa: ARG002 (costs do not depend on other derivations)
    ) -> ScoredByRefinements:
        """Return the derivations with what is fixed of a tree."""
        return ScoredByRefinements(held.forest, self._refined.held(held.forest), self._refinements)

    @property
    def posterior(self) -> Costs:
        """The probability of each item without substates, the mean over all refinements."""
        posteriors = [self._refined.sums(each).posterior for each in self._refinements]
        mean: Costs = np.mean(posteriors, axis=0)
        return mean

    def best(self, objective: str | None) -> tuple[float, Derivation] | None:
        """Return the best derivation, and its cost; None if there is none.

        The cost is infinite if each edge is possible, but not all of them with the same substates.
        """
        if objective == "mpd":
            cost, edges = self._refined.most_probable(self._refinements[0])
            return (cost, derivation_of_edges(self.forest, edges)) if cost < inf else None
        forest_scores = self.forest_scores(objective)
        if forest_scores is None:
            return None
        edges = best_derivation(self.forest, scores_of_edges(self.forest, forest_scores)).edges
        costs = [self._refined.cost(edges, each) for each, _ in self._possible]
        return float(np.mean(costs)), derivation_of_edges(self.forest, edges)

    def forest_scores(self, objective: str | None) -> ForestScores | None:
        """Return the scores of an objective; None if the refinements have no derivation."""
        sums = [sums for _, sums in self._possible]
        return self._refined.judge(sums, objective or _OBJECTIVES[0]) if sums else None

    @cached_property
    def _possible(self) -> list[tuple[Refinement, RefinedSums]]:
        """The refinements that have a derivation in the forest, and their sums."""
        possible: list[tuple[Refinement, RefinedSums]] = []
        for each in self._refinements:
            sums = self._refined.sums(each, possible[0][1] if possible else None)
            if sums.log_probability > -inf:
                possible.append((each, sums))
        return possible


class RefinedModel(ForestParser, LearnedParser):
    """A refined grammar, or the product of several, that is ready to parse.

    Its objectives are "max-rule-product" and "max-rule-sum" (Petrov and Klein 2007); a single
    refinement also has "mpd", the most probable derivation with its substates. There are no
    n-best parses.

    Parameters
    ----------
    refined : RefinedGrammar
    fallback : {"none", "flat", "partial"}
        What to do without a parse of the unrefined grammar; see `GrammarParser`.
    budget : Budget
        For each sentence.
    """

    kind = "refined"
    capabilities = frozenset({"budget", "sums"})
    log_ratios = (LOG_RATIO, 2 * LOG_RATIO)
    contents_type = RefinedGrammar
    _meaning = "ln p in the refined grammars, of words relative to their tags"

    def __init__(
        self, refined: RefinedGrammar, fallback: Fallback = "none", budget: Budget = DEFAULT
    ) -> None:
        chart = ChartParser(refined.grammar, budget=budget, shares=refined.shares)
        super().__init__(refined.grammar, chart, fallback, budget)
        self.objectives = _OBJECTIVES if len(refined.refinements) == 1 else _OBJECTIVES[:2]
        self.refined = refined
        self._unrefined = refined.unrefined()

    @cached_property
    def lexicon(self) -> RefinedLexicon:
        """The tags of words, and their substates."""
        return RefinedLexicon(self.refined)

    @property
    def contents(self) -> RefinedGrammar:
        """The grammar with all its refinements."""
        return self.refined

    def judge(self, sentence: Sentence, forest: Forest) -> ForestScores | None:
        """Return the scores of "max-rule-product", or votes in a forest of another grammar."""
        if forest.compiled.rules == self._chart.rules:
            return self.scored(sentence, forest).forest_scores("max-rule-product")
        return GrammarParser.judge(self, sentence, forest)

    def scored(self, sentence: Sentence, forest: Forest) -> ScoredByRefinements:
        """Return a forest of the unrefined grammar with the sums over all substates."""
        refined = RefinedForest(forest, self.lexicon.pairs(sentence.words), self._unrefined)
        return ScoredByRefinements(forest, refined, self.refined.refinements)


def _inspect(path: Path) -> Inspection:
    refined = RefinedModel.load(path).refined
    return Inspection(
        refined.grammar, numbers_of_substates(refined), partial(substate_tables, refined)
    )


FAMILIES = (
    Family(
        "refined",
        "refined",
        "a grammar whose symbols have substates (Petrov et al. 2006)",
        RefinedModel.load,
        trained_by("plcfrs.parsers.refined.training", "RefinedTrainer"),
        _inspect,
        RefinedSettings(),
        FallbackOptions(),
        _OBJECTIVES,
        RefinedModel.capabilities | {"resume"},
        # Substates learn the category splits, and more.
        transformation=Options(splits=()),
    ),
)
