"""Parsers that choose among the derivations of a forest by scores of its edges and items."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from itertools import islice
from math import inf
from typing import Generic, Protocol, TypeVar

from plcfrs.budget import DEFAULT, Budget, OutOfTimeError
from plcfrs.chart import ChartParser, Forest, ParseResult
from plcfrs.chart.compile import Candidates
from plcfrs.chart.forest import SymbolPosteriors
from plcfrs.chart.held_forest import HeldForest, hold
from plcfrs.chart.kernel.arrays import Costs
from plcfrs.forest.derivations import explain_posteriors
from plcfrs.forest.grammar_parser import GrammarParser, printed_tree
from plcfrs.forest.scored_forest import ScoredForest, want_lines
from plcfrs.forest.votes import (
    LOG_RATIO,
    ForestScores,
    scores_of_edges,
)
from plcfrs.grammar import Derivation, Grammar, unbinarize
from plcfrs.grammar.rules import Want
from plcfrs.parsing import Explanation, LearnedParser
from plcfrs.parsing.parse import BEST_PARSE, Fallback, Parse, Task
from plcfrs.parsing.sentence import Sentence
from plcfrs.trees import Fixed
from plcfrs.trees.notation import render_discbracket

# If no derivation of a forest has what is fixed of a tree, the next forest has derivations that are
# less probable, by the logarithm of the ratio times these numbers.
_WIDER = (2, 4)


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
    def judge(self, sentence: Sentence, forest: Forest) -> ForestScores | None:
        """Return the scores of the edges and items of a forest; None if nothing is known.

        The forest may be of any grammar of the same treebank that is binarized in the same way.
        """

    def scored(self, sentence: Sentence, forest: Forest) -> ScoredForest:
        """Return a forest of this parser with its scores."""
        forest_scores = self.judge(sentence, forest)
        assert forest_scores is not None
        return ScoredForest(forest, scores_of_edges(forest, forest_scores))

    def search(
        self, sentence: Sentence, tags: Candidates, task: Task = BEST_PARSE
    ) -> tuple[list[ParseResult], ScoredForest | None]:
        """Return the best results, and the forest that they were chosen from, if there is one.

        `tags` has the possible tags of each token with their costs (0 for given tags).
        """
        result = ParseResult("no parse")
        for log_ratio in self.log_ratios:
            result, forest = self._forest(sentence, tags, log_ratio)
            if forest is None:  # nothing is known about parses that the scores would prefer
                return [result if result.derivation is None else replace(result, gap=inf)], None
            try:
                scored = self.scored(sentence, forest)
                scored = self._held(sentence, tags, scored, log_ratio)
            except OutOfTimeError:
                return [replace(result, gap=inf)], None
            found = [
                replace(result, cost=cost, derivation=derivation, gap=None)
                for cost, derivation in _chosen(scored, sentence, task)
            ]
            if found:
                return found, scored
        return [ParseResult("no parse", statistics=result.statistics)], None

    def _want_lines(self, sentence: Sentence, want: Want, best: Parse) -> list[str]:
        lines = super()._want_lines(sentence, want, best)
        if len(lines) == 1:
            return lines
        tags = self.tags_of(sentence)
        scored = None if isinstance(tags, Parse) else self.search(sentence, tags)[1]
        in_forest = want_lines(scored, want) if scored else []
        return in_forest if len(in_forest) > 1 else lines

    def constituents(self, sentence: Sentence, tags: Candidates) -> SymbolPosteriors:
        """Return the posterior of each symbol and span; empty without a forest."""
        log_ratio = self.log_ratios[0]
        _, forest = self._forest(sentence, tags, log_ratio)
        if forest is None:
            return {}
        return self._held(sentence, tags, self.scored(sentence, forest), log_ratio).constituents

    def _held(
        self, sentence: Sentence, tags: Candidates, free: ScoredForest, log_ratio: float
    ) -> ScoredForest:
        """Return the derivations of a forest with what is fixed, or those of a wider one."""
        if sentence.fixed is None:
            return free
        search = partial(self._forest, sentence, tags, fixed=sentence.fixed)
        forest, held = hold_in_wider(
            free.forest, sentence.fixed, lambda factor: search(factor * log_ratio)[1]
        )
        scored = free if forest is free.forest else self.scored(sentence, forest)
        return scored.held(held, free)

    def _forest(
        self,
        sentence: Sentence,  # noqa: ARG002 (the words may matter)
        tags: Candidates,
        log_ratio: float,
        fixed: Fixed | None = None,
    ) -> tuple[ParseResult, Forest | None]:
        return self.parse_with_forest(tags, log_ratio, fixed)

    def _parse_tagged(self, sentence: Sentence, tags: Candidates, task: Task) -> list[Parse]:
        results, scored = self.search(sentence, tags, task)
        posteriors: SymbolPosteriors | None = None
        if task.posteriors:
            posteriors = scored.constituents if scored else {}

        def explained(derivation: Derivation | None) -> Explanation | None:
            if derivation is None or not task.explained:
                return None
            if scored is None:
                return explain_posteriors(sentence.words, derivation, {})
            return scored.explain(sentence.words, derivation)

        return [
            self._parsed(result, sentence, tags, explained(result.derivation), posteriors)
            for result in results
        ]


def hold_in_wider(
    forest: Forest, fixed: Fixed, search: Callable[[float], Forest | None]
) -> tuple[Forest, HeldForest]:
    """Return a forest, or a wider one that `search` finds, and its derivations with what is fixed.

    `search` gets the factor of the logarithm of the ratio.
    """
    held = hold(forest, fixed)
    for factor in (1, *_WIDER):
        if not held.broken:
            break
        if (wider := search(factor)) is not None:
            forest, held = wider, hold(wider, fixed)
    return forest, held


class StoredGrammar(Protocol):
    """What is stored: a grammar, and what judges its forests."""

    @property
    def grammar(self) -> Grammar:
        """The binarized grammar."""

    @property
    def shares(self) -> Costs | None:
        """The costs that tighten the bounds of its search; see `ChartParser`."""


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

    capabilities = frozenset({"budget", "nbest", "sums"})

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
    scored: ScoredForest, sentence: Sentence, task: Task
) -> Iterable[tuple[float, Derivation]]:
    """Return the wanted derivations with their costs."""
    if task.nbest is None:
        best = scored.best(task.objective)
        return [] if best is None else [best]
    if task.derivations:
        return islice(scored.ranked(), task.nbest)
    trees: dict[str, tuple[float, Derivation]] = {}
    for cost, derivation in scored.ranked():
        trees.setdefault(
            render_discbracket(printed_tree(unbinarize(derivation), sentence)), (cost, derivation)
        )
        if len(trees) == task.nbest:
            break
    return trees.values()
