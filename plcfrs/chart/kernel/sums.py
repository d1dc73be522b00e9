"""Passes over a forest: inside and outside sums, and the derivation with the highest gain.

All sums are kept as natural logarithms. The sums of a component, a cycle of unary rules, solve
``x = b + U x``, where ``U`` has the probabilities of the rules inside the component and ``b`` the
sums from elsewhere: ``x = b + U+ b``, where ``U+`` adds up all paths. Only ``1 - p`` subtracts, so
no pivoting is needed, and ``1 - p`` is positive exactly if the sums are finite.

The sums over the derivations of the relaxation are upper bounds for the grammar. There,
probabilities are scaled by one factor for each token, so that they do not underflow or overflow.
"""

from __future__ import annotations

from math import exp, log  # also of a number of NumPy, which has its own exp
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plcfrs.chart.kernel.arrays import (
    Costs,
    Int32,
    Int64,
    Records,
    RelaxationArrays,
    RelaxationTable,
)
from plcfrs.chart.kernel.bits import ONE, ZERO, count, lowest
from plcfrs.chart.kernel.inside import LEAST_MISSING, cell_number
from plcfrs.chart.kernel.items import TOLERANCE
from plcfrs.chart.kernel.listing import entry_over
from plcfrs.jit import inner_kernel, kernel

_UNSETTLED = -np.inf


class Edges(NamedTuple):
    """A forest of I items, children before mothers, and E edges; see `plcfrs.chart.forest`."""

    component: Int64  # (I,) number of the component, ascending
    start: Int64  # (I + 1,) the edges of a mother in the next arrays
    left: Int32  # (E,) item of the first child, -1 for a scanned tag
    right: Int32  # (E,) item of the second child, -1 if there is none
    cost: Costs  # (E,) of the rule or the scanned tag


def sum_inside(edges: Edges, inside: Costs) -> int:
    """Fill in the logarithm of the sum over all derivations of each item.

    Return an item of a cycle with an infinite sum, or -1.
    """
    return _sum_inside(edges, inside, np.zeros(len(inside)), _room_for_paths(edges))


def sum_outside(edges: Edges, goal: int, inside: Costs, outside: Costs) -> None:
    """Fill in the logarithm of the sum over all complete derivations with a hole at each item."""
    total = np.zeros(len(outside))
    _sum_outside(edges, goal, inside, outside, total, _room_for_paths(edges))


def _room_for_paths(edges: Edges) -> Costs:
    """Return room for the paths in the largest component, and for a row more."""
    size = int(np.bincount(edges.component).max(initial=0))
    return np.empty((size + 1, size))


@kernel
def _sum_inside(edges: Edges, inside: Costs, total: Costs, room: Costs) -> int:
    """Fill in `inside`; `total` is 0 before."""
    items = inside.shape[0]
    first = 0
    while first < items:
        end = _end_of_component(edges, first)
        is_cyclic = False
        for item in range(first, end):
            inside[item] = -np.inf
            for edge in range(edges.start[item], edges.start[item + 1]):
                if _is_inside_component(edges, item, edge):
                    is_cyclic = True
                else:
                    term = _with_children(edges, inside, edge, -edges.cost[edge])
                    _add(inside, total, item, term)
        _take_logarithms(inside, total, first, end)
        if is_cyclic:
            paths = room[: end - first, : end - first]
            failed = _sum_paths(edges, first, paths)
            if failed >= 0:
                return first + failed
            _add_paths(paths, room[-1], inside, first, False)
        first = end
    return -1


