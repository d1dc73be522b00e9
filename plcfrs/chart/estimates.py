"""Outside costs for one sentence, by the component-split CFG of `plcfrs.chart.bounds`.

They guide the search. With sums in place of costs, they bound the probability mass that a forest
lacks. `prune` uses the outside costs of the forest itself.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import cached_property
from itertools import pairwise
from math import inf
from sys import float_info
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plcfrs.chart.bounds import Relaxation, first_rows, starts_of
from plcfrs.chart.cells import NO_LIMITS, Bracket, CellLimits
from plcfrs.chart.compile import Scanned, records
from plcfrs.chart.forest import Forest, Sums, edges_of
from plcfrs.chart.kernel import arrays
from plcfrs.chart.kernel.arrays import (
    CHAIN,
    Bits,
    Costs,
    Int32,
    Int64,
    RelaxationArrays,
    RelaxationTable,
)
from plcfrs.chart.kernel.bits import WORD
from plcfrs.chart.kernel.forest import fill_outside_costs
from plcfrs.chart.kernel.inside import HIGHEST, MISSING, TOGETHER, cell_number, fill_inside
from plcfrs.chart.kernel.listing import fill_outside, find_entry
from plcfrs.chart.kernel.sums import settle, sum_inside, sum_table_inside, sum_table_outside
from plcfrs.chart.workspace import ChartWorkspace

# Cells between two checks of the budget and of signals such as Ctrl-C.
_CELLS_PER_CHECK = 500
_FIRST_ENTRIES = 1 << 16

# A derivation hardly ever has more rules for each token.
_RULES = 4

# The arrays that are full, by the status of the kernel.
_GROWING = {arrays.ENTRIES_FULL: ("symbols", "inside", "outside"), arrays.GROUPS_FULL: ("units",)}


class Estimates:
    """Inside and outside costs of the component-split CFG for one sentence.

    `goal` is the entry of the start symbol over the sentence, -1 without a parse, and `best` its
    cost. Outside costs are exact for derivations up to `ceiling`, with the costs of components in
    `shares`. All components keep to the `limits`. `check_time` is called from time to time, and
    raises an error when the budget is used up. The lower bounds of the estimates `before` remain
    true.
    """

    def __init__(
        self,
        relaxation: Relaxation,
        scanned: Scanned,
        workspace: ChartWorkspace,
        check_time: Callable[[], None],
        shares: Costs | None = None,
        limits: CellLimits = NO_LIMITS,
        before: Estimates | None = None,
    ) -> None:
        self._shares = relaxation.shares if shares is None else shares
        exact = relaxation.arrays if shares is None else relaxation.with_shares(shares)
        at_least = before.at_least if before else np.empty(0, np.int32)
        unit = before.table.unit if before else _unit(scanned.length, exact.cost, scanned.costs)
        self.arrays = exact._replace(cost=unit * np.floor(exact.cost / unit))
        self.workspace = workspace
        self._check_time = check_time
        self.symbol_of = relaxation.arrays.symbol_of
        self.shares = self._shares
        table = _new_table(relaxation, self.arrays, unit, scanned, limits, workspace)
        self.table: RelaxationTable = table._replace(at_least=at_least)  # for the same entries
        status = arrays.PAUSED
        while status != arrays.FOUND:
            check_time()
            status = fill_inside(self.arrays, self.table, _CELLS_PER_CHECK)
            self._enlarge(_GROWING.get(status, ()))
        goal = cell_number(0, scanned.length)
        start = relaxation.arrays.start
        self.goal = int(find_entry(self.table.present, self.table.first_entry, goal, start))
        self.ceiling = -inf
        self.best = self.table.unit * self.table.inside[self.goal] if self.goal >= 0 else inf

    def raise_ceiling(self, ceiling: float) -> None:
        """Compute outside costs that are exact for all derivations with a cost up to a ceiling."""
        if ceiling <= self.ceiling:
            return
        table = self.table
        self.shares = self._shares
        table.outside[: table.cell_start[-1]] = inf
        table.outside[self.goal] = 0.0
        table.counters[[arrays.RIGHT, arrays.LEFT]] = table.length, 0
        finite = min(ceiling, float_info.max)
        while fill_outside(self.arrays, table, finite, _CELLS_PER_CHECK) != arrays.FOUND:
            self._check_time()
        self.ceiling = ceiling

    @cached_property
    def at_least(self) -> Int32:
        """Lower bounds of the costs of entries without a gap, in units of the table.

        All components of the constituents below such an entry are below it, so their shares add
        up: its cost is a lower bound with any shares. Components of other entries do not count.
        """
        return self.table.inside[: self.table.cell_start[-1]].copy()

    def lower_bounds(self, entries: Int64) -> Costs:
        """Return lower bounds of some entries, -inf for components of constituents with gaps."""
        is_whole = self.table.is_whole[self.table.symbols[entries]]
        return np.where(is_whole, self.table.unit * self.at_least[entries], -inf)

    def raise_lower_bounds(self, entries: Int64, costs: Costs) -> None:
        """Raise the lower bounds of some entries."""
        units = np.clip(np.floor(costs / self.table.unit), -HIGHEST, HIGHEST)
        self.at_least[entries] = np.maximum(self.at_least[entries], units)

    def _enlarge(self, names: Iterable[str]) -> None:
        """Double the room in some arrays."""
        for name in names:
            larger: Any = self.workspace.doubled(f"table_{name}", getattr(self.table, name))
            self.table = self.table._replace(**{name: larger})


def _new_table(
    relaxation: Relaxation,
    rounded: RelaxationArrays,
    unit: float,
    scanned: Scanned,
    limits: CellLimits,
    workspace: ChartWorkspace,
) -> RelaxationTable:
    length, symbols = scanned.length, relaxation.symbols
    scan_symbol = rounded.symbol_of[relaxation.first_port[scanned.labels]]
    scan_start = np.searchsorted(scanned.positions, np.arange(length + 1)).astype(np.int32)
    cells, words = length * (length + 1) // 2, (symbols + WORD - 1) // WORD
    array, entries = workspace.array, max(_FIRST_ENTRIES, symbols)
    return RelaxationTable(
        length=length,
        counters=np.array([1, 0, 0], np.int64),
        scan_start=scan_start,
        scan_symbol=scan_symbol,
        scan_cost=scanned.costs,
        scan_units=np.minimum(np.floor(scanned.costs / unit), MISSING).astype(np.int32),
        **_rules_in_units(rounded, unit),
        starting=_starting(relaxation, length, workspace),
        ending=_ending(relaxation, scan_start, scan_symbol, workspace),
        cell_start=np.zeros(cells + 1, np.int64),
        first_entry=array("first_entry", (cells, words), np.int32),
        reachable=array("reachable", (cells, words), np.uint64),
        symbols=array("table_symbols", entries, np.uint32),
        inside=array("table_inside", entries, np.int32),
        is_whole=relaxation.is_whole,
        at_least=np.empty(0, np.int32),
        outside=array("table_outside", entries, np.float64),
        **_blocks(rounded, length, workspace),
        ended=workspace.filled("ended", (length + 1, words), np.uint64, 0),
        row=workspace.filled("row", WORD * words, np.int32, int(MISSING)),
        pairs=array("pairs", len(rounded.left_child), np.uint32),
        stack=array("stack", symbols + 1, np.int32),
        ended_reachable=array("ended_reachable", words, np.uint64),
        # Last: filling them takes time, and there may be no room for the others.
        present=workspace.filled("present", (cells, words), np.uint64, 0),
        **_allowed(relaxation, length, limits, workspace),
    )


def _unit(length: int, *costs: Costs) -> float:
    """Return the unit of costs, a power of 2: hardly any derivation costs more than `HIGHEST`."""
    most = sum(np.abs(each).max(initial=1.0, where=np.isfinite(each)) for each in costs)
    return float(2.0 ** np.ceil(np.log2(_RULES * length * most / HIGHEST)))


def _rules_in_units(rounded: RelaxationArrays, unit: float) -> dict[str, Any]:
    units = (rounded.cost / unit).astype(np.int32)
    return {
        "unit": unit,
        "binary_units": units[rounded.binary["rule"]],
        "unary_units": units[rounded.unary["rule"]],
    }


def _blocks(rounded: RelaxationArrays, length: int, workspace: ChartWorkspace) -> dict[str, Any]:
    """Return empty blocks, with room for those of the first positions."""
    left_children, right_children = len(rounded.left_start) - 1, len(rounded.right_symbol)
    size = 2 * (left_children + right_children + 1) * (length + 1 + TOGETHER)
    return {
        "left_block": workspace.filled("left_block", (length, left_children), np.int32, -1),
        "right_block": workspace.filled("right_block", (length + 1, right_children), np.int32, -1),
        "units": workspace.array("table_units", size, np.int32),
        "begun": workspace.array("begun", (length, len(rounded.left_child)), np.uint32),
        "begun_count": np.zeros(length, np.int64),
    }


def _allowed(
    relaxation: Relaxation, length: int, limits: CellLimits, workspace: ChartWorkspace
) -> dict[str, Any]:
    """Return the sets of symbols that cells may have: all of them first, then those of cells."""
    allowed_in = -_crossing(length, limits.brackets, workspace).astype(np.int32)
    sets = [np.ones(relaxation.symbols, np.bool_)]
    for (start, end), labels in limits.labels.items():
        if allowed_in[cell_number(start, end)] == 0:
            allowed_in[cell_number(start, end)] = len(sets)
            sets.append(relaxation.symbols_of(labels))
    packed = np.packbits(_padded(np.array(sets)), axis=1, bitorder="little")
    return {"allowed": packed.view(np.uint64), "allowed_in": allowed_in}


def _padded(sets: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return rows with whole words of bits."""
    return np.pad(sets, ((0, 0), (0, -sets.shape[1] % WORD)))


