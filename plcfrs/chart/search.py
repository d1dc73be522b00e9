"""The search for one sentence: estimates, deduction, and their budget."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from math import inf

import numpy as np

from plcfrs.budget import Budget, Deadline, OutOfItemsError, Statistics, within_memory
from plcfrs.chart.bounds import Relaxation
from plcfrs.chart.cells import NO_LIMITS, CellLimits
from plcfrs.chart.compile import Candidates, CompiledGrammar, scan_tags
from plcfrs.chart.estimates import Estimates, MassBounds, rounded_up
from plcfrs.chart.forest import Forest, build_forest, trace_back
from plcfrs.chart.growing import SearchLimits, enlarge, new_chart, release
from plcfrs.chart.kernel import arrays
from plcfrs.chart.kernel.arrays import Chart, Costs
from plcfrs.chart.kernel.deduction import deduce, scan
from plcfrs.chart.kernel.items import estimate_anew, note_insides
from plcfrs.chart.tightening import Tightening, TooManyEdgesError
from plcfrs.chart.workspace import ChartWorkspace
from plcfrs.compiling import working_time
from plcfrs.grammar import Derivation

# Items between two checks of the budget and of signals such as Ctrl-C.
_ITEMS_PER_CHECK = 2_000

_TO_THE_GOAL = -1.0

_ENDS = (arrays.FOUND, arrays.BEYOND, arrays.EXHAUSTED)

# A target of multipliers that is too far away makes steps too long.
_FARTHEST = 64.0

# Bounds this close to the cost of a parse leave few items: they need not be tightened.
_NEAR = 2.0

# A sentence with more entries in the table is not refuted.
_MOST_ENTRIES = 200_000


class ChartSearch:
    """Weighted deductive parsing of a sentence, which may be guided by a relaxation."""

    def __init__(
        self,
        compiled: CompiledGrammar,
        relaxation: Relaxation | None,
        candidates: Candidates,
        budget: Budget,
        workspace: ChartWorkspace,
        limits: CellLimits = NO_LIMITS,
    ) -> None:
        self._compiled = compiled
        self._relaxation = relaxation
        self._scanned = scan_tags(compiled, candidates)
        self._limits = limits
        self._budget = budget
        self.workspace = workspace
        self.keeps_edges = False
        self._check_time = Deadline(budget).check
        self._chart: Chart | None = None
        self._counts = np.zeros(arrays.COUNTERS, np.int64)
        self._estimate_seconds = self._search_seconds = 0.0
        self.estimates: Estimates | None = None
        self._tightening: Tightening | None = None
        self.cost = self.ceiling = inf
        self.bound = -inf
        self.derivation: Derivation | None = None

    @property
    def is_guided(self) -> bool:
        """Whether there are outside estimates."""
        return self._relaxation is not None

    @property
    def length(self) -> int:
        """The number of tokens."""
        return self._scanned.length

    @property
    def is_proven(self) -> bool:
        """Whether the parse found is proven to be the best."""
        return rounded_up(self.bound) >= self.cost

    @property
    def relaxed(self) -> float:
        """The cost of the best parse of the relaxation."""
        assert self.estimates is not None
        return self.estimates.best

    @property
    def is_at_goal(self) -> bool:
        """Whether the last search has found a parse."""
        return self._chart is not None and bool(self._chart.counters[arrays.GOAL] >= 0)

    @property
    def gap(self) -> float:
        """How much less the best parse may cost than the one found."""
        return gap_above(self.bound, self.cost)

    @property
    def horizon(self) -> float:
        """A lower bound of the costs of what the next forest will lack, if edges are kept."""
        return inf if self._chart is None else _lowest_bound(self._chart)

    @property
    def items_left(self) -> float:
        """The number of items that the budget still allows."""
        return self._budget.max_items - self.statistics().items

    def fill_estimates(self, shares: Costs | None = None) -> None:
        """Compute the inside costs of the relaxation, given the cost of each rule's components."""
        assert self._relaxation is not None
        self._release_chart()
        with self._estimating():
            self.estimates = Estimates(
                self._relaxation,
                self._scanned,
                self.workspace,
                self._check_time,
                shares,
                self._limits,
                self.estimates,
            )
        self._raise_bound(self.estimates.best)

    def raise_ceiling(self, ceiling: float) -> None:
        """Compute the outside costs of all derivations of the relaxation up to a ceiling."""
        assert self.estimates is not None
        self.ceiling = rounded_up(ceiling)
        with self._estimating():
            self.estimates.raise_ceiling(self.ceiling)

    def tighten(self) -> Costs | None:
        """Make the estimates tighter, up to the ceiling, and return the new costs of components.

        If the relaxation has too many parses up to the ceiling, the estimates stay; the result is
        None.
        """
        with self._estimating():
            try:
                self._tightening = self._listed()
            except TooManyEdgesError:
                return None
            if self.cost == inf:
                self._tightening.prune_sides()
        self._run(self._tightening, min(self.cost, self.ceiling, self.bound + _FARTHEST))
        return self._tightening.shares

    def try_narrowly(self, limits: SearchLimits) -> bool:
        """Tighten for parses up to a lower ceiling than `tighten`, then look for one of them.

        Return whether the limit of items sufficed.
        """
        assert self._tightening is not None
        with self._estimating():
            narrowed = self._tightening.narrowed(self.bound, limits.ceiling)
        self._run(narrowed, limits.ceiling)
        if self.bound >= limits.ceiling:
            return True
        is_over = self.try_within(limits)
        if not self.is_proven:
            with self._estimating():
                self._learn(narrowed)
        return is_over

    def _learn(self, tightening: Tightening) -> None:
        """Raise the lower bounds of constituents without a gap by what the last search has found.

        A derivation that it has not found costs, with its outside cost, at least as much as the
        items that it has not popped.
        """
        chart, estimates = self._chart, self.estimates
        assert chart is not None
        assert estimates is not None
        entries = tightening.entries  # only these have items
        size = int(estimates.table.cell_start[-1])
        least = self.workspace.array("least", size, np.float64)
        least[entries] = min(_lowest_bound(chart), chart.ceiling) - estimates.table.outside[entries]
        note_insides(self._compiled.arrays, chart, least)
        tightening.learn(least[entries])

    def _run(self, tightening: Tightening, target: float) -> None:
        with self._estimating():
            try:
                tightening.run(target)
            finally:
                self._raise_bound(tightening.bound)
            tightening.apply()

    def refute(self) -> None:
        """Set the bound to infinity if components without partners prove that there is no parse.

        Long sentences are not tried: their relaxation has too many derivations.
        """
        assert self.estimates is not None
        if self.cost < inf or self.estimates.table.cell_start[-1] > _MOST_ENTRIES:
            return
        self.raise_ceiling(inf)
        with self._estimating(), suppress(TooManyEdgesError):
            tightening = self._listed()
            tightening.prune_sides()
            self._raise_bound(tightening.bound)

    @contextmanager
    def _estimating(self) -> Iterator[None]:
        """Count the time as that of the estimates, and a lack of memory as a used-up budget."""
        start = working_time()
        try:
            with within_memory():
                yield
        finally:
            self._estimate_seconds += working_time() - start

    def _listed(self) -> Tightening:
        assert self._relaxation is not None
        assert self.estimates is not None
        return Tightening(self._relaxation, self.estimates, self.ceiling, self._check_time)

    def try_within(self, limits: SearchLimits) -> bool:
        """Look for a better parse than the last one; return whether the limit of items sufficed."""
        left = self.items_left
        self._scan(limits._replace(max_items=min(left, limits.max_items)))
        try:
            self._deduce(_TO_THE_GOAL)
            self._deduce_equals()
        except OutOfItemsError:
            if left <= limits.max_items:
                raise
            return False
        finally:
            self._note_parse()
        return True

    def collect(self, log_ratio: float, most_items: float) -> bool:
        """After some parse, find the best one, and the items of parses that are not much worse.

        An item of fan-out k has k bounds for the cost of the best parse with it, one from each
        component. Together they may exceed the cost of the parse by the ratio, so that no item of a
        better parse is left out. Return whether the limit of items sufficed, and the relaxation has
        few enough parses.
        """
        ceiling = rounded_up(self.cost + log_ratio)
        if self.estimates is not None:
            self.raise_ceiling(self.cost + log_ratio)
            if self.cost - self.relaxed > _NEAR and self.tighten() is None:
                return False
        self.keeps_edges = True
        left, margin = self.items_left, ceiling - self.cost
        limits = SearchLimits(min(left, most_items), arrays.BY_MEAN, ceiling, self.cost, margin)
        self._scan(limits)
        try:
            self._deduce(ceiling)
        except OutOfItemsError:
            if left <= most_items:
                raise
            return False
        self._note_parse()
        return True

    def collect_all(
        self, ceiling: float, *, with_frontier: bool = False, most_items: float = inf
    ) -> None:
        """After some parse, deduce the items of all derivations up to a ceiling, or of all.

        More than `most_items` use up the budget.

        With a frontier, items beyond the ceiling are also made if their parts are below it, and
        bounds are not tightened; otherwise bounds are tightened if it pays.
        """
        self._release_chart()
        highest = inf if with_frontier else ceiling
        if self.estimates is not None:
            self.raise_ceiling(highest)
            if highest < inf and self.cost - self.relaxed > _NEAR:
                self.tighten()
        self.keeps_edges = True
        items = min(self.items_left, most_items)
        self._scan(SearchLimits(items, arrays.BY_MEAN, rounded_up(highest)))
        self._deduce(rounded_up(ceiling))

    def forest(self, ceiling: float, bounds: MassBounds | None = None) -> Forest:
        """Return the forest of all derivations up to a ceiling, after `collect_all` up to it.

        Bounds for the lost mass replace the estimates, so the search cannot continue.
        """
        assert self._chart is not None
        if bounds is not None:
            assert self.estimates is not None
            bounds.replace(self.estimates)
            estimate_anew(self._compiled.arrays, self._chart)
        is_bounded = bounds is not None
        return build_forest(self._compiled, self._chart, ceiling, is_bounded=is_bounded)

    def pops(self) -> Iterator[tuple[Chart, int]]:
        """Pop item by item up to the goal; yield the chart and the item, which is -1 at first."""
        self._scan(SearchLimits(self.items_left, ceiling=self.ceiling))
        assert self._chart is not None
        yield self._chart, -1
        status, done = arrays.PAUSED, self._chart.items["is_done"].copy()
        while status not in _ENDS:
            status = self._advance(1, _TO_THE_GOAL)
            items = self._chart.items["is_done"]
            if status == arrays.PAUSED:
                (popped,) = np.flatnonzero(items[: len(done)] & ~done)
                yield self._chart, int(popped)
                done = items.copy()
            elif status == arrays.FOUND:
                yield self._chart, int(self._chart.counters[arrays.GOAL])

    @property
    def is_exhausted(self) -> bool:
        """Whether everything is popped, so that the last forest has all derivations."""
        return self._chart is None or not self._chart.counters[arrays.AGENDA]

    def statistics(self) -> Statistics:
        """Return the statistics so far."""
        counts = self._counts
        if self._chart is not None:
            counts = counts + self._chart.counters
        return Statistics(
            int(counts[arrays.ITEMS]),
            int(counts[arrays.POPPED]),
            int(counts[arrays.IMPROVED]),
            int(counts[arrays.EDGES]),
            int(counts[arrays.PAIR_TESTS]),
            self._estimate_seconds,
            self._search_seconds,
        )

    def close(self) -> None:
        """Prepare the memory for another sentence."""
        self._release_chart()
        self.workspace.trim()

    def _scan(self, limits: SearchLimits) -> None:
        """Begin a chart with the tags of the sentence."""
        self._release_chart()
        scanned = self._scanned
        with within_memory():
            chart = new_chart(
                scanned.length,
                self._compiled.arrays,
                self.workspace,
                self.estimates,
                limits,
                keeps_edges=self.keeps_edges,
            )
            while len(scanned.labels) > len(chart.items):
                for status in (arrays.ITEMS_FULL, arrays.AGENDA_FULL, arrays.EDGES_FULL):
                    chart = enlarge(chart, status, self.workspace)
        scan(self._compiled.arrays, chart, scanned.positions, scanned.labels, scanned.costs)
        self._chart = chart

    def _deduce(self, ceiling: float) -> None:
        """Pop items until the goal is popped, or until all are above a ceiling."""
        while self._advance(_ITEMS_PER_CHECK, ceiling) not in _ENDS:
            pass

    def _advance(self, most_items: int, ceiling: float) -> int:
        """Pop up to `most_items`, enlarge full arrays, and return the status."""
        assert self._chart is not None
        chart, start = self._chart, working_time()
        try:
            self._check_time()
            status = deduce(self._compiled.arrays, chart, most_items, ceiling)
            if status == arrays.ITEMS_FULL and len(chart.items) >= chart.max_items:
                raise OutOfItemsError
            if status > arrays.PAUSED:
                with within_memory():
                    self._chart = enlarge(chart, status, self.workspace)
        finally:
            self._search_seconds += working_time() - start
        return status

    def _deduce_equals(self) -> None:
        """After the best parse, deduce the items of others with the same cost."""
        chart = self._chart
        assert chart is not None
        goal = int(chart.counters[arrays.GOAL])
        if goal >= 0 and chart.order != arrays.BY_EXCESSES:
            self._deduce(rounded_up(float(chart.items[goal]["cost"])))

    def _note_parse(self) -> None:
        """Keep the parse that was found, and raise the bound for better ones."""
        chart = self._chart
        assert chart is not None
        goal = int(chart.counters[arrays.GOAL])
        if goal >= 0 and chart.items[goal]["cost"] < self.cost:
            self.cost = float(chart.items[goal]["cost"])
            items = chart.items
            columns = items["label"], items["rule"], items["left"], items["right"]
            self.derivation = trace_back(self._compiled, *columns, goal)
        if chart.order != arrays.BY_EXCESSES:
            self._raise_bound(min(_lowest_bound(chart), chart.ceiling, self.ceiling))

    def _raise_bound(self, bound: float) -> None:
        self.bound = max(self.bound, min(bound, self.cost))

    def _release_chart(self) -> None:
        if self._chart is not None:
            self._counts += self._chart.counters
            release(self._compiled.arrays, self._chart)
            self._chart = None


def gap_above(bound: float, cost: float) -> float:
    """Return by how much a cost exceeds a bound; 0 if rounding errors may explain it."""
    return 0.0 if rounded_up(bound) >= cost else cost - bound


def _lowest_bound(chart: Chart) -> float:
    """Return a lower bound of the costs of parses not found yet, if items go by their bounds."""
    waiting = chart.agenda[: min(1, chart.counters[arrays.AGENDA])]["priority"].tolist()
    pending = chart.counters[arrays.PENDING]
    if pending >= 0:
        waiting.append(float(chart.items[pending]["priority"]))
    return min(waiting, default=inf)
