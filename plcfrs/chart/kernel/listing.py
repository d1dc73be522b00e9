"""Outside Viterbi costs of the component-split CFG, and its derivations up to a ceiling."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from plcfrs.chart.kernel import arrays
from plcfrs.chart.kernel.arrays import (
    Bits,
    Costs,
    Int32,
    Int64,
    Records,
    RelaxationArrays,
    RelaxationTable,
)
from plcfrs.chart.kernel.bits import ONE, ZERO, count, lowest
from plcfrs.chart.kernel.inside import LEAST_MISSING, cell_number, least_sum
from plcfrs.jit import inner_kernel, kernel

_LOW = np.int64(63)


@kernel
def fill_outside(
    relaxation: RelaxationArrays, table: RelaxationTable, ceiling: float, most_cells: int
) -> int:
    """Compute the cost of the best complete derivation with a hole at each entry.

    Costs are exact in derivations up to the ceiling, else too high or infinite. The caller sets the
    outside cost to 0 for the goal and to infinity elsewhere, RIGHT to the length and LEFT to 0.
    Return FOUND; or, to be called again, PAUSED after `most_cells`.
    """
    counters = table.counters
    for _ in range(most_cells):
        right, left = counters[arrays.RIGHT], counters[arrays.LEFT]
        if right == 0:
            return arrays.FOUND
        reached = _find_reached(relaxation, table, left, right, ceiling)
        _hand_down(relaxation, table, left, right, reached, ceiling)
        _note_reachable(table, cell_number(left, right), reached)
        counters[arrays.LEFT] += 1
        if left == right - 1:
            counters[arrays.RIGHT] = right - 1
            counters[arrays.LEFT] = 0
    return arrays.PAUSED


@kernel
def find_entry(present: Bits, first_entry: Int32, cell: int, symbol: int) -> int:
    """Return the entry of a symbol in a cell, or -1."""
    word = symbol >> 6
    bit = ONE << np.uint64(symbol & _LOW)
    if present[cell, word] & bit == ZERO:
        return -1
    return int(first_entry[cell, word] + count(present[cell, word] & (bit - ONE)))


@inner_kernel
def total_cost(table: RelaxationTable, entry: int) -> float:
    """Return the cost of the best complete derivation with an entry."""
    return float(table.unit * table.inside[entry] + table.outside[entry])


@inner_kernel
def units_below(table: RelaxationTable, cost: float) -> int:
    """Return a cost in units, below that of a missing symbol."""
    return int(min(np.floor(cost / table.unit), float(LEAST_MISSING - 1)))


@inner_kernel
def entry_over(table: RelaxationTable, symbol: int, left: int, right: int) -> int:
    """Return the entry of a symbol over a span, or -1."""
    return find_entry(table.present, table.first_entry, cell_number(left, right), symbol)


@inner_kernel
def _find_reached(
    relaxation: RelaxationArrays, table: RelaxationTable, left: int, right: int, ceiling: float
) -> int:
    """List the entries of a cell in complete derivations up to the ceiling; return their number.

    Unary rules are applied to outside costs until nothing gets better.
    """
    reached, outside = table.stack, table.outside
    cell = cell_number(left, right)
    number = 0
    for entry in range(table.cell_start[cell], table.cell_start[cell + 1]):
        reached[number] = entry
        number += int(total_cost(table, entry) <= ceiling)
    changed = True
    while changed:
        changed = False
        place = 0
        while place < number:
            entry = reached[place]
            place += 1
            symbol = table.symbols[entry]
            for over in range(relaxation.over_start[symbol], relaxation.over_start[symbol + 1]):
                unary = relaxation.over[over]
                child = entry_over(table, relaxation.unary[unary]["child"], left, right)
                total = outside[entry] + relaxation.cost[relaxation.unary[unary]["rule"]]
                if child >= 0 and total < outside[child]:
                    was_reached = total_cost(table, child) <= ceiling
                    outside[child] = total
                    changed = True
                    if not was_reached and total_cost(table, child) <= ceiling:
                        reached[number] = child
                        number += 1
    return number


@inner_kernel
def _note_reachable(table: RelaxationTable, cell: int, reached: int) -> None:
    """Record the symbols of a cell that are in a complete derivation up to the ceiling."""
    for word in range(table.reachable.shape[1]):
        table.reachable[cell, word] = ZERO
    for place in range(reached):
        symbol = table.symbols[table.stack[place]]
        table.reachable[cell, symbol >> 6] |= ONE << np.uint64(symbol & _LOW)


@kernel
def find_sides(table: RelaxationTable, starting: Bits, ending: Bits) -> None:
    """Add the symbols that start and end at each position in derivations up to the ceiling."""
    for right in range(1, table.length + 1):
        for left in range(right):
            cell = cell_number(left, right)
            for word in range(table.reachable.shape[1]):
                starting[left, word] |= table.reachable[cell, word]
                ending[right, word] |= table.reachable[cell, word]


@inner_kernel
def _hand_down(
    relaxation: RelaxationArrays,
    table: RelaxationTable,
    left: int,
    right: int,
    reached: int,
    ceiling: float,
) -> None:
    """Pass the outside costs of mothers down to all their left and right children."""
    inside, outside = table.inside, table.outside
    for number in range(reached):
        entry = table.stack[number]
        symbol = table.symbols[entry]
        for group in range(relaxation.down_start[symbol], relaxation.down_start[symbol + 1]):
            word = relaxation.down_groups[group]["word"]
            mask = relaxation.down_groups[group]["mask"]
            partners = table.ended[right, word] & mask
            child = relaxation.down_groups[group]["left"]
            block = table.left_block[left, child] - left
            if table.left_block[left, child] < 0:
                continue
            while partners != ZERO:
                place = lowest(partners)
                bit = ONE << np.uint64(place)
                partner = 64 * word + place
                beside = table.right_block[right, relaxation.right_number[partner]]
                rule = relaxation.down_groups[group]["first"] + count(mask & (bit - ONE))
                above = outside[entry] + relaxation.cost[rule]
                partners ^= bit
                most = units_below(table, ceiling - above)
                if least_sum(table, block, beside, left + 1, right) > most:
                    continue
                for middle in range(left + 1, right):
                    if table.units[block + middle] + table.units[beside + middle] <= most:
                        one = entry_over(table, child, left, middle)
                        other = entry_over(table, partner, middle, right)
                        outside[one] = min(outside[one], above + table.unit * inside[other])
                        outside[other] = min(outside[other], above + table.unit * inside[one])


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

    Children come before their mothers, except in cycles. A *cell* has the nodes over one span.
    """

    goal: int  # node
    cell_start: Int64  # (cells + 1,) where the nodes of a cell start
    left: Int32  # (cells,) the span of a cell
    right: Int32  # (cells,)
    entry: Int64  # (N,) the entry of a node in the table
    scanned: Costs  # (N,) the cost of a scanned tag, otherwise infinite
    edge_start: Int64  # (N + 1,) where the edges of a node start: binary ones, then unary ones
    edges: Records  # EDGE


