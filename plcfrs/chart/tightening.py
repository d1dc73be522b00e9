"""Tighter bounds for one sentence: multipliers that cancel in every derivation.

The component-split CFG forgets that the components of a constituent occur together. Lagrange
multipliers on this constraint (Held and Karp 1971; Rush et al. 2010 for parsing) shift cost between
the components of rules, on the forest of the relaxation's derivations up to a ceiling.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from math import inf
from sys import float_info

import numpy as np
from numpy.typing import NDArray

from plcfrs.chart.bounds import Relaxation
from plcfrs.chart.estimates import Estimates, rounded_up
from plcfrs.chart.kernel.arrays import Costs, Int32, Int64
from plcfrs.chart.kernel.bits import WORD
from plcfrs.chart.kernel.listing import (
    EDGE,
    Numbering,
    RelaxedForest,
    list_edges,
    list_nodes,
    node_over,
)
from plcfrs.chart.kernel.pruning import copy_kept, find_cheap, prune_sides
from plcfrs.chart.kernel.tightening import (
    Work,
    fill_forest_inside,
    fill_forest_outside,
    price,
    take_steps,
)

_FIRST_EDGES = 1 << 16
_MOST_EDGES = 1 << 22
_CLOSE = 0.1  # to the target

# Steps between two checks of the budget and of superfluous nodes. Most edges go at the first check.
_STEPS = 10
_FIRST_STEPS = 4


class TooManyEdgesError(Exception):
    """The forest of the relaxation up to a ceiling is too large to be worth it."""


class Tightening:
    """The forest of the relaxation up to a ceiling, and the costs of components.

    No parse costs less than `bound`, which comes from the costs of components in `shares`. A
    TooManyEdgesError is raised if there are too many edges.
    """

    def __init__(
        self,
        relaxation: Relaxation,
        estimates: Estimates,
        ceiling: float,
        check_time: Callable[[], None],
    ) -> None:
        self._relaxation = relaxation
        self._estimates = estimates
        self._ceiling = ceiling
        self._check_time = check_time
        self.bound = estimates.best
        self._raised = -inf  # the bound by the shares alone
        self.shares = estimates.shares.copy()
        self._forest = self._listed()
        self._cost = np.empty_like(relaxation.arrays.cost)
        self._instance = np.empty(len(self._cost), np.int32)
        self._price(np.arange(len(self._cost), dtype=np.int32))
        self._outside = np.empty(0)
        self._at_least = self._lower_bounds()
        # Lower bounds for the derivations of each node that are in no parse up to the ceiling.
        self._removed = ceiling - estimates.table.outside[self._forest.entry]

    def run(self, target: float) -> None:
        """Raise the bound to a target while that pays, and remove what is above the ceiling."""
        relaxation = self._relaxation
        steps = _STEPS if len(self._outside) else _FIRST_STEPS
        is_over = False
        while not is_over:
            self._check_time()
            work = self._work()
            before = self._raised
            raised = take_steps(
                relaxation.arrays,
                self._forest,
                relaxation.shifts,
                self.shares,
                work,
                target,
                steps,
            )
            self._raised = max(before, raised)
            self.bound = max(self.bound, min(raised, self._ceiling))
            self._prune(work)
            pays = steps < _STEPS or self._raised - before >= 0.1 * (target - before)
            is_over = target - self.bound < _CLOSE or not pays
            steps = _STEPS

    @property
    def entries(self) -> Int64:
        """The entries of the table that are in the forest."""
        return self._forest.entry

    def learn(self, least: Costs) -> None:
        """Raise the lower bounds of the entries to the bounds from the search."""
        self._estimates.raise_lower_bounds(self.entries, np.minimum(least, self._removed))

    def narrowed(self, bound: float, ceiling: float) -> Tightening:
        """Return the same for parses up to a lower ceiling, with all lower bounds found so far."""
        near = copy(self)
        near.bound, near._ceiling = bound, ceiling
        near._at_least = np.maximum(self._at_least, self._lower_bounds())
        near._prune(near._work())
        return near

    def apply(self) -> None:
        """Replace the outside costs of the estimates, after `run`."""
        table = self._estimates.table
        forest = self._forest
        table.outside[forest.entry] = self._outside
        cell = np.searchsorted(table.cell_start, forest.entry, side="right") - 1
        symbol = table.symbols[forest.entry]
        bit = np.left_shift(np.uint64(1), (symbol % WORD).astype(np.uint64))
        table.reachable[:] = 0
        np.bitwise_or.at(table.reachable, (cell, symbol // WORD), bit)
        self._estimates.shares = self.shares
        self._estimates.ceiling = -inf  # the costs without these shares are lost

    def _listed(self) -> RelaxedForest:
        table = self._estimates.table
        size = int(table.cell_start[-1])
        cells = len(table.cell_start)
        forest = RelaxedForest(
            -1,
            np.empty(cells + 1, np.int64),
            np.empty(cells, np.int32),
            np.empty(cells, np.int32),
            np.empty(size, np.int64),
            np.empty(size),
            np.empty(0, np.int64),
            np.empty(_FIRST_EDGES, EDGE),
        )
        numbering = Numbering(
            np.empty_like(table.reachable),
            np.empty_like(table.first_entry),
            np.empty(size, np.int32),
        )
        ceiling = min(self._ceiling, float_info.max)  # missing children cost more
        count = list_nodes(table, ceiling, forest, numbering)
        nodes = int(forest.cell_start[count])
        order = self._order(forest.entry[:nodes], np.diff(forest.cell_start[: count + 1]))
        numbering.number[order] = np.arange(nodes)
        forest = forest._replace(
            goal=node_over(numbering, self._estimates.arrays.start, 0, table.length),
            cell_start=forest.cell_start[: count + 1].copy(),
            left=forest.left[:count].copy(),
            right=forest.right[:count].copy(),
            entry=forest.entry[order],
            scanned=forest.scanned[order],
            edge_start=np.zeros(nodes + 1, np.int64),
        )
        cell = 0
        while cell < count:
            self._check_time()
            listed = list_edges(self._estimates.arrays, table, ceiling, forest, numbering, cell)
            if listed < 0:
                if len(forest.edges) >= _MOST_EDGES:
                    raise TooManyEdgesError
                self._estimates.workspace.check_room(3 * forest.edges.nbytes)
                edges = np.empty(2 * len(forest.edges), EDGE)
                edges[: len(forest.edges)] = forest.edges
                forest = forest._replace(edges=edges)
            else:
                cell = listed
        return forest._replace(edges=forest.edges[: forest.edge_start[-1]].copy())

    def _order(self, entries: Int64, sizes: Int64) -> Int64:
        """Return the order of the nodes of cells: by cycles of unary rules, then by their costs."""
        table = self._estimates.table
        cell = np.repeat(np.arange(len(sizes)), sizes)
        cycle = self._estimates.arrays.cycle[table.symbols[entries]]
        # One key is sorted several times as fast as three.
        key = (cell * self._relaxation.symbols + cycle << 32) + table.inside[entries]
        return np.argsort(key, kind="stable")

    def _lower_bounds(self) -> Costs:
        """Return the lower bounds of nodes; the goal has none, because its bound is to rise."""
        bounds = self._estimates.lower_bounds(self.entries)
        bounds[self._forest.goal] = -inf
        return bounds

    def _price(self, rules: Int32) -> None:
        price(self._relaxation.arrays, rules, self.shares, self._cost, self._instance)

    def _work(self) -> Work:
        nodes = len(self._forest.entry)
        return Work(
            self._cost,
            self._instance,
            self._at_least,
            np.empty(nodes),
            np.empty(nodes, np.int64),
            np.empty(nodes + 1, np.int32),
            np.zeros(len(self.shares), np.int32),
            np.empty(len(self.shares)),
        )

    def prune_sides(self) -> None:
        """Remove nodes and edges that have no partner on its proper side."""
        forest, relaxation = self._forest, self._relaxation
        is_live = np.ones(len(forest.edges), np.bool_)
        is_node, is_reached = np.empty((2, len(forest.entry)), np.bool_)
        sides = np.empty((2, len(self.shares)), np.int32)
        rule_of = np.repeat(
            np.arange(len(relaxation.rule_start) - 1, dtype=np.int32),
            np.diff(relaxation.rule_start),
        )
        prune_sides(
            self._estimates.arrays,
            forest,
            relaxation.rule_start,
            rule_of,
            sides[0],
            sides[1],
            is_live,
            is_node,
            is_reached,
        )
        if not is_node[forest.goal]:
            self.bound = self._ceiling
            is_node[forest.goal] = True
        self._keep(is_node, is_live)

    def _prune(self, work: Work) -> None:
        """Remove what is only in derivations above the ceiling."""
        forest, inside = self._forest, work.inside
        self._price(self._relaxation.shifts.priced)
        fill_forest_inside(forest, work)
        outside = np.empty(len(inside))
        fill_forest_outside(forest, self._cost, inside, outside)
        self._removed = np.minimum(self._removed, self._ceiling - outside)
        is_node, is_edge = (np.empty(len(each), np.bool_) for each in (inside, forest.edges))
        find_cheap(forest, self._cost, inside, outside, rounded_up(self._ceiling), is_node, is_edge)
        is_node[forest.goal] = True
        self._outside = outside[is_node]
        self._keep(is_node, is_edge)

    def _keep(self, is_node: NDArray[np.bool_], is_edge: NDArray[np.bool_]) -> None:
        """Keep only these nodes, and these edges between them; the goal must be one of them."""
        forest = self._forest
        self._estimates.raise_lower_bounds(forest.entry, np.minimum(self._at_least, self._removed))
        self._at_least = self._at_least[is_node]
        self._removed = self._removed[is_node]
        number = np.empty(len(is_node), np.int32)
        kept = RelaxedForest._make([-1, *map(np.empty_like, forest[1:])])
        cells = copy_kept(forest, is_node, is_edge, number, kept)
        nodes = kept.cell_start[cells]
        self._forest = RelaxedForest(
            int(number[forest.goal]),
            kept.cell_start[: cells + 1],
            kept.left[:cells],
            kept.right[:cells],
            kept.entry[:nodes],
            kept.scanned[:nodes],
            kept.edge_start[: nodes + 1],
            kept.edges[: kept.edge_start[nodes]],
        )
