"""The chart parser: exact search by weighted deduction (Evang and Kallmeyer 2011)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from math import inf
from typing import Literal

import numpy as np

from plcfrs.budget import DEFAULT, Budget, OutOfBudgetError
from plcfrs.chart.bounds import Relaxation
from plcfrs.chart.cells import NO_LIMITS, Bracket, CellLimits, FixedLabels
from plcfrs.chart.compile import Candidates, compile_grammar
from plcfrs.chart.estimates import MassBounds, lost_mass, prune
from plcfrs.chart.forest import (
    Forest,
    constituent_posteriors,
    expected_rule_counts,
    inside_outside,
    most_constituents,
)
from plcfrs.chart.held_forest import hold
from plcfrs.chart.kernel.arrays import Costs
from plcfrs.chart.nbest import (
    Expectations,
    ParseResult,
    Status,
    best_derivations,
    find_best,
    find_forest,
)
from plcfrs.chart.search import ChartSearch, gap_above
from plcfrs.chart.trace import Course, follow
from plcfrs.chart.workspace import ChartWorkspace
from plcfrs.grammar import Derivation, Grammar, Nonterminal, Rule, proper_gaps
from plcfrs.trees import Fixed

Strategy = Literal["astar", "knuth"]
Objective = Literal["mpd", "mcp"]

# The forest for n-best parses has all that cost at most this much more than the best one. If there
# are too few, the margin is multiplied; above the last margin the forest has all derivations.
_FIRST_MARGIN = 2.0
_WIDER = 4.0
_LAST_MARGIN = 40.0

# The most items of a chart for derivations with what is fixed of a tree.
_MOST_HELD = 30_000

# The forest for "mcp" has derivations that are at most e to this power less probable than the best.
_LOG_RATIO = 10.0


class ChartParser:
    """Exact Viterbi parsing with a PLCFRS (Evang and Kallmeyer 2011, figures 2 and 3).

    Costs with a relative difference below 1e-12 count as equal. Of equal derivations of an item,
    the one whose first child has fewer tokens is kept: it attaches what follows lower. If both have
    as many, the rule that comes first in the grammar decides. So the parse hardly ever depends on
    the strategy or on bounds, and the same grammar gives the same parse on every run.

    Threads may share a parser: each search has its own memory, which later ones reuse, and the
    kernels release the interpreter lock.

    Parameters
    ----------
    grammar : Grammar
        With up to two children in a rule.
    strategy : {"astar", "knuth"}
        The order of items: by the estimated cost of the best parse with the item, from the
        component-split CFG ("astar"), or by the item's own cost, as in figure 3 ("knuth"). Both
        give parses with the same cost.
    budget : Budget
        Limits for each sentence. A search that reaches one returns what it has found, and says how
        far that may be from the best.
    shares : float64 array (components,), optional
        The cost of each component of each rule, learned by
        `plcfrs.chart.multipliers.train_shares`. With them, the search is faster and finds parses of
        the same costs.

    Raises
    ------
    GrammarError
        If a rule has more than two children, or the shares do not belong to the grammar.

    Examples
    --------
    >>> from plcfrs.grammar import Nonterminal, Rule, tag
    >>> s, a = Nonterminal("S"), tag("A")
    >>> grammar = Grammar({Rule(s, (s, a), ((0, 1),)): 1, Rule(s, (a,), ((0,),)): 1}, start=s)
    >>> result = ChartParser(grammar).parse([{a: 0.0}, {a: 0.0}])
    >>> result.status, round(result.cost, 4)
    ('parsed', 1.3863)
    """

    def __init__(
        self,
        grammar: Grammar,
        strategy: Strategy = "astar",
        budget: Budget = DEFAULT,
        shares: Costs | None = None,
    ) -> None:
        self._proper = proper_gaps(grammar)
        self._compiled = compile_grammar(self._proper.grammar)
        self._relaxation = None
        if strategy == "astar":
            self._relaxation = Relaxation(self._compiled)
            if shares is not None:
                self._relaxation.use(shares)
            elif grammar.shifts:
                self._relaxation.shift(grammar.shifts)
        self._budget = budget
        self._bounds: MassBounds | None = None
        self._unused: list[ChartWorkspace] = []

    @property
    def rules(self) -> list[Rule]:
        """The rules without touching ranges, in the order in which forests number them."""
        return self._compiled.rules

    def __getstate__(self) -> dict[str, object]:
        """Leave out reusable memory, which may be large, when a parser is pickled."""
        return {**self.__dict__, "_unused": []}

    def parse(self, candidates: Candidates, objective: Objective = "mpd") -> ParseResult:
        """Return the best parse of a sentence.

        Parameters
        ----------
        candidates : sequence of mapping of Nonterminal to float
            The possible tags of each token with their costs (0 for given tags). Tags that the
            grammar does not have are ignored.
        objective : {"mpd", "mcp"}
            The most probable derivation ("mpd"), or the one with the most constituents expected to
            be correct ("mcp"), among the derivations that are at most e**10 times less probable
            than the most probable one.
        """
        if not candidates:
            return ParseResult("no parse")
        search = self._search(candidates)
        status = _find_best(search)
        if objective == "mcp" and search.derivation is not None:
            return self._most_constituents(search, status)
        if status == "parsed":
            self._finish(search)
        return self._result(search, status, search.derivation, search.cost)

    def _result(
        self, search: ChartSearch, status: Status, derivation: Derivation | None, cost: float
    ) -> ParseResult:
        statistics = search.statistics()
        if derivation is None:
            return ParseResult("no parse" if status == "parsed" else status, statistics=statistics)
        restored = self._proper.undo_proper(derivation)
        return ParseResult("parsed", cost, restored, statistics, gap=search.gap)

    def _most_constituents(self, search: ChartSearch, status: Status) -> ParseResult:
        """Return the derivation for "mcp", or the most probable one if the budget is used up."""
        assert search.derivation is not None
        derivation, cost, lost = search.derivation, search.cost, 1.0
        if status == "parsed":
            with suppress(OutOfBudgetError):
                forest = self._forest(search, _LOG_RATIO)
                sums = inside_outside(forest)
                cost, derivation = most_constituents(forest, sums)
                lost = lost_mass(forest, sums)
                self._finish(search)
        return replace(self._result(search, "parsed", derivation, cost), lost_mass=lost, gap=None)

    def parse_nbest(
        self,
        candidates: Candidates,
        number: int,
        key: Callable[[Derivation], Hashable] | None = None,
    ) -> list[ParseResult]:
        """Return up to `number` best derivations of a sentence, in the order of their costs.

        Derivations in which an item is its own descendant are left out, and so are those with the
        same key as a better one. Without a parse, there is one result with that status. If the
        budget is used up, better derivations may be missing: see their gaps.
        """
        if not candidates:
            return [ParseResult("no parse")]
        search = self._search(candidates)
        status = _find_best(search)
        result = self._result(search, status, search.derivation, search.cost)
        if status != "parsed":
            return [result]
        if result.derivation is None:
            self._finish(search)
            return [result]
        best, bound = [(result.cost, result.derivation)], result.cost
        ceiling = bound + _FIRST_MARGIN
        with suppress(OutOfBudgetError):  # what was found before is right
            while bound < (best[-1][0] if len(best) == number else inf):
                search.collect_all(ceiling)
                best, bound = self._best_of(search.forest(ceiling), number, key), ceiling
                if len(best) == number:
                    ceiling = best[-1][0]
                else:
                    wider = _WIDER * (ceiling - result.cost)
                    ceiling = result.cost + wider if wider <= _LAST_MARGIN else inf
            self._finish(search)
        statistics = search.statistics()
        return [
            replace(
                result,
                cost=cost,
                derivation=derivation,
                statistics=statistics,
                gap=gap_above(bound, cost),
            )
            for cost, derivation in best
        ]

    def parse_held(
        self,
        candidates: Candidates,
        fixed: Fixed,
        number: int = 1,
        key: Callable[[Derivation], Hashable] | None = None,
    ) -> list[ParseResult]:
        """Return the best derivations with all that is fixed of a tree.

        If there are none, derivations that cross no required constituent are preferred, and of
        these the ones that break least. If all derivations up to a high cost break
        something, or the budget is used up, others may break less: then the gaps are infinite. See
        `parse_nbest`.
        """
        whole = self._limits((), fixed)
        for limits in (whole, CellLimits(whole.brackets), NO_LIMITS):
            search = self._search(candidates, limits)
            status = _find_best(search)
            if search.derivation is not None or limits is NO_LIMITS:
                break
        result = self._result(search, status, search.derivation, search.cost)
        if result.derivation is None:
            return [result]
        best, gap, margin = [(result.cost, result.derivation)], inf, _FIRST_MARGIN
        ceiling = result.cost + margin
        with suppress(OutOfBudgetError):
            while gap:
                search.collect_all(ceiling, most_items=_MOST_HELD)
                forest, is_complete = search.forest(ceiling), False
                if forest.has_derivation:
                    held = hold(forest, fixed, self._original_symbols)
                    best = self._best_of(prune(held.forest, inf), number, key)
                    is_complete = len(best) == number and not held.broken
                if ceiling == inf or (is_complete and best[-1][0] <= ceiling):
                    gap = 0.0
                elif is_complete:
                    ceiling = best[-1][0]
                else:
                    if limits is not whole:  # no derivation has all that is fixed
                        break
                    margin *= _WIDER
                    ceiling = result.cost + margin if margin <= _LAST_MARGIN else inf
        with suppress(OutOfBudgetError):
            self._finish(search)
        statistics = search.statistics()
        return [
            replace(result, cost=cost, derivation=derivation, statistics=statistics, gap=gap)
            for cost, derivation in best
        ]

    def _best_of(
        self, forest: Forest, number: int, key: Callable[[Derivation], Hashable] | None
    ) -> list[tuple[float, Derivation]]:
        """Return the best derivations of a forest that have different keys."""
        best: dict[Hashable, tuple[float, Derivation]] = {}
        for cost, derivation in best_derivations(forest):
            restored = self._proper.undo_proper(derivation)
            best.setdefault(key(restored) if key else len(best), (cost, restored))
            if len(best) == number:
                break
        return list(best.values())

    def follow(self, candidates: Candidates, most: int) -> Course:
        """Return the course of the search for the best parse, up to `most` items.

        Unlike `parse`, it has all items that are in some parse of the relaxation, and its bounds
        are not tightened. There must be at least one token.

        Raises
        ------
        OutOfBudgetError
            If the budget is used up.

        Examples
        --------
        >>> from plcfrs.grammar import Nonterminal, Rule, tag
        >>> s, a = Nonterminal("S"), tag("A")
        >>> grammar = Grammar({Rule(s, (s, a), ((0, 1),)): 1, Rule(s, (a,), ((0,),)): 1}, start=s)
        >>> course = ChartParser(grammar).follow([{a: 0.0}, {a: 0.0}], 10)
        >>> for step in course.pops:
        ...     symbol, span = course.items[step.popped.item]
        ...     print(f"{symbol} {span:02b} {step.popped.cost:.2f} {step.popped.bound:.2f}")
        A 01 0.00 1.39
        A 10 0.00 1.39
        S 01 0.69 1.39
        S 11 1.39 1.39
        """
        search = self._search(candidates)
        course = follow(self._compiled, search, most)
        self._finish(search)
        return course

    def forest(self, candidates: Candidates, log_ratio: float = inf) -> Forest | None:
        """Return the parse forest of a sentence, or None if it has no parse.

        It has all derivations up to ``e**log_ratio`` times less probable than the best one, or as
        many of them as the budget allows. `expectations` bounds the mass that it lacks.

        Raises
        ------
        OutOfBudgetError
            If the budget is used up before the best derivation is known and the forest has one.
        """
        if not candidates:
            return None
        search = self._search(candidates)
        find_best(search)
        if search.derivation is None:
            return None
        forest = self._forest(search, log_ratio)
        self._finish(search)
        return forest

    def parse_with_forest(
        self,
        candidates: Candidates,
        log_ratio: float,
        most_items: float = inf,
        brackets: Sequence[Bracket] = (),
        fixed: Fixed | None = None,
    ) -> tuple[ParseResult, Forest | None]:
        """Return the best parse of a sentence, and the forest of parses that are not much worse.

        The forest has no cycles. Its derivations are up to ``e**log_ratio`` times less probable
        than the best one: all without discontinuous constituents, and others if their bounds are
        close enough. If it takes more than `most_items`, it has fewer derivations. It is None if
        there is no parse, if the sentence is too long for a forest, or if the budget is used up.
        The gap of the parse is 0 if there is no better one.

        Brackets are spans: a first token and the one after the last. They need the strategy
        "astar". No component of an item crosses a bracket, and some derivations with constituents
        that cross one are left out. So are derivations that lack required constituents, if it is
        seen early that they do; see `plcfrs.chart.held_forest`.
        """
        assert self._relaxation or not brackets
        if not candidates:
            return ParseResult("no parse"), None
        search = self._search(candidates, self._limits(brackets, fixed))
        forest = None
        status: Status = "parsed"
        try:
            ratio = find_forest(search, log_ratio, most_items)
            if ratio is not None:
                forest = prune(search.forest(search.cost + ratio), ratio)
            self._finish(search)
        except OutOfBudgetError as stop:
            status = stop.shortage
        return self._result(search, status, search.derivation, search.cost), forest

    def constituents(
        self,
        candidates: Candidates,
        log_ratio: float,
        most_items: float = inf,
        fixed: Fixed | None = None,
    ) -> dict[tuple[Nonterminal, int], float]:
        """Return the posterior of each constituent and tag in the forest of `parse_with_forest`.

        The derivations have what is fixed of a tree.

        The keys are symbols, without intermediate ones, and spans, as bitsets (see
        `plcfrs.trees.tree`). The result is empty if there is no forest.
        """
        _, forest = self.parse_with_forest(candidates, log_ratio, most_items, (), fixed)
        if forest is None:
            return {}
        if fixed:
            forest = hold(forest, fixed, self._original_symbols).forest
        posteriors = constituent_posteriors(forest, inside_outside(forest).posterior)
        return self._proper.restore_symbols(posteriors)

    def expectations(self, candidates: Candidates, log_ratio: float = inf) -> Expectations | None:
        """Return sums over all derivations of a sentence, or None if it has no parse.

        They are exact if `log_ratio` is infinite and the budget is large enough; see `forest`.

        Raises
        ------
        GrammarError
            If the probabilities along a cycle of unary rules add up to infinity.
        OutOfBudgetError
            As for `forest`.

        Examples
        --------
        >>> from plcfrs.grammar import Nonterminal, Rule, tag
        >>> s, a = Nonterminal("S"), tag("A")
        >>> rules = {Rule(s, (s, s), ((0, 1),)): 1, Rule(s, (a,), ((0,),)): 1}
        >>> sums = ChartParser(Grammar(rules, start=s)).expectations([{a: 0.0}] * 3)
        >>> print(round(np.exp(sums.log_probability) * 2**5, 6))  # two derivations of five rules
        2.0
        >>> round(sums.constituents[s, 0b011], 6)
        0.5
        """
        forest = self.forest(candidates, log_ratio)
        if forest is None:
            return None
        sums = inside_outside(forest)
        return Expectations(
            sums.log_probability,
            self._proper.restore_counts(expected_rule_counts(forest, sums)),
            constituent_posteriors(forest, sums.posterior),
            lost_mass(forest, sums),
        )

    def _forest(self, search: ChartSearch, log_ratio: float) -> Forest:
        stop = None
        try:
            search.collect_all(search.cost + log_ratio, with_frontier=True)
        except OutOfBudgetError as error:  # what is missing then counts as lost
            if not search.is_at_goal:
                raise
            stop = error
        ceiling = min(search.cost + log_ratio, search.horizon)
        if search.is_exhausted or self._relaxation is None:  # nothing lost, or no bound known
            forest = search.forest(ceiling)
        else:
            if self._bounds is None:
                self._bounds = MassBounds(
                    Relaxation(self._compiled, np.frompyfunc(_sum_of_costs, 2, 1))
                )
            forest = search.forest(ceiling, self._bounds)
        if stop is not None and not forest.has_derivation:
            raise stop
        return forest

    def _limits(self, brackets: Sequence[Bracket], fixed: Fixed | None) -> CellLimits:
        if fixed is None or self._relaxation is None:
            return CellLimits(brackets)
        return self._fixed_labels.limits(fixed, brackets)

    @cached_property
    def _fixed_labels(self) -> FixedLabels:
        return FixedLabels(self._compiled, self._original_symbols)

    @cached_property
    def _original_symbols(self) -> dict[Nonterminal, Nonterminal]:
        return self._proper.original_symbols

    def _search(self, candidates: Candidates, limits: CellLimits = NO_LIMITS) -> ChartSearch:
        try:
            workspace = self._unused.pop()  # one atomic step: threads may share a parser
        except IndexError:
            workspace = ChartWorkspace(self._budget.max_memory)
        budget = self._budget
        if limits.labels:  # there may be no such parse, which takes long to prove
            budget = budget._replace(max_items=min(_MOST_HELD, budget.max_items))
        return ChartSearch(self._compiled, self._relaxation, candidates, budget, workspace, limits)

    def _finish(self, search: ChartSearch) -> None:
        """Keep the memory of a search for the next one, except after an exception."""
        search.close()
        self._unused.append(search.workspace)


def _find_best(search: ChartSearch) -> Status:
    """Find the best parse; return "parsed", or what part of the budget ran out."""
    try:
        find_best(search)
    except OutOfBudgetError as stop:
        return stop.shortage
    return "parsed"


def _sum_of_costs(one: float, other: float) -> float:
    """Return the cost of two rules with their probabilities added up."""
    return -float(np.logaddexp(-one, -other))
