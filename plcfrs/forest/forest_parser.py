"""Parsers that choose among the derivations of a forest by scores of its edges and items.

The best derivation has the highest sum of scores (Viterbi), or the highest expected F1 by the
posteriors of a log-linear model.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice
from math import inf
from typing import Generic, NamedTuple, Protocol, TypeVar

import numpy as np

from plcfrs.chart import ChartParser, Forest, ParseResult, Sums, constituent_posteriors
from plcfrs.chart.budget import DEFAULT, Budget, OutOfTimeError
from plcfrs.chart.compile import Candidates
from plcfrs.chart.forest import SymbolPosteriors, span_of_item, trace_back, trace_items
from plcfrs.chart.kernel.arrays import Costs, Int32, Int64
from plcfrs.chart.kernel.sums import choose_scored_edges
from plcfrs.chart.nbest import best_derivations
from plcfrs.errors import InputError
from plcfrs.forest.derivations import explain_posteriors
from plcfrs.forest.forest_wants import want_lines
from plcfrs.forest.grammar_parser import GrammarParser, printed_tree
from plcfrs.forest.votes import (
    LOG_RATIO,
    Judgement,
    constituents_in,
    posteriors_in_forest,
    score_sums,
    scores_of_edges,
)
from plcfrs.grammar import Derivation, Grammar, unbinarize
from plcfrs.grammar.nonterminal import Want
from plcfrs.parsing.explanation import Explanation
from plcfrs.parsing.parse import NOTHING_MORE, Fallback, Parse, Wanted
from plcfrs.parsing.sentence import Input, Sentence
from plcfrs.parsing.sentence_parser import LearnedParser
from plcfrs.trees import ROOT
from plcfrs.trees.notation import render_discbracket
from plcfrs.trees.tree import positions, span_of_runs


class Best(NamedTuple):
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


def best_derivation(forest: Forest, scores: Costs) -> Best:
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
    return Best(float(total[forest.goal]), edges)


def ranked_derivations(forest: Forest, scores: Costs) -> Iterator[tuple[float, Derivation]]:
    """Yield all derivations of a forest without cycles with their scores, the best first.

    The scores, of the shape (E,), are of all edges, scanned tags included, and finite.
    """
    total, _ = _best_edges(forest, scores)
    scored = forest._replace(cost=-total, edge_cost=-scores)
    for cost, derivation in best_derivations(scored):
        yield -cost, derivation


def derivation_of_edges(forest: Forest, edges: Int64) -> Derivation:
    """Return the derivation with the given edge of each item, of the shape (I,).

    It is -1 for items outside the derivation, and perhaps for scanned tags.
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


def best_expected_f1(forest: Forest, scores: Costs) -> Best:
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
    Best
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
        found = best_derivation(forest, gains + tie).edges
        items = found >= 0
        size = float(counts[items].sum()) + in_gold
        higher = 2.0 * float(right[items].sum()) / size if size else 1.0
        if higher >= ratio:
            edges = found
    return Best(ratio, edges)


class JudgedForest:
    """A forest whose derivations have a log-linear model.

    The scores, of the shape (E,), are of all edges, in natural logarithms. They may be the sum of
    weighted scores, of the shape (members, E), by members with names.
    """

    def __init__(self, forest: Forest, scores: Costs) -> None:
        self.forest = forest
        self.scores = scores
        self.members: Sequence[str] = ()
        self.weighted = scores[None]

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

    def cost(self, score: float) -> float:
        """Return the cost of a derivation with a score: its negative log probability."""
        return max(self.sums.log_probability - score, 0.0)

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


