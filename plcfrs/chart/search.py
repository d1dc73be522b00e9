"""The search of one sentence: estimates, deduction, and what they may use up."""

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

# Items between two looks at the budget, and at signals such as Ctrl-C.
_PATIENCE = 2_000

# The best parse is first looked for among those that cost so much more than the relaxation says:
# their outside costs are found faster than all. Too many items say that there is none.
_MARGIN = 4.0
_FIRST_ITEMS = 4096

_TO_THE_GOAL = -1.0


class Budget(NamedTuple):
    """What the search of one sentence may use up.

    Parameters
    ----------
    max_items : float
        Items that may be created.
    max_seconds : float
        Seconds of wall time, looked at now and then.
    """

    max_items: float = inf
    max_seconds: float = inf


UNLIMITED = Budget()


class OutOfBudgetError(Exception):
    """The search has used up its items or its time."""

    shortage: Shortage


class OutOfItemsError(OutOfBudgetError):
    """The search has used up its items."""

    shortage = "out of items"


class OutOfTimeError(OutOfBudgetError):
    """The search has used up its time."""

    shortage = "out of time"


class OutOfMemoryError(OutOfBudgetError):
    """The arrays of the search would take more than `MOST_BYTES`, or than there is."""

    shortage = "out of memory"


@contextmanager
def _within_memory() -> Iterator[None]:
    """Say that memory is short as it is said of time, so that only one sentence fails."""
    try:
        yield
    except MemoryError:
        raise OutOfMemoryError from None


@dataclass(frozen=True, slots=True)
class Statistics:
    """What the search of one sentence did.

    Parameters
    ----------
    items : int
        Items created.
    popped : int
        Items taken from the agenda.
    improved : int
        Items that got a lower cost after they had been popped, and were popped again.
    edges : int
        Instances of rules over popped items.
    pair_tests : int
        Pairs of items that were looked at for a binary rule.
    estimate_seconds : float
        Wall time for the costs of the relaxation.
    search_seconds : float
        Wall time for the deduction.
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
        To guide the search, if it is given.
    candidates : sequence of mapping of Nonterminal to float
        For each token its possible tags with their costs; at least one token.
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
        """Find the best parse; afterwards its cost and derivation are set, if there is one.

        Raises
        ------
        OutOfBudgetError
            Cost and derivation are those of the best complete parse found so far.
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
        # What was found already, if anything, is a ceiling too.
        self._raise_ceiling(estimates, inf if self._keeps_edges else self.cost)
        self._try(self._budget.max_items - self.statistics().items)

    def _try_below(self, estimates: Estimates, ceiling: float) -> bool:
        """Look for the best parse among those up to a ceiling; return whether it was found."""
        self._raise_ceiling(estimates, ceiling)
        try:
            self._try(_FIRST_ITEMS)
        except OutOfItemsError:
            return False
        return self.cost <= ceiling

    def extend(self, ceiling: float) -> None:
        """After the best parse was found, deduce all that may be in a derivation up to a ceiling.

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
        """After the best parse was found, deduce anew what is in parses that are not much worse.

        An item of fan-out k has k estimates of the cost of the best parse with it, one from each
        component. What they exceed the best cost by, added up, must not be more than the ratio.

        Parameters
        ----------
        log_ratio : float
        most_items : float

        Returns
        -------
        bool
            Whether so many items were enough.

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
        """Return the forest of all derivations up to a ceiling, after `extend` with the same.

        With bounds for the mass that it lacks, they take the place of the estimates, which there
        must be: the search cannot go on then.
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
        """Whether there is nothing left to pop: the last forest had all derivations."""
        return self._chart is None or not self._chart.counters[arrays.AGENDA]

    def statistics(self) -> Statistics:
        """Return what was done so far."""
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
        """Make the memory ready for another sentence."""
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
        """Deduce the goal, and note the parse that was found."""
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
        """Pop items until the goal is popped, or all up to a ceiling."""
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
    """Return the tags of a sentence as arrays, without those that the grammar does not have."""
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
    """Return a ceiling below which no sum lies only because of the order of its terms."""
    return ceiling * (1 + 1e-9) + 1e-9