@kernel
def _sum_outside(
    edges: Edges, goal: int, inside: Costs, outside: Costs, total: Costs, room: Costs
) -> None:
    """Fill in `outside`; `total` is 0 before."""
    items = outside.shape[0]
    for item in range(items):
        outside[item] = -np.inf
    _add(outside, total, goal, 0.0)
    end = items
    while end > 0:
        first = _start_of_component(edges, end)
        _take_logarithms(outside, total, first, end)
        paths = room[: end - first, : end - first]
        _sum_paths(edges, first, paths)
        _add_paths(paths, room[-1], outside, first, True)
        for item in range(first, end):
            for edge in range(edges.start[item], edges.start[item + 1]):
                left, right = edges.left[edge], edges.right[edge]
                above = outside[item] - edges.cost[edge]
                if right >= 0:
                    _add(outside, total, left, above + inside[right])
                    _add(outside, total, right, above + inside[left])
                elif left >= 0 and left < first:
                    _add(outside, total, left, above)
        end = first


@inner_kernel
def _end_of_component(edges: Edges, first: int) -> int:
    end = first + 1
    while end < edges.component.shape[0] and edges.component[end] == edges.component[first]:
        end += 1
    return end


@inner_kernel
def _start_of_component(edges: Edges, end: int) -> int:
    first = end - 1
    while first > 0 and edges.component[first - 1] == edges.component[end - 1]:
        first -= 1
    return first


@inner_kernel
def _is_inside_component(edges: Edges, item: int, edge: int) -> bool:
    left = edges.left[edge]
    return bool(left >= 0 and edges.component[left] == edges.component[item])


@inner_kernel
def _with_children(edges: Edges, values: Costs, edge: int, own: float) -> float:
    """Return the value of an edge plus the values of its children."""
    left, right = edges.left[edge], edges.right[edge]
    if left >= 0:
        own += values[left]
    if right >= 0:
        own += values[right]
    return own


@inner_kernel
def _add(peak: Costs, total: Costs, item: int, term: float) -> None:
    """Add ``exp(term)`` to the sum of an item, kept as ``exp(peak) * total``."""
    if term == -np.inf:
        return
    if term <= peak[item]:
        total[item] += exp(term - peak[item])
    else:
        total[item] = total[item] * exp(peak[item] - term) + 1.0
        peak[item] = term


@inner_kernel
def _take_logarithms(peak: Costs, total: Costs, first: int, end: int) -> None:
    for item in range(first, end):
        if total[item] > 0.0:
            peak[item] += log(total[item])


@inner_kernel
def _sum_paths(edges: Edges, first: int, paths: Costs) -> int:
    """Add up the probabilities of all paths of one or more unary rules in a component.

    This is Kleene's (1956) algorithm: items are allowed one by one as intermediate stops. The
    paths go from a child (column) to a mother (row). Return an item, counted from the first, on
    cycles with an infinite sum, or -1.
    """
    size = paths.shape[0]
    paths[:] = 0.0
    for row in range(size):
        for edge in range(edges.start[first + row], edges.start[first + row + 1]):
            if _is_inside_component(edges, first + row, edge):
                paths[row, edges.left[edge] - first] += exp(-edges.cost[edge])
    for stop in range(size):
        if paths[stop, stop] >= 1.0:
            return stop
        cycles = 1.0 / (1.0 - paths[stop, stop])
        for row in range(size):
            to_stop = paths[row, stop] * cycles
            if row != stop and to_stop > 0.0:
                for column in range(size):
                    paths[row, column] += to_stop * paths[stop, column]
        for column in range(size):
            paths[stop, column] *= cycles
    return -1


@inner_kernel
def _add_paths(paths: Costs, own: Costs, sums: Costs, first: int, is_downwards: bool) -> None:
    """Add to the sum of each item of a component the sums of the others along all paths.

    `own` gets the sums, divided by the largest one.
    """
    size = paths.shape[0]
    peak = -np.inf
    for row in range(size):
        peak = max(peak, sums[first + row])
    if peak == -np.inf:
        return
    for row in range(size):
        own[row] = exp(sums[first + row] - peak)
    for row in range(size):
        total = own[row]
        for column in range(size):
            total += own[column] * (paths[column, row] if is_downwards else paths[row, column])
        if total > 0.0:
            sums[first + row] = peak + log(total)


