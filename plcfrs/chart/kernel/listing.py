"""The relaxation's derivations up to a ceiling, as a forest: its nodes and edges in flat arrays.

Outside Viterbi costs of the component-split CFG, up to a ceiling.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from plcfrs.chart.kernel import arrays
from plcfrs.chart.kernel.arrays import Costs, Int32, Int64, Records, RelaxationArrays, Table
from plcfrs.chart.kernel.inside import ONE, ZERO, cell_number, count, least_sum, lowest
from plcfrs.jit import inner_kernel, kernel

_LOW = np.int64(63)


@kernel
def fill_outside(relaxation: RelaxationArrays, table: Table, ceiling: float, patience: int) -> int:
    """Compute the cost of the best complete derivation with a hole at each entry.

    Costs are exact in derivations up to the ceiling, else too high or infinite. Before, the outside
    cost is 0 for the goal and infinite elsewhere, RIGHT is the length and LEFT is 0. Return FOUND;
    or, to be called again, PAUSED after `patience` cells.
    """
    counters = table.counters
    for _ in range(patience):
        right, left = counters[arrays.RIGHT], counters[arrays.LEFT]
        if right == 0:
            return arrays.FOUND
        if left == 0:
            enter_column(table, right)
        cell = cell_number(left, right)
        first, last = table.cell_start[cell], table.cell_start[cell + 1]
        is_reached = False
        for entry in range(first, last):
            is_reached |= table.entries[entry]["cost"] + table.entries[entry]["outside"] <= ceiling
        if is_reached:
            _close_downwards(relaxation, table, left, first, last, ceiling)
            _hand_down(relaxation, table, left, right, first, last, ceiling)
        _note_reachable(table, cell, first, last, ceiling)
        counters[arrays.LEFT] += 1
        if left == right - 1:
            leave_column(table, right)
            counters[arrays.RIGHT] = right - 1
            counters[arrays.LEFT] = 0
    return arrays.PAUSED


@kernel
def find_entry(cell_start: Int64, entries: Records, cell: int, symbol: int) -> int:
    """Return the entry of a symbol in a cell, or -1, by binary search."""
    low, high = int(cell_start[cell]), int(cell_start[cell + 1])
    while low < high:
        middle = (low + high) >> 1
        if entries[middle]["symbol"] < symbol:
            low = middle + 1
        else:
            high = middle
    if low < cell_start[cell + 1] and entries[low]["symbol"] == symbol:
        return low
    return -1


@inner_kernel
def enter_column(table: Table, right: int) -> None:
    """Record the symbols that end at a position as possible right children."""
    for left in range(right):
        cell = cell_number(left, right)
        for entry in range(table.cell_start[cell], table.cell_start[cell + 1]):
            enter_right(table, left, entry)


@inner_kernel
def enter_right(table: Table, left: int, entry: int) -> None:
    """Record an entry from a position to the current right end as a possible right child."""
    symbol = table.entries[entry]["symbol"]
    table.right_costs[symbol * table.length + left] = table.entries[entry]["cost"]
    table.right_entries[symbol * table.length + left] = entry
    table.ended[symbol >> 6] |= ONE << np.uint64(symbol & _LOW)


@inner_kernel
def leave_column(table: Table, right: int) -> None:
    """Forget the symbols that end at a position."""
    for left in range(right):
        cell = cell_number(left, right)
        for entry in range(table.cell_start[cell], table.cell_start[cell + 1]):
            symbol = table.entries[entry]["symbol"]
            table.ended[symbol >> 6] = ZERO
            table.right_costs[symbol * table.length + left] = np.inf


@inner_kernel
def entry_in_column(table: Table, symbol: int, left: int) -> int:
    """Return the entry of a symbol from a position to the current right end, or -1."""
    place = symbol * table.length + left
    return int(table.right_entries[place]) if table.right_costs[place] < np.inf else -1


@inner_kernel
def _note_reachable(table: Table, cell: int, first: int, last: int, ceiling: float) -> None:
    """Record the symbols of a cell that are in a complete derivation up to the ceiling."""
    for word in range(table.reachable.shape[1]):
        table.reachable[cell, word] = ZERO
    for entry in range(first, last):
        total = table.entries[entry]["cost"] + table.entries[entry]["outside"]
        if total <= ceiling:
            symbol = table.entries[entry]["symbol"]
            table.reachable[cell, symbol >> 6] |= ONE << np.uint64(symbol & _LOW)


@inner_kernel
def _close_downwards(
    relaxation: RelaxationArrays, table: Table, left: int, first: int, last: int, ceiling: float
) -> None:
    """Apply unary rules to the outside costs of a cell until nothing gets better."""
    entries = table.entries
    changed = True
    while changed:
        changed = False
        for entry in range(first, last):
            above = entries[entry]["outside"]
            if entries[entry]["cost"] + above > ceiling:
                continue
            symbol = entries[entry]["symbol"]
            for place in range(relaxation.over_start[symbol], relaxation.over_start[symbol + 1]):
                unary = relaxation.over[place]
                child = entry_in_column(table, relaxation.unary[unary]["child"], left)
                if child >= 0:
                    total = above + relaxation.cost[relaxation.unary[unary]["rule"]]
                    if total < entries[child]["outside"]:
                        entries[child]["outside"] = total
                        changed = True


@inner_kernel
def _hand_down(
    relaxation: RelaxationArrays,
    table: Table,
    left: int,
    right: int,
    first: int,
    last: int,
    ceiling: float,
) -> None:
    """Pass the outside costs of mothers down to all their left and right children."""
    entries = table.entries
    for entry in range(first, last):
        if entries[entry]["cost"] + entries[entry]["outside"] > ceiling:
            continue
        symbol = table.entries[entry]["symbol"]
        for group in range(relaxation.down_start[symbol], relaxation.down_start[symbol + 1]):
            word = relaxation.down_groups[group]["word"]
            mask = relaxation.down_groups[group]["mask"]
            partners = table.ended[word] & mask
            child = relaxation.down_groups[group]["left"]
            block = table.left_block[left, child] - left
            if table.left_block[left, child] < 0:
                continue
            while partners != ZERO:
                place = lowest(partners)
                bit = ONE << np.uint64(place)
                beside = (64 * word + place) * table.length
                rule = relaxation.down_groups[group]["first"] + count(mask & (bit - ONE))
                above = entries[entry]["outside"] + relaxation.cost[rule]
                partners ^= bit
                if above + least_sum(table, block, beside, left + 1, right) > ceiling:
                    continue
                for middle in range(left + 1, right):
                    cost = table.left_costs[block + middle]
                    other_cost = table.right_costs[beside + middle]
                    if above + cost + other_cost <= ceiling:
                        one = table.left_entries[block + middle]
                        other = table.right_entries[beside + middle]
                        entries[one]["outside"] = min(entries[one]["outside"], above + other_cost)
                        entries[other]["outside"] = min(entries[other]["outside"], above + cost)


EDGE = np.dtype(
    [
        ("left", np.int32),  # node
        ("right", np.int32),  # node, -1 for unary rules
        ("rule", np.int32),  # as numbered in `RelaxationArrays.instance_start`
    ],
    align=True,
)


class RelaxedForest(NamedTuple):
    """Derivations of the relaxation, with N nodes: symbols over spans.

    The children of a binary edge come before its mother. A *cell* has the nodes over one span.
    """

    goal: int  # node
    cell_start: Int64  # (cells + 1,) where the nodes of a cell start
    left: Int32  # (cells,) the span of a cell
    right: Int32  # (cells,)
    entry: Int64  # (N,) the entry of a node in the table
    scanned: Costs  # (N,) the cost of a scanned tag, otherwise infinite
    edge_start: Int64  # (N + 1,) where the edges of a node start: binary ones, then unary ones
    edges: Records  # EDGE


@kernel
def list_nodes(table: Table, ceiling: float, forest: RelaxedForest, node_of: Int32) -> int:
    """List the nodes of all cells and the node of each entry, or -1; return the number of cells.

    The outside costs must be exact up to the ceiling; the forest has room for all entries.
    """
    cells = nodes = 0
    entries = table.entries
    for right in range(1, table.length + 1):
        for left in range(right - 1, -1, -1):
            cell = cell_number(left, right)
            first = nodes
            for entry in range(table.cell_start[cell], table.cell_start[cell + 1]):
                node_of[entry] = -1
                if entries[entry]["cost"] + entries[entry]["outside"] <= ceiling:
                    node_of[entry] = nodes
                    forest.entry[nodes] = entry
                    forest.scanned[nodes] = np.inf
                    if left == right - 1:
                        symbol = entries[entry]["symbol"]
                        forest.scanned[nodes] = _scanned(table, left, symbol)
                    nodes += 1
            if nodes > first:
                forest.cell_start[cells] = first
                forest.left[cells] = left
                forest.right[cells] = right
                cells += 1
    forest.cell_start[cells] = nodes
    return cells


@inner_kernel
def _scanned(table: Table, position: int, symbol: int) -> float:
    cost = np.inf
    for number in range(table.scan_start[position], table.scan_start[position + 1]):
        if table.scan_symbol[number] == symbol:
            cost = min(cost, table.scan_cost[number])
    return cost


@kernel
def list_edges(
    relaxation: RelaxationArrays,
    table: Table,
    ceiling: float,
    forest: RelaxedForest,
    node_of: Int32,
    cell: int,
) -> int:
    """List the edges over the cells with the same right end as a first one; return the next cell.

    Return -1 if there is no room for all edges: then it is called again with more.
    """
    right = forest.right[cell]
    _enter_column(table, forest, cell)
    while cell < forest.right.shape[0] and forest.right[cell] == right:
        for node in range(forest.cell_start[cell], forest.cell_start[cell + 1]):
            edge = forest.edge_start[node]
            edge = _list_binary(relaxation, table, ceiling, forest, node_of, cell, node, edge)
            edge = _list_unary(relaxation, table, ceiling, forest, node_of, cell, node, edge)
            forest.edge_start[node + 1] = edge
            if edge > forest.edges.shape[0]:
                leave_column(table, right)
                return -1
        cell += 1
    leave_column(table, right)
    return cell


@inner_kernel
def _enter_column(table: Table, forest: RelaxedForest, cell: int) -> None:
    """Record the nodes that end where a cell ends as possible right children."""
    right = forest.right[cell]
    while cell < forest.right.shape[0] and forest.right[cell] == right:
        left = forest.left[cell]
        for node in range(forest.cell_start[cell], forest.cell_start[cell + 1]):
            enter_right(table, left, forest.entry[node])
        cell += 1


@inner_kernel
def _list_binary(
    relaxation: RelaxationArrays,
    table: Table,
    ceiling: float,
    forest: RelaxedForest,
    node_of: Int32,
    cell: int,
    node: int,
    edge: int,
) -> int:
    """List the binary edges of a node, and return the end of the list."""
    entries = table.entries
    left, right = forest.left[cell], forest.right[cell]
    symbol = entries[forest.entry[node]]["symbol"]
    for group in range(relaxation.down_start[symbol], relaxation.down_start[symbol + 1]):
        word = relaxation.down_groups[group]["word"]
        mask = relaxation.down_groups[group]["mask"]
        partners = table.ended[word] & mask
        child = relaxation.down_groups[group]["left"]
        if partners == ZERO or table.left_block[left, child] < 0:
            continue
        block = table.left_block[left, child] - left
        while partners != ZERO:
            place = lowest(partners)
            bit = ONE << np.uint64(place)
            beside = (64 * word + place) * table.length
            rule = relaxation.down_groups[group]["first"] + count(mask & (bit - ONE))
            above = entries[forest.entry[node]]["outside"] + relaxation.cost[rule]
            partners ^= bit
            if above + least_sum(table, block, beside, left + 1, right) > ceiling:
                continue
            for middle in range(left + 1, right):
                cost = table.left_costs[block + middle] + table.right_costs[beside + middle]
                if above + cost <= ceiling:
                    one = node_of[table.left_entries[block + middle]]
                    other = node_of[table.right_entries[beside + middle]]
                    if one >= 0:
                        edge = _add(forest, edge, one, other, rule)
    return edge


@inner_kernel
def _list_unary(
    relaxation: RelaxationArrays,
    table: Table,
    ceiling: float,
    forest: RelaxedForest,
    node_of: Int32,
    cell: int,
    node: int,
    edge: int,
) -> int:
    """List the unary edges of a node, and return the end of the list."""
    entries = table.entries
    symbol = entries[forest.entry[node]]["symbol"]
    for place in range(relaxation.over_start[symbol], relaxation.over_start[symbol + 1]):
        unary = relaxation.over[place]
        child = entry_in_column(table, relaxation.unary[unary]["child"], forest.left[cell])
        if child >= 0:
            rule = relaxation.unary[unary]["rule"]
            above = entries[forest.entry[node]]["outside"] + relaxation.cost[rule]
            if above + entries[child]["cost"] <= ceiling:
                edge = _add(forest, edge, node_of[child], -1, rule)
    return edge


@inner_kernel
def _add(forest: RelaxedForest, edge: int, left: int, right: int, rule: int) -> int:
    if edge < forest.edges.shape[0]:
        forest.edges[edge]["left"] = left
        forest.edges[edge]["right"] = right
        forest.edges[edge]["rule"] = rule
    return edge + 1
