"""The features of a forest, and what they say about its edges and items."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from plcfrs.chart import Forest
from plcfrs.chart.kernel.arrays import Costs, Int64
from plcfrs.experts import Judgement
from plcfrs.features.atoms import Symbols, Words, atoms_of
from plcfrs.features.kernel.weights import add_up, fill_places
from plcfrs.features.templates import EDGES, GAPS, ITEMS, Templates
from plcfrs.linear.kernel.arrays import Int32, Keys, Scores


class Part(NamedTuple):
    """Features of some edges or items (rows,), and where their weights are (rows, T)."""

    rows: Int64
    places: Int32

    def scores(self, values: Scores, size: int) -> Costs:
        """Return the sum of the weights of each of all edges or items."""
        scores, found = np.zeros(size), np.empty(len(self.rows))
        add_up(values, self.places, found)
        scores[self.rows] = found
        return scores


class Features(NamedTuple):
    """The features of a forest. Scanned tags have none."""

    items: tuple[Part, ...]
    edges: tuple[Part, ...]

    @classmethod
    def of(cls, forest: Forest, symbols: Symbols, words: Words, places: int) -> Features:
        """Return the features of a forest, given the number of weights."""
        atoms = atoms_of(forest, symbols, words)
        is_rule = forest.edge_rule >= 0
        is_constituent = is_rule[forest.edge_start[:-1]]
        return cls(
            (
                _part(is_constituent, atoms.items, ITEMS, places),
                _part(is_constituent & atoms.has_gap, atoms.items, GAPS, places),
            ),
            (_part(is_rule, atoms.edges, EDGES, places),),
        )

    def judge(self, forest: Forest, values: Scores) -> Judgement:
        """Return the scores of edges and items: ``log p`` and the weights of their features."""
        edge_scores = sum(part.scores(values, len(forest.edge_rule)) for part in self.edges)
        item_scores = sum(part.scores(values, len(forest.label)) for part in self.items)
        return Judgement(edge_scores - forest.edge_cost, np.asarray(item_scores))


def _part(chosen: np.ndarray, atoms: Keys, templates: Templates, places: int) -> Part:
    rows = np.flatnonzero(chosen)
    found = np.empty((len(rows), len(templates.seeds)), np.int32)
    fill_places(atoms[rows], templates.seeds, templates.columns, places, found)
    return Part(rows, found)