def choose_edges(edges: Edges, gain: Costs) -> Int64:
    """Choose for each item the edge to its derivation with the highest sum of gains over its items.

    Only derivations are considered in which no item of a component is below one that is settled
    earlier (see `settle`). Of equal gains the lower cost wins, then the first edge.
    """
    items = len(gain)
    order, _ = settle(edges)
    chosen = np.full(items, -1, np.int64)
    _choose_edges(edges, gain, order, np.full(items, _UNSETTLED), np.zeros(items), chosen)
    return chosen


@kernel
def _choose_edges(
    edges: Edges, gain: Costs, order: Int64, score: Costs, cost: Costs, chosen: Int64
) -> None:
    """Fill in `chosen`, which is -1 before; `score` is not settled."""
    for place in range(gain.shape[0]):
        item = order[place]
        highest = _UNSETTLED
        for edge in range(edges.start[item], edges.start[item + 1]):
            highest = max(highest, _score_of_edge(edges, score, edge))
        cost[item] = np.inf
        for edge in range(edges.start[item], edges.start[item + 1]):
            if _score_of_edge(edges, score, edge) >= highest - TOLERANCE * (1.0 + abs(highest)):
                edge_cost = _with_children(edges, cost, edge, edges.cost[edge])
                if chosen[item] < 0 or edge_cost < cost[item] * (1.0 - TOLERANCE):
                    chosen[item] = edge
                    cost[item] = edge_cost
        score[item] = gain[item] + _score_of_edge(edges, score, chosen[item])


@inner_kernel
def _score_of_edge(edges: Edges, score: Costs, edge: int) -> float:
    """Return the score of the children of an edge; -inf if one of them is not settled."""
    total = 0.0
    for child in (edges.left[edge], edges.right[edge]):
        if child >= 0:
            if score[child] == _UNSETTLED:
                return _UNSETTLED
            total += score[child]
    return total


def settle(edges: Edges) -> tuple[Int64, Costs]:
    """Return all items, children before mothers, and the Viterbi cost of each item.

    Items of a component are in the order of these costs.

    The next item of a component is the one with the cheapest edge to settled items (Knuth 1977). So
    the items of its best derivation come before each item, even if rules cost nothing.
    """
    items = len(edges.component)
    order, cost = np.empty(items, np.int64), np.full(items, np.inf)
    _settle(edges, order, cost, np.zeros(items, np.bool_))
    return order, cost


@kernel
def _settle(edges: Edges, order: Int64, cost: Costs, is_settled: NDArray[np.bool_]) -> None:
    """Fill in `order` and `cost`, which is infinite before; nothing is settled."""
    items = order.shape[0]
    first = 0
    while first < items:
        end = _end_of_component(edges, first)
        for place in range(first, end):
            best = -1
            lowest = np.inf
            for item in range(first, end):
                if is_settled[item]:
                    continue
                cheapest = np.inf
                for edge in range(edges.start[item], edges.start[item + 1]):
                    cheapest = min(cheapest, _with_children(edges, cost, edge, edges.cost[edge]))
                if best < 0 or cheapest < lowest:
                    best = item
                    lowest = cheapest
            order[place] = best
            cost[best] = lowest
            is_settled[best] = True
        first = end


@kernel
def sum_table_inside(
    relaxation: RelaxationArrays,
    table: RelaxationTable,
    weights: Costs,
    chain_start: Int32,
    chains: Records,
    scanned: Costs,
    row: Costs,
    inside: Costs,
) -> None:
    """Compute the sum over all derivations of each entry; `inside` is 0 everywhere before.

    The chains over a symbol start at `chain_start`; `weights` are probabilities in the order of
    `relaxation.cost`, and `scanned` are scaled probabilities.
    """
    for right in range(1, table.length + 1):
        for number in range(table.scan_start[right - 1], table.scan_start[right]):
            entry = entry_over(table, table.scan_symbol[number], right - 1, right)
            if entry >= 0:
                inside[entry] += scanned[number]
        for left in range(right - 1, -1, -1):
            cell = cell_number(left, right)
            first, last = table.cell_start[cell], table.cell_start[cell + 1]
            for entry in range(first, last):
                _apply_rules(relaxation, table, weights, left, right, entry, inside, inside, True)
                row[table.symbols[entry]] = inside[entry]
            for entry in range(first, last):
                symbol = table.symbols[entry]
                for chain in range(chain_start[symbol], chain_start[symbol + 1]):
                    above = entry_over(table, chains[chain]["top"], left, right)
                    if above >= 0:
                        inside[above] += chains[chain]["weight"] * row[symbol]


