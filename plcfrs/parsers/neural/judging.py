"""How the heads of a network judge a forest and parts of trees, with the rules of the grammar."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from plcfrs.chart import Forest
from plcfrs.chart.compile import Candidates
from plcfrs.chart.forest import span_of_item
from plcfrs.chart.kernel.arrays import Costs
from plcfrs.forest.scored_forest import ScoredForest
from plcfrs.forest.votes import ForestScores, constituents_in, votes
from plcfrs.grammar import tag
from plcfrs.parsers.neural.network import TAG_RATIO, NeuralNetwork, Reading
from plcfrs.parsers.neural.outline import Chain, constituents_of
from plcfrs.parsing.parse import Constituent
from plcfrs.trees.tree import fan_out

# The weights of the costs of tags, of the costs of rules, and of a vote; a span counts 1. Chosen on
# files 0160-0179 of the Penn Treebank.
_TAGS, _RULES, _VOTE = 3.0, 0.5, 2.0


class HeadsJudge:
    """The scores of a network's heads, natural logarithms, given its readings."""

    def __init__(self, network: NeuralNetwork) -> None:
        self._network = network
        self._settings = network.settings

    def scored(self, reading: Reading, forest: Forest) -> ScoredForest:
        """Return a forest with the scores of constituents, rules and tags."""
        scores = self.constituents(reading, forest)[forest.edge_mother]
        counts = np.where(forest.edge_rule < 0, _TAGS, _RULES)
        return ScoredForest(forest, scores - counts * forest.edge_cost)

    def constituents(self, reading: Reading, forest: Forest) -> Costs:
        """Return all heads' scores of the constituents, float64 (I,)."""
        by_spans = self._scores(reading, constituents_in(forest))
        if not self._settings.has_transitions:
            return by_spans
        return by_spans + _VOTE * votes(forest, reading.chances).item_scores

    def spans(self, reading: Reading, forest: Forest, tags: Candidates) -> ForestScores:
        """Return the scores of spans alone, and of possible tags if the network finds the tags."""
        scores = self._network.scores(reading, constituents_in(forest))
        costs = np.zeros(len(forest.edge_rule))
        if self._settings.tags == "own":
            costs = _TAGS * _tag_costs(forest, tags)
        return ForestScores(-costs, scores)

    def chains(
        self,
        reading: Reading,
        tags: Candidates,
        in_forest: Mapping[Constituent, float],
        chains: Sequence[tuple[int, Chain]],
    ) -> list[float]:
        """Return the scores of chains over spans: of their spans, all heads' votes, and tags."""
        groups = [constituents_of(*item) for item in chains]
        scores = self._scores(reading, groups)
        for place, (span, chain) in enumerate(chains):
            for each in groups[place]:
                votes_for = in_forest.get(each, 0.0) + reading.chances.get(each, 0.0)
                scores[place] += _VOTE * (votes_for - 1)
            if not span & (span - 1):
                costs = tags[span.bit_length() - 1]
                scores[place] -= _TAGS * costs.get(tag(chain[-1]), TAG_RATIO)
        listed: list[float] = scores.tolist()
        return listed

    def _scores(self, reading: Reading, groups: Sequence[Sequence[Constituent]]) -> Costs:
        """Return the sums of the scores of constituents by their spans, plus the bonus for gaps."""
        gaps = [sum(fan_out(span) > 1 for _, span in group) for group in groups]
        return self._network.scores(reading, groups) + self._settings.gap_bonus * np.array(gaps)


def _tag_costs(forest: Forest, tags: Candidates) -> Costs:
    """Return the costs of the tags at the edges of a forest, float64 (E,); other edges cost 0."""
    symbols, costs = list(forest.compiled.labels), np.zeros(len(forest.edge_rule))
    for edge in np.flatnonzero(forest.edge_rule < 0):
        item = int(forest.edge_mother[edge])
        token = span_of_item(forest, item).bit_length() - 1
        costs[edge] = tags[token].get(symbols[forest.label[item]], TAG_RATIO)
    return costs
