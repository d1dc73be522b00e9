"""The derivation of a forest that is nearest to a gold tree."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from plcfrs.chart import Forest
from plcfrs.chart.forest import span_of_item
from plcfrs.chart.kernel.arrays import Int64
from plcfrs.grammar import Derivation, Rule
from plcfrs.parsing.decoding import best_derivation
from plcfrs.parsing.votes import Judgement, scores_of_edges, votes


class Gold(NamedTuple):
    """A gold derivation by its parts: constituents, and rules with the spans of their children.

    Spans are bitsets (see `plcfrs.trees.tree`).
    """

    constituents: frozenset[tuple[str, int]]
    steps: frozenset[tuple[Rule | int, ...]]

    @classmethod
    def of(cls, derivation: Derivation) -> Gold:
        """Return the parts of a derivation of rank 2 at most."""
        position = {leaf: position for position, leaf in enumerate(derivation.order())}
        constituents: set[tuple[str, int]] = set()
        steps: set[tuple[Rule | int, ...]] = set()
        leaves = iter(range(len(position)))

        def span(part: Derivation, below: list[int]) -> int:
            if not below:
                return 1 << position[next(leaves)]
            steps.add((part.rule, *below))
            if part.nonterminal.kind == "category":
                constituents.add((part.nonterminal.category, sum(below)))
            return sum(below)

        derivation.fold(span)
        return cls(frozenset(constituents), frozenset(steps))


def nearest(forest: Forest, gold: Gold) -> Int64:
    """Return the edges, in ascending order, of the derivation that is nearest to a gold one.

    Each constituent with the category and the span of a gold one counts 1, each other one -1; of
    equal derivations the one with the most steps of the gold derivation is chosen. The forest has
    no cycles.
    """
    of_items = votes(forest, dict.fromkeys(gold.constituents, 1.0)).item_scores
    spans = [span_of_item(forest, item) for item in range(len(forest.label))]
    of_edges = np.zeros(len(forest.edge_rule))
    for edge in np.flatnonzero(forest.edge_rule >= 0):
        children = forest.edge_left[edge], forest.edge_right[edge]
        below = (spans[child] for child in children if child >= 0)
        if (forest.compiled.rules[forest.edge_rule[edge]], *below) in gold.steps:
            of_edges[edge] = 1.0 / (len(gold.steps) + 1)
    best = best_derivation(forest, scores_of_edges(forest, Judgement(of_edges, of_items)))
    return np.sort(best.edges[best.edges >= 0])
