"""The best derivation of a forest for refined grammars.

It is the most probable derivation with substates (Viterbi), or the derivation without substates
whose edges have the highest product or sum of posterior probabilities (Petrov and Klein 2007). With
several grammars, the posterior of an edge is the geometric mean of theirs (Petrov 2010).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Literal, NamedTuple

import numpy as np

from plcfrs.chart.forest import Forest, span_of_item
from plcfrs.chart.kernel.arrays import Costs, Int64
from plcfrs.grammar import Nonterminal
from plcfrs.parsers.refined.kernel.arrays import Hypergraph, Refinement
from plcfrs.parsers.refined.kernel.forest import find_best, sum_inside, sum_outside
from plcfrs.parsers.refined.splitting import first_states
from plcfrs.parsing.votes import Judgement

# Edges that are less probable in one refinement are left out for the others.
_LEAST_POSTERIOR = 1e-5

RefinedObjective = Literal["mpd", "max-rule-product", "max-rule-sum"]


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
    probability of a word given a substate of its tag is relative to the probability given the tag,
    which the forest has; given tags cost nothing. A token without a pair with its tag says nothing
    about substates.
    """

    def __init__(
        self, forest: Forest, pairs: Sequence[Mapping[Nonterminal, int]], unrefined: Refinement
    ) -> None:
        self._forest = forest
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

    def sums(self, refinement: Refinement, among: RefinedSums | None = None) -> RefinedSums:
        """Return the posteriors, without edges that are very improbable in another refinement."""
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
        """Return the most probable derivation with substates: its cost, and the edge of each item.

        The cost is ``-log p`` (natural logarithm), infinite if there is no derivation. The edge is
        -1 for tags and for items that are not in the derivation.
        """
        forest = self._hypergraph
        start, best, scale = self._vectors(refinement)
        edge, entry = np.full((2, len(best)), -1, np.int64)
        find_best(forest, refinement, start, best, scale, edge, entry)
        goal = len(forest.label) - 1
        chosen = np.full(goal + 1, -1, np.int64)
        stack = [(goal, start[goal])] if scale[goal] > -inf else []
        while stack:
            item, state = stack.pop()
            if edge[state] >= 0:
                chosen[item] = self._rules[edge[state]]
                left, right = forest.left[edge[state]], forest.right[edge[state]]
                stack.append((left, start[left] + refinement.left[entry[state]]))
                if right >= 0:
                    stack.append((right, start[right] + refinement.right[entry[state]]))
        return -float(scale[goal]), chosen

    def judge(self, sums: Sequence[RefinedSums], objective: RefinedObjective) -> Judgement:
        """Return scores whose best derivation has the highest product or sum of posteriors."""
        with np.errstate(divide="ignore"):
            score = np.mean([np.log(each.edge_posterior) for each in sums], axis=0)
        if objective == "max-rule-sum":
            score = np.exp(score)
        scores = np.zeros(len(self._forest.edge_rule))
        scores[self._rules] = score
        return Judgement(scores, np.zeros(len(self._forest.label)))

    def cost(self, chosen: Int64, refinement: Refinement) -> float:
        """Return ``-log p`` of the derivation of chosen edges, summed over all substates."""
        edges = np.flatnonzero(np.isin(self._rules, chosen))
        derivation = self._with_edges(edges)
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
        """Return where the numbers of items start, the numbers, with tags filled in, and scales."""
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