def _crossing(
    length: int, brackets: Collection[Bracket], workspace: ChartWorkspace
) -> NDArray[np.bool_]:
    """Return which cells cross a bracket: they overlap, and neither is inside the other."""
    crossing = workspace.filled("crossing", length * (length + 1) // 2, np.bool_, False)
    if not brackets:
        return crossing
    last_end, first_start = np.zeros(length + 1, np.int64), np.full(length + 1, length)
    for start, end in brackets:
        last_end[start] = max(last_end[start], end)
        first_start[end] = min(first_start[end], start)
    last_end[0], first_start[length] = length + 1, -1  # no cell crosses these two
    # For each left end of a cell, the first end of a bracket that starts before it.
    places = np.arange(1, length + 1)
    first_end = np.array([left + (first_start[left:] < left - 1).argmax() for left in places])
    for right in range(1, length + 1):
        # The last start of a bracket that ends after the cell.
        last_start = np.flatnonzero(last_end[:right] > right)[-1]
        is_crossing = (places[:right] <= last_start) | (first_end[:right] < right)
        first = right * (right - 1) // 2  # see `cell_number`
        crossing[first : first + right] = is_crossing[::-1]
    return crossing


def _starting(relaxation: Relaxation, length: int, workspace: ChartWorkspace) -> Bits:
    """Return the symbols that may start at each position; only the first one is filled in."""
    starting = workspace.array("starting", (length + 1, len(relaxation.starting_first)), np.uint64)
    starting[0] = relaxation.starting_first
    starting[1:] = 0
    return starting


def _ending(
    relaxation: Relaxation, scan_start: Int32, scan_symbol: Int32, workspace: ChartWorkspace
) -> Bits:
    """Return the symbols that may end at each position, by the tags of the next token."""
    length = len(scan_start) - 1
    ending = workspace.array("ending", (length + 1, len(relaxation.ending_last)), np.uint64)
    for position, (start, end) in enumerate(pairwise(scan_start.tolist())):
        ending[position] = relaxation.ending_before(tuple(scan_symbol[start:end].tolist()))
    ending[length] = relaxation.ending_last
    return ending


def rounded_up(ceiling: float) -> float:
    """Return a ceiling that rounding errors in sums do not exceed."""
    return ceiling * (1 + 1e-9) + 1e-9


class MassBounds:
    """Upper bounds for the outside sums of items, by a relaxation that adds up equal rules.

    Different derivations have different images in this relaxation.
    """

    def __init__(self, relaxation: Relaxation) -> None:
        self._arrays = relaxation.arrays
        self._weights = np.exp(-relaxation.arrays.cost)
        chains = _unary_chains(relaxation)
        self._is_finite = chains is not None
        ordered = sorted(chains or [])
        self._chain_start = starts_of([below for below, _, _ in ordered], relaxation.symbols)
        self._chains = records(
            CHAIN,
            weight=[weight for _, _, weight in ordered],
            top=[top for _, top, _ in ordered],
        )

    def replace(self, estimates: Estimates) -> None:
        """Replace the outside cost of each entry by ``-log`` of its outside sum."""
        table = estimates.table
        size = int(table.cell_start[-1])
        if not self._is_finite:
            table.outside[:size] = -inf
            return
        scale = estimates.best / table.length  # so that the best derivation has weight 1
        inside, outside = np.zeros((2, size))
        outside[estimates.goal] = 1.0
        row = np.zeros(len(table.row))
        shared = (self._arrays, table, self._weights, self._chain_start, self._chains)
        sum_table_inside(*shared, np.exp(scale - table.scan_cost), row, inside)
        sum_table_outside(*shared, row, inside, outside)
        with np.errstate(divide="ignore"):
            lengths = table.length - _span_lengths(table)
            table.outside[:size] = scale * lengths - np.log(outside)


def lost_mass(forest: Forest, sums: Sums) -> float:
    """Return an upper bound for the probability mass that a forest lacks.

    The bound is a fraction of the mass of all derivations; it is 1 if nothing is known.

    Each derivation that is not in the forest has a lowest item that was not popped. These items are
    the frontier; their own derivations are in the forest. So the missing mass is at most the sum of
    the masses of these items, inside times outside. For an item of fan-out k whose derivations have
    the probabilities p(d), the mass is at most ``sum_d p(d) ** (1 / k)`` times the geometric mean
    of the outside sums of its components.

    Parameters
    ----------
    forest : Forest
        With bounds of the outside sums.
    sums : Sums
    """
    frontier = ~forest.is_popped
    fan_out = forest.compiled.arrays.labels["fan_out"][forest.label]
    edges = edges_of(forest)
    lost = 0.0
    for number in np.unique(fan_out[frontier]):
        inside = np.empty(len(forest.label))
        if sum_inside(edges._replace(cost=edges.cost / number), inside) >= 0:
            return 1.0
        items = frontier & (fan_out == number) & (inside > -inf)  # the others have no derivation
        log_mass = inside[items] - forest.outside[items] / number
        lost += float(np.exp(log_mass - sums.log_probability).sum())
    return lost / (1.0 + lost) if lost < inf else 1.0


def _span_lengths(table: RelaxationTable) -> Costs:
    """Return the number of tokens of the span of each entry."""
    lengths = np.concatenate([np.arange(1, right + 1) for right in range(1, table.length + 1)])
    return np.repeat(lengths.astype(np.float64), np.diff(table.cell_start))


def _unary_chains(relaxation: Relaxation) -> list[tuple[int, int, float]] | None:
    """Return child, top and weight of all chains of unary rules; None if a sum is infinite."""
    unary = relaxation.arrays.unary
    symbols = np.unique(np.concatenate([unary["child"], unary["mother"]]))
    below = np.searchsorted(symbols, unary["child"])
    above = np.searchsorted(symbols, unary["mother"])
    steps = np.zeros((len(symbols), len(symbols)))
    np.add.at(steps, (below, above), np.exp(-relaxation.arrays.cost[unary["rule"]]))
    try:
        paths = np.linalg.inv(np.eye(len(symbols)) - steps) - np.eye(len(symbols))
    except np.linalg.LinAlgError:
        return None
    if (paths < -1e-9).any():  # the inverse is not negative exactly if the sums are finite
        return None
    return [
        (int(symbols[child]), int(symbols[top]), float(paths[child, top]))
        for child, top in zip(*np.nonzero(paths > 0), strict=True)
    ]


def prune(forest: Forest, log_ratio: float) -> Forest:
    """Return an acyclic forest of the derivations that are not much worse than the best.

    They are up to ``e**log_ratio`` times less probable.

    In a cycle of unary rules, an item is kept only below items with higher costs, so that no item
    is below itself (see `most_constituents`). The best derivation is always kept. Equal edges,
    which come from items that were popped again, are kept once. The last item is the goal.
    """
    order, _ = settle(edges_of(forest))
    outside = np.full(len(order), np.inf)
    outside[forest.goal] = 0.0
    complete = np.empty(len(forest.edge_rule))
    fill_outside_costs(
        order,
        np.empty_like(order),
        forest.edge_start,
        forest.edge_left,
        forest.edge_right,
        forest.edge_cost,
        forest.cost,
        outside,
        complete,
    )
    ceiling = rounded_up(forest.cost[forest.goal] + log_ratio)
    mother = forest.edge_mother
    kept = np.flatnonzero((complete <= ceiling) & (complete < np.inf))  # infinite: in a cycle
    items = order[np.isin(order, mother[kept])]
    number = np.full(len(order) + 1, -1, np.int32)  # the last is for the child -1
    number[items] = np.arange(len(items), dtype=np.int32)
    columns = forest.edge_right, forest.edge_left, forest.edge_rule, number[mother]
    kept = kept[np.lexsort([column[kept] for column in columns])]
    kept = kept[first_rows(*(column[kept] for column in columns))]
    kept = kept[np.lexsort((kept, number[mother[kept]]))]  # in the order of the original forest
    return forest._replace(
        goal=int(number[forest.goal]),
        ceiling=ceiling,
        label=forest.label[items],
        bits=forest.bits[items],
        cost=forest.cost[items],
        outside=forest.outside[items],
        component=np.arange(len(items)),
        is_popped=forest.is_popped[items],
        edge_start=np.searchsorted(number[mother[kept]], np.arange(len(items) + 1)),
        edge_rule=forest.edge_rule[kept],
        edge_left=number[forest.edge_left[kept]],
        edge_right=number[forest.edge_right[kept]],
        edge_cost=forest.edge_cost[kept],
    )
