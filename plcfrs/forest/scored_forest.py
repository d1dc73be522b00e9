"""A forest whose edges have scores: its best derivations, and what wanted constituents would lose.

The best derivation has the highest sum of scores (Viterbi), or the highest expected F1 by the
posteriors of a log-linear model.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from plcfrs.chart.forest import (
    Forest,
    Sums,
    SymbolPosteriors,
    constituent_posteriors,
    span_of_item,
    trace_back,
    trace_items,
)
from plcfrs.chart.held_forest import HeldForest
from plcfrs.chart.kernel.arrays import Costs, Int32, Int64
from plcfrs.chart.kernel.sums import choose_scored_edges
from plcfrs.chart.nbest import best_derivations
from plcfrs.forest.derivations import explain_posteriors
from plcfrs.forest.votes import constituents_in, posteriors_in_forest, score_sums
from plcfrs.grammar.derivation import Derivation
from plcfrs.grammar.rules import Want
from plcfrs.parsing.explanation import Column, Explanation, only_in, table
from plcfrs.parsing.parse import Constituent
from plcfrs.trees.labels import ROOT
from plcfrs.trees.tree import span_of_runs


class BestDerivation(NamedTuple):
    """The best derivation of a forest.

    Parameters
    ----------
    score : float
        The sum of the scores of its edges; negative infinity if all derivations are forbidden.
    edges : int64 array (I,)
        The edge of each item of the derivation, -1 for all others.
    """

    score: float
    edges: Int64


def best_derivation(forest: Forest, scores: Costs) -> BestDerivation:
    """Return the derivation whose edges have the highest sum of scores (Viterbi).

    Of equal edges of an item, the first one wins.

    Parameters
    ----------
    forest : Forest
        Without cycles (see `plcfrs.chart.estimates.prune`).
    scores : float64 array (E,)
        Of all edges, those of scanned tags included; negative infinity forbids.

    Examples
    --------
    >>> from plcfrs.chart import ChartParser
    >>> from plcfrs.grammar import Grammar, Nonterminal, Rule, tag
    >>> s, x, y, a = Nonterminal("S"), Nonterminal("X"), Nonterminal("Y"), tag("a")
    >>> rules = {Rule(*each, ((0,),)): 1 for each in [(s, (x,)), (s, (y,)), (x, (a,)), (y, (a,))]}
    >>> parser = ChartParser(Grammar(rules, start=s))
    >>> _, forest = parser.parse_with_forest([{a: 0.0}], 5.0)
    >>> symbols = list(forest.compiled.labels)
    >>> scores = np.array([float(symbols[forest.label[m]] == y) for m in forest.edge_mother])
    >>> best = best_derivation(forest, scores)
    >>> best.score, [str(rule.lhs) for rule in derivation_of_edges(forest, best.edges).rules()]
    (1.0, ['Y', 'S'])
    """
    total, best = _best_edges(forest, scores)
    _, left, right = _steps_of_edges(forest, best)
    edges = np.full(len(forest.label), -1, np.int64)
    used = trace_items(left, right, forest.goal)
    edges[used] = best[used]
    return BestDerivation(float(total[forest.goal]), edges)


def ranked_derivations(forest: Forest, scores: Costs) -> Iterator[tuple[float, Derivation]]:
    """Yield all derivations of a forest without cycles with their scores, the best first.

    `scores` (E,) has finite scores of all edges, scanned tags included.
    """
    total, _ = _best_edges(forest, scores)
    scored = forest._replace(cost=-total, edge_cost=-scores)
    for cost, derivation in best_derivations(scored):
        yield -cost, derivation


def derivation_of_edges(forest: Forest, edges: Int64) -> Derivation:
    """Return the derivation with these edges (I,), one for each item.

    The edge is -1 for items outside the derivation, and perhaps for scanned tags.
    """
    return trace_back(forest.compiled, forest.label, *_steps_of_edges(forest, edges), forest.goal)


def best_tags(forest: Forest) -> list[str]:
    """Return the tags of the tokens in the most probable derivation of a forest without cycles."""
    edges = best_derivation(forest, -forest.edge_cost).edges
    symbols = list(forest.compiled.labels)
    used = np.flatnonzero(edges >= 0)
    scanned = used[forest.edge_rule[edges[used]] < 0].tolist()
    tags = {span_of_item(forest, item): symbols[forest.label[item]].category for item in scanned}
    return [tags[span] for span in sorted(tags)]


def _best_edges(forest: Forest, scores: Costs) -> tuple[Costs, Int64]:
    """Return the score and the last edge of the best derivation of each item."""
    items = len(forest.label)
    total, best = np.empty(items + 1), np.empty(items, np.int64)
    choose_scored_edges(forest.edge_start, forest.edge_left, forest.edge_right, scores, total, best)
    return total[:-1], best


def _steps_of_edges(forest: Forest, edges: Int64) -> tuple[Int32, Int32, Int32]:
    """Return the rules and the children of the edges of the items."""
    rule, left, right = (
        np.where(edges < 0, np.int32(-1), column[edges])
        for column in (forest.edge_rule, forest.edge_left, forest.edge_right)
    )
    return rule, left, right


# Of derivations with the same constituents, the one whose edges are more probable wins.
_TIE = 1e-6


def best_expected_f1(forest: Forest, scores: Costs) -> BestDerivation:
    """Return the derivation with the highest ratio of expectations in F1.

    Constituents are categories over spans, without ROOT, tags and intermediate symbols.

    The expectation of a ratio is hard to maximize. The ratio of the expectations is close to it:
    twice the expected number of right constituents, divided by the number of constituents in the
    derivation and the expected number in the right one. Such a ratio is maximal where the best
    value of its numerator less the ratio times its denominator is 0 (Dinkelbach 1967). Both are
    sums over constituents, so each step is a search for the best derivation, and a few steps
    suffice.

    Parameters
    ----------
    forest : Forest
        Without cycles.
    scores : float64 array (E,)
        Of all edges; the probability of a derivation grows with the exponential of their sum. At
        least one derivation must be possible.

    Returns
    -------
    BestDerivation
        Its score is the ratio, from 0 to 1.
    """
    sums = score_sums(forest, scores)
    posteriors = posteriors_in_forest(forest, sums)
    counts, right = np.zeros((2, len(forest.label)))
    for item, constituents in enumerate(constituents_in(forest)):
        for constituent in constituents:
            if constituent[0] != ROOT:
                counts[item] = 1.0
                right[item] = posteriors.get(constituent, 0.0)
    in_gold = float(sums.posterior @ counts)
    tie = np.where(np.isneginf(scores), scores, _TIE * sums.edge_posterior)
    ratio, higher, edges = -1.0, 0.0, np.empty(0, np.int64)
    while higher > ratio:
        ratio = higher
        gains = (2.0 * right - ratio * counts)[forest.edge_mother]
        candidate = best_derivation(forest, gains + tie).edges
        items = candidate >= 0
        size = float(counts[items].sum()) + in_gold
        higher = 2.0 * float(right[items].sum()) / size if size else 1.0
        if higher >= ratio:
            edges = candidate
    return BestDerivation(ratio, edges)


class ScoredForest:
    """A forest with a log-linear model of its derivations.

    `scores` (E,) has the natural logarithms of all edges. It may be the sum of `weighted`
    (members, E), the weighted scores of `members`.
    """

    def __init__(self, forest: Forest, scores: Costs) -> None:
        self.forest = forest
        self.scores = scores
        self.members: Sequence[str] = ()
        self.weighted = scores[None]
        self.free = self

    @cached_property
    def sums(self) -> Sums:
        """The sums over all derivations."""
        return score_sums(self.forest, self.scores)

    @property
    def posterior(self) -> Costs:
        """The probability of each item, a float64 array (I,)."""
        return self.sums.posterior

    @property
    def constituents(self) -> SymbolPosteriors:
        """The probability of each constituent and tag: of each symbol and span."""
        return constituent_posteriors(self.forest, self.posterior)

    def held(self, held: HeldForest, free: ScoredForest) -> ScoredForest:
        """Return the derivations of this forest with what is fixed of a tree, with their scores.

        Their costs are those among the derivations of a free forest.
        """
        scored = ScoredForest(held.forest, self.scores[held.edges])
        scored.members, scored.weighted = self.members, self.weighted[:, held.edges]
        scored.free = free
        return scored

    def cost(self, score: float) -> float:
        """Return the cost of a derivation with a score: its negative log probability."""
        return max(self.free.sums.log_probability - score, 0.0)

    def best(self, objective: str | None) -> tuple[float, Derivation] | None:  # noqa: ARG002
        """Return the best derivation with its cost; None if no derivation is possible."""
        best = best_derivation(self.forest, self.scores)
        return self.cost(best.score), derivation_of_edges(self.forest, best.edges)

    def ranked(self) -> Iterator[tuple[float, Derivation]]:
        """Yield the derivations with their costs, the best first."""
        for score, derivation in ranked_derivations(self.forest, self.scores):
            yield self.cost(score), derivation

    def best_edges(self, bonus: Costs | float = 0.0) -> Int64:
        """Return the edges of the best derivation, if the edges had a bonus."""
        return best_derivation(self.forest, self.scores + bonus).edges

    def explain(self, words: list[str], derivation: Derivation) -> Explanation:
        """Return the posterior probabilities of the constituents of a derivation."""
        return explain_posteriors(words, derivation, self.constituents)


# More than all scores of a sentence together.
_BONUS = 1e6


def want_lines(scored: ScoredForest, want: Want) -> list[str]:
    """Return what the best parse loses if it must have a constituent, and how it differs.

    With several members, the loss of each one is shown. Without the constituent in the forest,
    there are no lines.
    """
    forest = scored.forest
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
        return []
    posterior = f"posterior {float(scored.posterior[wanted].sum()):.4f}"
    best, with_it = scored.best_edges(), scored.best_edges(_BONUS * wanted[forest.edge_mother])
    before, after = (scored.weighted[:, edges[edges >= 0]].sum(axis=1) for edges in (best, with_it))
    losses = (before - after).tolist()
    if not any(losses):
        return [f"{want}: in the best parse; {posterior}"]
    rows = zip([sum(losses), *losses], ["sum", *scored.members], strict=False)
    columns = [Column("loss", is_number=True), Column("member" if scored.members else "")]
    only = only_in(_constituents(forest, best), _constituents(forest, with_it))
    return [
        f"{want}: not in the best parse; {posterior}",
        *table(columns, rows),
        f"only in the best parse: {only[0]}",
        f"only with {want}: {only[1]}",
    ]


def _constituents(forest: Forest, edges: Int64) -> list[Constituent]:
    """Return the constituents of a derivation, mothers before their children."""
    found = constituents_in(forest)
    return [each for item in np.flatnonzero(edges >= 0)[::-1].tolist() for each in found[item]]