class ForestParser(GrammarParser):
    """A parser that judges the derivations of a forest.

    Its scores choose among the derivations that are not much less probable than the best one of the
    grammar. If the budget is used up or the sentence is too long for a forest, the parse is that of
    the grammar alone. Then nothing is known about better parses, so its optimality gap is infinite.
    Other parses have no gap.
    """

    _meaning = "ln p of the derivation among those of the forest"

    log_ratios: tuple[float, ...] = (LOG_RATIO,)
    """How much less probable the derivations may be, as logarithms; one after the other is tried
    until there is a parse."""

    @abstractmethod
    def judge(self, sentence: Sentence, forest: Forest) -> Judgement | None:
        """Return the scores of the edges and items of a forest; None if nothing is known.

        The forest may be of any grammar of the same treebank that is binarized in the same way.
        """

    def judged(self, sentence: Sentence, forest: Forest) -> JudgedForest:
        """Return a forest of this parser with its scores."""
        judgement = self.judge(sentence, forest)
        assert judgement is not None
        return JudgedForest(forest, scores_of_edges(forest, judgement))

    def search(
        self, sentence: Sentence, tags: Candidates, wanted: Wanted = NOTHING_MORE
    ) -> tuple[list[ParseResult], JudgedForest | None]:
        """Return the best results, and the forest that they were chosen from, if there is one.

        The tags are the possible ones of each token with their costs (0 for given tags).
        """
        result = ParseResult("no parse")
        for log_ratio in self.log_ratios:
            result, forest = self._forest(sentence, tags, log_ratio)
            if forest is None:  # nothing is known about parses that the scores would prefer
                return [result if result.derivation is None else replace(result, gap=inf)], None
            try:
                judged = self.judged(sentence, forest)
            except OutOfTimeError:
                return [replace(result, gap=inf)], None
            found = [
                replace(result, cost=cost, derivation=derivation, gap=None)
                for cost, derivation in _chosen(judged, sentence, wanted)
            ]
            if found:
                return found, judged
        return [ParseResult("no parse", statistics=result.statistics)], None

    def explain(
        self, sentence: Input, wants: Sequence[Want] = (), *, binarized: bool = False
    ) -> Explanation:
        """Return why a sentence has its parse, and what wanted constituents would lose.

        See `SentenceParser.explain`; there are no binarized rules.
        """
        if "wants" not in self.capabilities:
            return super().explain(sentence, wants)
        if binarized:
            raise InputError(f"{self.kind} shows no binarized rules")
        found = super().explain(sentence)
        lines: list[str] = []
        for want in wants:
            lines += ["", *self._want_lines(Sentence.of(sentence), want, found)]
        return replace(found, text=[*found.text, *lines])

    def _want_lines(self, sentence: Sentence, want: Want, found: Explanation) -> list[str]:
        tokens = positions(span_of_runs(want.ranges))
        if any(want.category in row.categories and row.positions == tokens for row in found.rows):
            return [f"{want}: in the best parse"]
        tags = self.tags_of(sentence)
        judged = None if isinstance(tags, Parse) else self.search(sentence, tags)[1]
        if judged is None:
            return [f"{want}: not in the best parse; there is no forest of others to compare with"]
        return want_lines(judged, want)

    def constituents(self, sentence: Sentence, tags: Candidates) -> SymbolPosteriors:
        """Return the posterior of each symbol and span; empty without a forest."""
        _, forest = self._forest(sentence, tags, self.log_ratios[0])
        if forest is None:
            return {}
        return self.judged(sentence, forest).constituents

    def _forest(
        self,
        sentence: Sentence,  # noqa: ARG002 (the words may matter)
        tags: Candidates,
        log_ratio: float,
    ) -> tuple[ParseResult, Forest | None]:
        return self.parse_with_forest(tags, log_ratio)

    def _parses(self, sentence: Sentence, tags: Candidates, wanted: Wanted) -> list[Parse]:
        results, judged = self.search(sentence, tags, wanted)
        posteriors: SymbolPosteriors | None = None
        if wanted.posteriors:
            posteriors = judged.constituents if judged else {}

        def explained(derivation: Derivation | None) -> Explanation | None:
            if derivation is None or not wanted.explained:
                return None
            if judged is None:
                return explain_posteriors(sentence.words, derivation, {})
            return judged.explain(sentence.words, derivation)

        return [
            self._parsed(result, sentence, tags, explained(result.derivation), posteriors)
            for result in results
        ]


class StoredGrammar(Protocol):
    """A grammar with what judges its forests, as it is stored."""

    @property
    def grammar(self) -> Grammar:
        """The binarized grammar."""

    @property
    def shares(self) -> Costs | None:
        """What tightens the bounds of its search; see `ChartParser`."""


Stored = TypeVar("Stored", bound=StoredGrammar)


class StoredForestParser(ForestParser, LearnedParser, Generic[Stored]):
    """A parser that judges the forests of the grammar that is stored with it.

    Parameters
    ----------
    model : StoredGrammar
    fallback : {"none", "flat", "partial"}
        What to do without a parse of the grammar; see `GrammarParser`.
    budget : Budget
        For each sentence.
    """

    capabilities = frozenset({"budget", "nbest", "sums", "wants"})

    def __init__(
        self, model: Stored, fallback: Fallback = "none", budget: Budget = DEFAULT
    ) -> None:
        chart = ChartParser(model.grammar, budget=budget, shares=model.shares)
        super().__init__(model.grammar, chart, fallback, budget)
        self.model = model

    @property
    def contents(self) -> Stored:
        """The grammar, and what judges its forests."""
        return self.model


def _chosen(
    judged: JudgedForest, sentence: Sentence, wanted: Wanted
) -> Iterable[tuple[float, Derivation]]:
    """Return the wanted derivations with their costs."""
    if wanted.nbest is None:
        best = judged.best(wanted.objective)
        return [] if best is None else [best]
    if wanted.derivations:
        return islice(judged.ranked(), wanted.nbest)
    trees: dict[str, tuple[float, Derivation]] = {}
    for cost, derivation in judged.ranked():
        trees.setdefault(
            render_discbracket(printed_tree(unbinarize(derivation), sentence)), (cost, derivation)
        )
        if len(trees) == wanted.nbest:
            break
    return trees.values()
