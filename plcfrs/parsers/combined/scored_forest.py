"""A forest that the members of a combined parser judge, and an explanation of a parse in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import fsum

import numpy as np

from plcfrs.chart import Forest
from plcfrs.chart.forest import span_of_item
from plcfrs.chart.kernel.arrays import Costs, Int64
from plcfrs.forest.scored_forest import (
    ScoredForest,
    best_derivation,
    best_expected_f1,
    derivation_of_edges,
    want_lines,
)
from plcfrs.grammar import Derivation
from plcfrs.grammar.rules import Want, render_ranges
from plcfrs.parsing.explanation import Cell, Column, Explanation, Row
from plcfrs.trees.tree import leftmost, positions, runs, span_of_runs

_POSTERIOR = Column("posterior", is_number=True, decimals=4)


class ScoredByMembers(ScoredForest):
    """A forest with the weighted scores of each member, a float64 array (members, E)."""

    def __init__(self, forest: Forest, members: list[str], weighted: Costs) -> None:
        super().__init__(forest, weighted.sum(axis=0))
        self.members = members
        self.weighted = weighted

    def cost(self, score: float) -> float:
        """Return the negative sum of the scores of a derivation."""
        return -score

    def best(self, objective: str | None) -> tuple[float, Derivation] | None:
        """Return the best derivation with its cost."""
        choose = best_expected_f1 if objective == "expected-f1" else best_derivation
        edges = choose(self.forest, self.scores).edges
        score = float(self.scores[edges[edges >= 0]].sum())
        return self.cost(score), derivation_of_edges(self.forest, edges)

    def explain(
        self,
        words: list[str],
        derivation: Derivation | None = None,
        wants: Sequence[Want] = (),
        *,
        binarized: bool = False,
    ) -> Explanation:
        """Return each member's scores of a parse, by default the best, and of wanted constituents.

        If `binarized`, the explanation shows the intermediate symbols of the forest.
        """
        text = []
        for want in wants:
            text += ["", *want_lines(self, want)]
        edges = self.best_edges() if derivation is None else _edges_of(self.forest, derivation)
        numbers = [Column(name, is_number=True) for name in ("sum", *self.members, "at")]
        columns = [_POSTERIOR, *numbers, Column("constituent")]
        rows = list(_Rows(self, edges).all(with_intermediate=binarized))
        return Explanation(words, "constituent", "score", columns, rows, text)


def _edges_of(forest: Forest, derivation: Derivation) -> Int64:
    """Return the edge of each item of a derivation, the only one with all its items in it."""
    symbols = list(forest.compiled.labels)
    used = {
        (part.nonterminal, span_of_runs(ranges))
        for part, ranges in zip(derivation.bottom_up(), derivation.ranges(), strict=True)
    }
    is_used = np.array(
        [
            (symbols[label], span_of_item(forest, item)) in used
            for item, label in enumerate(forest.label)
        ]
        + [True]  # for the child -1
    )
    children = is_used[forest.edge_left] & is_used[forest.edge_right]
    scores = np.where(is_used[forest.edge_mother] & children, 0.0, -np.inf)
    return best_derivation(forest, scores).edges


class _Rows:
    """The constituents of a derivation in a forest, with the scores of the members."""

    def __init__(self, scored: ScoredByMembers, edges: Int64) -> None:
        self._forest = forest = scored.forest
        self._edges = edges
        self._weighted = scored.weighted
        self._posterior = scored.posterior
        self._symbols = [list(forest.compiled.labels)[label] for label in forest.label]

    def all(self, *, with_intermediate: bool = False) -> Iterator[Row]:
        """Yield all constituents, mothers before their children, from left to right."""
        stack = [(self._forest.goal, 0)]
        while stack:
            item, depth = stack.pop()
            if self._symbols[item].kind == "tag":
                continue
            children, scores = self._below(item, with_intermediate=with_intermediate)
            yield self._row(item, depth, children, scores.tolist(), is_full=with_intermediate)
            stack += [(child, depth + 1) for child in reversed(children)]

    def _row(
        self, item: int, depth: int, children: list[int], scores: list[float], *, is_full: bool
    ) -> Row:
        span = span_of_item(self._forest, item)
        symbol, below = self._symbols[item], [self._symbols[child] for child in children]
        text = f"{symbol.category} -> {' '.join(child.category for child in below)}"
        shown = f"{symbol} -> {' '.join(map(str, below))}" if is_full else text
        posterior, score = float(self._posterior[item]), fsum(scores)
        places = render_ranges(runs(span))
        cells: list[Cell] = [posterior, score, *scores, places, f"{2 * depth * ' '}{shown}"]
        details = {"posterior": _POSTERIOR.printed(posterior)}
        return Row(text, text, score, positions(span), cells, (symbol.category,), details)

    def _below(self, item: int, *, with_intermediate: bool = False) -> tuple[list[int], Costs]:
        """Return the children of a constituent, and the sums of the scores down to them."""
        edge = self._edges[item]
        scores = self._weighted[:, edge].copy()
        children: list[int] = []
        for child in (self._forest.edge_left[edge], self._forest.edge_right[edge]):
            is_left_out = not with_intermediate and self._symbols[child].kind == "intermediate"
            if child >= 0 and is_left_out:
                below, more = self._below(child)
                children += below
                scores += more
            elif child >= 0:
                children.append(int(child))
        children.sort(key=lambda child: leftmost(span_of_item(self._forest, child)))
        return children, scores
