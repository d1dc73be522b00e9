"""The search for one sentence: estimates, deduction, and their budget."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import inf
from time import perf_counter
from typing import Literal, NamedTuple

import numpy as np

from plcfrs.chart.backtrace import trace_back
from plcfrs.chart.buffers import Buffers
from plcfrs.chart.compile import CompiledGrammar
from plcfrs.chart.estimates import Estimates, Scanned
from plcfrs.chart.forest import Forest, build_forest
from plcfrs.chart.kernel import arrays
from plcfrs.chart.kernel.arrays import Chart
from plcfrs.chart.kernel.deduction import deduce, scan
from plcfrs.chart.kernel.items import estimate_anew
from plcfrs.chart.masses import MassBounds
from plcfrs.chart.relaxation import Relaxation
from plcfrs.chart.storage import enlarge, new_chart, release
from plcfrs.grammar import Derivation, Nonterminal

Candidates = Sequence[Mapping[Nonterminal, float]]
Shortage = Literal["out of items", "out of time", "out of memory"]

# Items between two checks of the budget and of signals such as Ctrl-C.
_PATIENCE = 2_000

# The best parse is first searched for among parses that cost at most this much more than the
# relaxation's best one: their outside costs are found faster. If there are too many items, there is
# probably no such parse.
_MARGIN = 4.0
_FIRST_ITEMS = 4096

_TO_THE_GOAL = -1.0


class Budget(NamedTuple):
    """Limits for the search for one sentence.

    Parameters
    ----------
    max_items : float
        The maximal number of items.
    max_seconds : float
        The maximal wall time in seconds, checked from time to time.
    """

    max_items: float = inf
    max_seconds: float = inf


UNLIMITED = Budget()


class OutOfBudgetError(Exception):
    """The search ran out of items or time."""

    shortage: Shortage


class OutOfItemsError(OutOfBudgetError):
    """The search ran out of items."""

    shortage = "out of items"


class OutOfTimeError(OutOfBudgetError):
    """The search ran out of time."""

    shortage = "out of time"


class OutOfMemoryError(OutOfBudgetError):
    """The arrays of the search would take more than `MOST_BYTES`, or than there is."""

    shortage = "out of memory"


@contextmanager
def _within_memory() -> Iterator[None]:
    """Turn a lack of memory into a used-up budget, so that only one sentence fails."""
    try:
        yield
    except MemoryError:
        raise OutOfMemoryError from None


@dataclass(frozen=True, slots=True)
class Statistics:
    """Statistics of the search for one sentence.

    Parameters
    ----------
    items : int
        Items created.
    popped : int
        Items taken from the agenda.
    improved : int
        Items that got a lower cost after they were popped, and were popped again.
    edges : int
        Instances of rules over popped items.
    pair_tests : int
        Pairs of items that were tested for a binary rule.
    estimate_seconds : float
        Wall time for the costs of the relaxation, in seconds.
    search_seconds : float
        Wall time for the deduction, in seconds.
    """

    items: int = 0
    popped: int = 0
    improved: int = 0
    edges: int = 0
    pair_tests: int = 0
    estimate_seconds: float = field(default=0.0, compare=False)
    search_seconds: float = field(default=0.0, compare=False)


class Search:
    """Weighted deductive parsing of one sentence.

    Parameters
    ----------
    compiled : CompiledGrammar
    relaxation : Relaxation or None
        The guide of the search, if there is one.
    candidates : sequence of mapping of Nonterminal to float
        The possible tags of each token with their costs; at least one token.
    budget : Budget
    buffers : Buffers
        Where the memory comes from.
    keeps_edges : bool
        Whether a forest is wanted.
    """

    def __init__(
        self,
        compiled: CompiledGrammar,
        relaxation: Relaxation | None,
        candidates: Candidates,
        budget: Budget,
        buffers: Buffers,
        *,
        keeps_edges: bool = False,
    ) -> None:
        self._compiled = compiled
        self._relaxation = relaxation
        self._scanned = scan_tags(compiled, candidates)
        self._budget = budget
        self.buffers = buffers
        self._keeps_edges = keeps_edges
        self._deadline = perf_counter() + budget.max_seconds
        self._estimates: Estimates | None = None
        self._chart: Chart | None = None
        self._counts = np.zeros(arrays.COUNTERS, np.int64)
        self._estimate_seconds = self._search_seconds = 0.0
        self.cost = inf
        self.derivation: Derivation | None = None

    def find_best(self) -> None:
        """Find the best parse, and set its cost and derivation if there is one.

        Raises
        ------
        OutOfBudgetError
            If the budget is used up; then cost and derivation are those of the best parse so far.
        """
        if self._relaxation is None:
            self._try(self._budget.max_items)
            return
        estimates = self._fill_estimates(self._relaxation)
        if estimates.best == inf:
            return
        tries_below = not self._keeps_edges and self._budget.max_items > _FIRST_ITEMS
        if tries_below and self._try_below(estimates, estimates.best + _MARGIN):
            return
        # A parse found already gives a ceiling, too.
        self._raise_ceiling(estimates, inf if self._keeps_edges else self.cost)
        self._try(self._budget.max_items - self.statistics().items)

    def _try_below(self, estimates: Estimates, ceiling: float) -> bool:
        """Look for the best parse with a cost up to a ceiling; return whether it was found."""
        self._raise_ceiling(estimates, ceiling)
        try:
            self._try(_FIRST_ITEMS)
        except OutOfItemsError:
            return False
        return self.cost <= ceiling

    def extend(self, ceiling: float) -> None:
        """After `find_best`, deduce all items that may be in a derivation up to a ceiling.

        Parameters
        ----------
        ceiling : float
            Infinite for all derivations.

        Raises
        ------
        OutOfBudgetError
        """
        self._deduce(_rounded_up(ceiling))

    def collect(self, log_ratio: float, most_items: float) -> bool:
        """After `find_best`, deduce again all items of parses that are not much worse.

        An item of fan-out k has k estimates of the cost of the best parse with it, one from each
        component. The amounts by which they exceed the best cost must add up to at most the ratio.

        Parameters
        ----------
        log_ratio : float
        most_items : float

        Returns
        -------
        bool
            Whether this many items were enough.

        Raises
        ------
        OutOfBudgetError
        """
        ceiling = _rounded_up(self.cost + log_ratio)
        if self._estimates is not None:
            self._raise_ceiling(self._estimates, ceiling)
        self._keeps_edges = True
        left = self._budget.max_items - self.statistics().items
        self._scan(min(left, most_items), self.cost, ceiling - self.cost)
        try:
            self._deduce(ceiling)
        except OutOfItemsError:
            if left <= most_items:
                raise
            return False
        return True

    def forest(self, ceiling: float, bounds: MassBounds | None = None) -> Forest:
        """Return the forest of all derivations up to a ceiling, after `extend` with that ceiling.

        With bounds for the lost mass, there must be estimates. The bounds replace them, so the
        search cannot continue.
        """
        assert self._chart is not None
        if bounds is not None:
            assert self._estimates is not None
            bounds.replace(self._estimates)
            estimate_anew(self._compiled.arrays, self._chart)
        is_bounded = bounds is not None
        return build_forest(self._compiled, self._chart, ceiling, is_bounded=is_bounded)

    @property
    def is_exhausted(self) -> bool:
        """Whether there is nothing left to pop, so that the last forest has all derivations."""
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
        if self._estimates is not None:
            self._estimates.close()
        self.buffers.trim()

    def _fill_estimates(self, relaxation: Relaxation) -> Estimates:
        start = perf_counter()
        with _within_memory():
            self._estimates = Estimates(relaxation, self._scanned, self.buffers, self._check_time)
        self._estimate_seconds += perf_counter() - start
        return self._estimates

    def _raise_ceiling(self, estimates: Estimates, ceiling: float) -> None:
        start = perf_counter()
        estimates.raise_ceiling(_rounded_up(ceiling))
        self._estimate_seconds += perf_counter() - start

    def _try(self, max_items: float) -> None:
        """Deduce the goal, and set the parse that was found."""
        self._scan(max_items)
        try:
            self._deduce(_TO_THE_GOAL)
        finally:
            self._note_parse()

    def _scan(self, max_items: float, floor: float = 0.0, margin: float = inf) -> None:
        """Begin a chart with the tags of the sentence."""
        self._release_chart()
        scanned = self._scanned
        with _within_memory():
            chart = new_chart(
                scanned.length,
                self.buffers,
                self._estimates,
                keeps_edges=self._keeps_edges,
                max_items=max_items,
                floor=floor,
                margin=margin,
            )
            while len(scanned.labels) > len(chart.items):
                for status in (arrays.ITEMS_FULL, arrays.AGENDA_FULL, arrays.EDGES_FULL):
                    chart = enlarge(chart, status)
        scan(self._compiled.arrays, chart, scanned.positions, scanned.labels, scanned.costs)
        self._chart = chart

    def _deduce(self, ceiling: float) -> Chart:
        """Pop items until the goal is popped, or until all are above a ceiling."""
        assert self._chart is not None
        chart, start = self._chart, perf_counter()
        status = arrays.PAUSED
        try:
            while status not in (arrays.FOUND, arrays.BEYOND, arrays.EXHAUSTED):
                self._check_time()
                status = deduce(self._compiled.arrays, chart, _PATIENCE, ceiling)
                if status == arrays.ITEMS_FULL and len(chart.items) >= chart.max_items:
                    raise OutOfItemsError
                if status > arrays.PAUSED:
                    with _within_memory():
                        chart = self._chart = enlarge(chart, status)
        finally:
            self._search_seconds += perf_counter() - start
        return chart

    def _note_parse(self) -> None:
        chart = self._chart
        assert chart is not None
        goal = int(chart.counters[arrays.GOAL])
        if goal >= 0 and chart.items[goal]["cost"] < self.cost:
            self.cost = float(chart.items[goal]["cost"])
            items = chart.items
            columns = items["label"], items["rule"], items["left"], items["right"]
            self.derivation = trace_back(self._compiled, *columns, goal)

    def _release_chart(self) -> None:
        if self._chart is not None:
            self._counts += self._chart.counters
            release(self._compiled.arrays, self._chart, self.buffers)
            self._chart = None

    def _check_time(self) -> None:
        if perf_counter() > self._deadline:
            raise OutOfTimeError


def scan_tags(compiled: CompiledGrammar, candidates: Candidates) -> Scanned:
    """Return the tags of a sentence as arrays, without tags that the grammar does not have."""
    scanned = [
        (position, compiled.labels[tag], cost)
        for position, tags in enumerate(candidates)
        for tag, cost in tags.items()
        if tag in compiled.labels
    ]
    return Scanned(
        len(candidates),
        np.array([position for position, _, _ in scanned], np.int32),
        np.array([label for _, label, _ in scanned], np.int32),
        np.array([cost for _, _, cost in scanned], np.float64),
    )


def _rounded_up(ceiling: float) -> float:
    """Return a ceiling that rounding errors in sums do not exceed."""
    return ceiling * (1 + 1e-9) + 1e-9