class Numbering(NamedTuple):
    """Which symbols over a span are nodes, and their numbers."""

    nodes: Bits  # (cells, words) the symbols of a cell that are nodes
    first: Int32  # (cells, words) the place of the first of them in the next array
    number: Int32  # (N,) by cell and symbol


@kernel
def node_over(numbering: Numbering, symbol: int, left: int, right: int) -> int:
    """Return the node of a symbol over a span, or -1."""
    place = find_entry(numbering.nodes, numbering.first, cell_number(left, right), symbol)
    return int(numbering.number[place]) if place >= 0 else -1


@kernel
def list_nodes(
    table: RelaxationTable, ceiling: float, forest: RelaxedForest, numbering: Numbering
) -> int:
    """List the nodes of all cells by their symbols; return the number of cells.

    The outside costs must be exact up to the ceiling; the forest has room for all entries.
    """
    cells = nodes = 0
    for right in range(1, table.length + 1):
        for left in range(right - 1, -1, -1):
            first = nodes
            for word in range(table.reachable.shape[1]):
                nodes = _list_word(table, ceiling, forest, numbering, left, right, word, nodes)
            if nodes > first:
                forest.cell_start[cells] = first
                forest.left[cells] = left
                forest.right[cells] = right
                cells += 1
    forest.cell_start[cells] = nodes
    return cells


@inner_kernel
def _list_word(
    table: RelaxationTable,
    ceiling: float,
    forest: RelaxedForest,
    numbering: Numbering,
    left: int,
    right: int,
    word: int,
    nodes: int,
) -> int:
    """List the nodes of 64 symbols over a span, after some others; return how many there are."""
    cell = cell_number(left, right)
    numbering.first[cell, word] = nodes
    numbering.nodes[cell, word] = ZERO
    waiting = table.reachable[cell, word]
    while waiting != ZERO:
        place = lowest(waiting)
        waiting &= waiting - ONE
        entry = entry_over(table, 64 * word + place, left, right)
        if total_cost(table, entry) <= ceiling:
            numbering.nodes[cell, word] |= ONE << np.uint64(place)
            forest.entry[nodes] = entry
            forest.scanned[nodes] = np.inf
            if left == right - 1:
                forest.scanned[nodes] = _scanned(table, left, 64 * word + place)
            nodes += 1
    return nodes


