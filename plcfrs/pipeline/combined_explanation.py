"""What each member of a combined parser says of the constituents of a parse."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from typing import ClassVar, NamedTuple

import numpy as np

from plcfrs.chart import Forest
from plcfrs.chart.kernel.arrays import Costs, Int64
from plcfrs.chart.sums import Sums, span_of_item
from plcfrs.experts import Best, best_derivation, score_sums
from plcfrs.grammar import Derivation, Nonterminal
from plcfrs.grammar.positions import Want, render_ranges
from plcfrs.pipeline.explanation import numbered
from plcfrs.trees.spans import leftmost, positions, runs, span_of_runs

# More than all scores of a sentence together.
_BONUS = 1e6


class JudgedConstituent(NamedTuple):
    """A constituent of a parse, and what the members say of it.

    Parameters
    ----------
    symbol : Nonterminal
    span : int
        Its tokens as a bitset (see `plcfrs.trees.spans`).
    children : list of Nonterminal
        Constituents and tags, by their first tokens; in binarized trees also intermediate symbols.
    depth : int
        Number of constituents above it.
    posterior : float
        Its probability in the log-linear model of all members.
    scores : list of float
        The weighted score of each member, with those of intermediate symbols that are left out.
    """

    symbol: Nonterminal
    span: int
    children: list[Nonterminal]
    depth: int
    posterior: float
    scores: list[float]

    @property
    def text(self) -> str:
        """The categories of the constituent and of its children."""
        return f"{self.symbol.category} -> {' '.join(child.category for child in self.children)}"

    @property
    def rule(self) -> str:
        """The symbols of the constituent and of its children, as in the forest."""
        return f"{self.symbol} -> {' '.join(map(str, self.children))}"

    @property
    def clause(self) -> str:
        """The same as `text`."""
        return self.text

    @property
    def score(self) -> float:
        """The sum of the weighted scores."""
        return fsum(self.scores)

    @property
    def positions(self) -> list[int]:
        """Positions of its tokens, from 0."""
        return positions(self.span)

    @property
    def categories(self) -> tuple[str, ...]:
        """The category of the constituent."""
        return (self.symbol.category,)

    @property
    def details(self) -> dict[str, str]:
        """The posterior."""
        return {"posterior": f"{self.posterior:.4f}"}


class JudgedWant(NamedTuple):
    """A wanted constituent.

    Parameters
    ----------
    want : Want
    posterior : float
        Its probability in the log-linear model of all members; 0 if it is not in the forest.
    losses : list of float
        By how much less each member likes the best parse with the constituent than the best parse;
        empty if it is not in the forest.
    """

    want: Want
    posterior: float
    losses: list[float]


@dataclass(frozen=True, slots=True)
class CombinedExplanation:
    """The constituents of a parse, and wanted ones, with what each member says of them.

    Parameters
    ----------
    words : list of str
    members : list of str
        The names of the members.
    steps : list of JudgedConstituent
        Mothers before their children.
    binarized : list of JudgedConstituent
        The same tree with the intermediate symbols of the forest.
    wants : list of JudgedWant
    """

    words: list[str]
    members: list[str]
    steps: list[JudgedConstituent]
    binarized: list[JudgedConstituent]
    wants: list[JudgedWant]
    noun: ClassVar[str] = "constituent"
    measure: ClassVar[str] = "score"
    dependencies: ClassVar[None] = None

    def lines(self, *, binarized: bool = False) -> list[str]:
        """Return a table of all constituents, and a paragraph for each wanted one, as text."""
        steps = self.binarized if binarized else self.steps
        rows = [["posterior", "sum", *self.members, "at", "constituent"]]
        rows += [
            [
                f"{step.posterior:.4f}",
                *(f"{round(score, 2) + 0.0:.2f}" for score in (step.score, *step.scores)),
                render_ranges(runs(step.span)),
                f"{2 * step.depth * ' '}{step.rule if binarized else step.text}",
            ]
            for step in steps
        ]
        lines = [numbered(self.words), "", *_table(rows)]
        for want in self.wants:
            lines += ["", *self._want_lines(want)]
        return lines

    def _want_lines(self, want: JudgedWant) -> list[str]:
        if not want.losses:
            return [f"{want.want}: not in the forest, so no member could choose it"]
        if not any(want.losses):
            return [f"{want.want}: in the best parse; posterior {want.posterior:.4f}"]
        rows = [["loss", "member"], [f"{sum(want.losses):.2f}", "sum"]]
        losses = zip(want.losses, self.members, strict=True)
        rows += [[f"{loss:.2f}", name] for loss, name in losses]
        title = f"{want.want}: not in the best parse; posterior {want.posterior:.4f}"
        return [title, *_table(rows)]


def explain_combined(
    words: list[str],
    forest: Forest,
    members: list[str],
    weighted: Costs,
    wants: Sequence[Want] = (),
    derivation: Derivation | None = None,
) -> CombinedExplanation:
    """Return what each member says of a parse, and of wanted constituents.

    Parameters
    ----------
    words : list of str
    forest : Forest
    members : list of str
    weighted : float64 array (members, E)
        The weighted scores of the edges.
    wants : sequence of Want
    derivation : Derivation, optional
        Of the parse; by default the best one.
    """
    scores = weighted.sum(axis=0)
    best, sums = best_derivation(forest, scores), score_sums(forest, scores)
    found = [_judged(forest, want, weighted, best, sums) for want in wants]
    edges = best.edges if derivation is None else _edges_of(forest, derivation)
    steps = _Steps(forest, edges, weighted, sums)
    return CombinedExplanation(
        words, members, steps.all(), steps.all(with_intermediate=True), found
    )


def _judged(forest: Forest, want: Want, weighted: Costs, best: Best, sums: Sums) -> JudgedWant:
    symbols = list(forest.compiled.labels)
    span = span_of_runs(want.ranges)
    wanted = np.array(
        [
            want.category in (symbols[label].category, str(symbols[label]))
            and symbols[label].kind != "intermediate"
            and span_of_item(forest, item) == span
            for item, label in enumerate(forest.label)
        ]
    )
    if not wanted.any():
        return JudgedWant(want, 0.0, [])
    with_it = best_derivation(forest, weighted.sum(axis=0) + _BONUS * wanted[forest.edge_mother])
    before, after = (
        weighted[:, each.edges[each.edges >= 0]].sum(axis=1) for each in (best, with_it)
    )
    return JudgedWant(want, float(sums.posterior[wanted].sum()), (before - after).tolist())


def _edges_of(forest: Forest, derivation: Derivation) -> Int64:
    """Return the edge of each item of a derivation: only they have all of their items in it."""
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


class _Steps:
    """The constituents of a derivation in a forest."""

    def __init__(self, forest: Forest, edges: Int64, weighted: Costs, sums: Sums) -> None:
        self._forest = forest
        self._edges = edges
        self._weighted = weighted
        self._posterior = sums.posterior
        self._symbols = [list(forest.compiled.labels)[label] for label in forest.label]

    def all(self, *, with_intermediate: bool = False) -> list[JudgedConstituent]:
        """Return all constituents, mothers before their children, from left to right."""
        found = []
        stack = [(self._forest.goal, 0)]
        while stack:
            item, depth = stack.pop()
            if self._symbols[item].kind == "tag":
                continue
            children, scores = self._below(item, with_intermediate=with_intermediate)
            span = span_of_item(self._forest, item)
            names = [self._symbols[child] for child in children]
            posterior = float(self._posterior[item])
            step = JudgedConstituent(
                self._symbols[item], span, names, depth, posterior, scores.tolist()
            )
            found.append(step)
            stack += [(child, depth + 1) for child in reversed(children)]
        return found

    def _below(self, item: int, *, with_intermediate: bool = False) -> tuple[list[int], Costs]:
        """Return the children of a constituent, and the scores down to them."""
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


def _table(rows: list[list[str]]) -> list[str]:
    """Return rows as text; numbers are on the right of their columns, the last column is not."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join([*map(str.rjust, row[:-1], widths), row[-1]]).rstrip() for row in rows]