@kernel
def sum_table_outside(
    relaxation: RelaxationArrays,
    table: RelaxationTable,
    weights: Costs,
    chain_start: Int32,
    chains: Records,
    row: Costs,
    inside: Costs,
    outside: Costs,
) -> None:
    """Compute the sum over all complete derivations with a hole at each entry.

    The parameters are those of `sum_table_inside`; `outside` is 1 for the goal, else 0.
    """
    for right in range(table.length, 0, -1):
        for left in range(right):
            cell = cell_number(left, right)
            first, last = table.cell_start[cell], table.cell_start[cell + 1]
            for entry in range(first, last):
                row[table.symbols[entry]] = outside[entry]
            for entry in range(first, last):
                symbol = table.symbols[entry]
                for chain in range(chain_start[symbol], chain_start[symbol + 1]):
                    top = chains[chain]["top"]
                    if entry_over(table, top, left, right) >= 0:
                        outside[entry] += chains[chain]["weight"] * row[top]
            for entry in range(first, last):
                if outside[entry] > 0.0:
                    _apply_rules(
                        relaxation, table, weights, left, right, entry, inside, outside, False
                    )


@inner_kernel
def _apply_rules(
    relaxation: RelaxationArrays,
    table: RelaxationTable,
    weights: Costs,
    left: int,
    right: int,
    entry: int,
    inside: Costs,
    sums: Costs,
    is_upwards: bool,
) -> None:
    """Add up a mother over all its children, or pass its outside sum down to them."""
    symbol = table.symbols[entry]
    for group in range(relaxation.down_start[symbol], relaxation.down_start[symbol + 1]):
        word = relaxation.down_groups[group]["word"]
        mask = relaxation.down_groups[group]["mask"]
        child = relaxation.down_groups[group]["left"]
        block = table.left_block[left, child] - left
        partners = table.ended[right, word] & mask
        if table.left_block[left, child] < 0:
            partners = ZERO
        while partners != ZERO:
            place = lowest(partners)
            bit = ONE << np.uint64(place)
            partner = 64 * word + place
            beside = table.right_block[right, relaxation.right_number[partner]]
            weight = weights[relaxation.down_groups[group]["first"] + count(mask & (bit - ONE))]
            for middle in range(left + 1, right):
                if table.units[block + middle] + table.units[beside + middle] >= LEAST_MISSING:
                    continue
                one = entry_over(table, child, left, middle)
                other = entry_over(table, partner, middle, right)
                if is_upwards:
                    sums[entry] += weight * inside[one] * inside[other]
                else:
                    sums[one] += weight * sums[entry] * inside[other]
                    sums[other] += weight * sums[entry] * inside[one]
            partners ^= bit


@kernel
def choose_scored_edges(
    start: Int64, left: Int32, right: Int32, score: Costs, total: Costs, chosen: Int64
) -> None:
    """Choose for each item, children first, the edge to its derivation with the highest score.

    The edges of an item begin at `start` (I + 1,), their children are `left` and `right` (E,), -1
    for none; `score` (E,) is -inf for edges in no derivation. Output: `total` (I + 1,), with 0 for
    the child -1, and `chosen` (I,).
    """
    total[-1] = 0.0
    for item in range(len(chosen)):
        total[item] = -np.inf
        chosen[item] = -1
        for edge in range(start[item], start[item + 1]):
            value = score[edge] + total[left[edge]] + total[right[edge]]
            if chosen[item] < 0 or value > total[item]:
                total[item] = value
                chosen[item] = edge