@inner_kernel
def _scanned(table: RelaxationTable, position: int, symbol: int) -> float:
    cost = np.inf
    for number in range(table.scan_start[position], table.scan_start[position + 1]):
        if table.scan_symbol[number] == symbol:
            cost = min(cost, table.scan_cost[number])
    return cost


@kernel
def list_edges(
    relaxation: RelaxationArrays,
    table: RelaxationTable,
    ceiling: float,
    forest: RelaxedForest,
    numbering: Numbering,
    cell: int,
) -> int:
    """List the edges over the cells with the same right end as a first one; return the next cell.

    Return -1 if there is no room for all edges: then it is called again with more.
    """
    right = forest.right[cell]
    _find_ending(table, right)
    while cell < forest.right.shape[0] and forest.right[cell] == right:
        for node in range(forest.cell_start[cell], forest.cell_start[cell + 1]):
            edge = forest.edge_start[node]
            edge = _list_binary(relaxation, table, ceiling, forest, numbering, cell, node, edge)
            edge = _list_unary(relaxation, table, ceiling, forest, numbering, cell, node, edge)
            forest.edge_start[node + 1] = edge
            if edge > forest.edges.shape[0]:
                return -1
        cell += 1
    return cell


@inner_kernel
def _find_ending(table: RelaxationTable, right: int) -> None:
    """Find the symbols that end at a position in derivations up to the ceiling."""
    for word in range(table.ended_reachable.shape[0]):
        table.ended_reachable[word] = ZERO
        for left in range(right):
            table.ended_reachable[word] |= table.reachable[cell_number(left, right), word]


@inner_kernel
def _list_binary(
    relaxation: RelaxationArrays,
    table: RelaxationTable,
    ceiling: float,
    forest: RelaxedForest,
    numbering: Numbering,
    cell: int,
    node: int,
    edge: int,
) -> int:
    """List the binary edges of a node, and return the end of the list."""
    left, right = forest.left[cell], forest.right[cell]
    symbol = table.symbols[forest.entry[node]]
    for group in range(relaxation.down_start[symbol], relaxation.down_start[symbol + 1]):
        word = relaxation.down_groups[group]["word"]
        mask = relaxation.down_groups[group]["mask"]
        partners = table.ended_reachable[word] & mask
        child = relaxation.down_groups[group]["left"]
        if partners == ZERO or table.left_block[left, child] < 0:
            continue
        block = table.left_block[left, child] - left
        while partners != ZERO:
            place = lowest(partners)
            bit = ONE << np.uint64(place)
            partner = 64 * word + place
            beside = table.right_block[right, relaxation.right_number[partner]]
            rule = relaxation.down_groups[group]["first"] + count(mask & (bit - ONE))
            above = table.outside[forest.entry[node]] + relaxation.cost[rule]
            partners ^= bit
            most = units_below(table, ceiling - above)
            if least_sum(table, block, beside, left + 1, right) > most:
                continue
            for middle in range(left + 1, right):
                if table.units[block + middle] + table.units[beside + middle] <= most:
                    one = node_over(numbering, child, left, middle)
                    other = node_over(numbering, partner, middle, right)
                    if one >= 0 and other >= 0:
                        edge = _add(forest, edge, one, other, rule)
    return edge


@inner_kernel
def _list_unary(
    relaxation: RelaxationArrays,
    table: RelaxationTable,
    ceiling: float,
    forest: RelaxedForest,
    numbering: Numbering,
    cell: int,
    node: int,
    edge: int,
) -> int:
    """List the unary edges of a node, and return the end of the list."""
    left, right = forest.left[cell], forest.right[cell]
    symbol = table.symbols[forest.entry[node]]
    for place in range(relaxation.over_start[symbol], relaxation.over_start[symbol + 1]):
        unary = relaxation.over[place]
        child = node_over(numbering, relaxation.unary[unary]["child"], left, right)
        if child >= 0:
            rule = relaxation.unary[unary]["rule"]
            above = table.outside[forest.entry[node]] + relaxation.cost[rule]
            if above + table.unit * table.inside[forest.entry[child]] <= ceiling:
                edge = _add(forest, edge, child, -1, rule)
    return edge


@inner_kernel
def _add(forest: RelaxedForest, edge: int, left: int, right: int, rule: int) -> int:
    if edge < forest.edges.shape[0]:
        forest.edges[edge]["left"] = left
        forest.edges[edge]["right"] = right
        forest.edges[edge]["rule"] = rule
    return edge + 1
