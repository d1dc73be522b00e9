"""Outside costs of the relaxation for one sentence. They guide the search."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from math import inf
from sys import float_info
from typing import Any

import numpy as np

from plcfrs.chart.kernel import arrays
from plcfrs.chart.kernel.arrays import Bits, Costs, Int32, Table
from plcfrs.chart.kernel.bits import WORD
from plcfrs.chart.kernel.inside import cell_number, clear_table, fill_inside
from plcfrs.chart.kernel.outside import fill_outside, find_entry
from plcfrs.chart.relaxation import Relaxation
from plcfrs.chart.scanning import Scanned
from plcfrs.chart.workspace import Workspace

# Cells between two checks of the budget and of signals such as Ctrl-C.
_PATIENCE = 500
_FIRST_ENTRIES = 1 << 16

# The arrays without room for more, by the status of the kernel.
_FULL = {arrays.ENTRIES_FULL: ("entries",), arrays.GROUPS_FULL: ("left_costs", "left_entries")}


class Estimates:
    """Inside and outside costs of the component-split CFG for one sentence.

    `goal` is the entry of the start symbol over the sentence, -1 without a parse, and `best` its
    cost. Outside costs are exact for derivations up to `ceiling`, with the costs of components in
    `shares`. `look` is called from time to time, and raises an error when the budget is used up.
    """

    def __init__(
        self,
        relaxation: Relaxation,
        scanned: Scanned,
        workspace: Workspace,
        look: Callable[[], None],
        shares: Costs | None = None,
    ) -> None:
        self._shares = relaxation.shares if shares is None else shares
        self.arrays = relaxation.arrays if shares is None else relaxation.with_shares(shares)
        self.workspace = workspace
        self._look = look
        self.symbol_of = relaxation.arrays.symbol_of
        self.shares = self._shares
        self.table = _new_table(relaxation, scanned, workspace)
        status = arrays.PAUSED
        while status != arrays.FOUND:
            look()
            status = fill_inside(self.arrays, self.table, _PATIENCE)
            self._enlarge(_FULL.get(status, ()))
        goal = cell_number(0, scanned.length)
        start = relaxation.arrays.start
        self.goal = int(find_entry(self.table.cell_start, self.table.entries, goal, start))
        self.ceiling = -inf
        self.best = float(self.table.entries[self.goal]["cost"]) if self.goal >= 0 else inf

    def raise_ceiling(self, ceiling: float) -> None:
        """Have outside costs that are exact for all derivations with a cost up to a ceiling."""
        if ceiling <= self.ceiling:
            return
        table = self.table
        self.shares = self._shares
        table.entries["outside"][: table.cell_start[-1]] = inf
        table.entries["outside"][self.goal] = 0.0
        table.counters[[arrays.RIGHT, arrays.LEFT]] = table.length, 0
        finite = min(ceiling, float_info.max)
        while fill_outside(self.arrays, table, finite, _PATIENCE) != arrays.FOUND:
            self._look()
        self.ceiling = ceiling

    def close(self) -> None:
        """Prepare the memory for another sentence."""
        clear_table(self.table)

    def _enlarge(self, names: Iterable[str]) -> None:
        """Double the room in some arrays."""
        for name in names:
            larger: Any = self.workspace.doubled(f"table_{name}", getattr(self.table, name))
            self.table = self.table._replace(**{name: larger})


def _new_table(relaxation: Relaxation, scanned: Scanned, workspace: Workspace) -> Table:
    length, symbols = scanned.length, relaxation.symbols
    scan_symbol = relaxation.arrays.symbol_of[relaxation.first_port[scanned.labels]]
    scan_start = np.searchsorted(scanned.positions, np.arange(length + 1)).astype(np.int32)
    cells = length * (length + 1) // 2
    left_children = relaxation.arrays.left_children
    words = (symbols + WORD - 1) // WORD
    size = max(_FIRST_ENTRIES, symbols, 2 * length * left_children)
    array = workspace.array
    return Table(
        length=length,
        counters=np.array([1, 0, 0], np.int64),
        scan_start=scan_start,
        scan_symbol=scan_symbol,
        scan_cost=scanned.costs,
        starting=_starting(relaxation, length, workspace),
        ending=_ending(relaxation, scan_start, scan_symbol, workspace),
        cell_start=np.zeros(cells + 1, np.int64),
        reachable=array("reachable", (cells, words), np.uint64),
        entries=array("table_entries", size, arrays.ENTRY),
        started=array("started", (length, left_children), np.int32),
        started_count=np.zeros(length, np.int32),
        left_block=array("left_block", (length, left_children), np.int32, -1),
        left_costs=array("table_left_costs", size, np.float64),
        left_entries=array("table_left_entries", size, np.int32),
        ended=array("ended", words, np.uint64, 0),
        right_costs=array("right_costs", symbols * length, np.float64, inf),
        right_entries=array("right_entries", symbols * length, np.int32),
        row=array("row", symbols, np.float64, inf),
        present=array("present", words, np.uint64, 0),
        possible=array("possible", words, np.uint64),
        waiting=array("waiting", words, np.uint64),
        stack=array("stack", symbols, np.int32),
    )


def _starting(relaxation: Relaxation, length: int, workspace: Workspace) -> Bits:
    """Return the symbols that may start at each position; so far only those of the first one."""
    starting = workspace.array("starting", (length + 1, len(relaxation.starting_first)), np.uint64)
    starting[0] = relaxation.starting_first
    starting[1:] = 0
    return starting


def _ending(
    relaxation: Relaxation, scan_start: Int32, scan_symbol: Int32, workspace: Workspace
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
