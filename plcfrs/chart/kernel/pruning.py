"""Removing from the relaxation's forest what is in no parse.

A component of a rule can be in a parse only if other components of the same rule are found before
or after it, in the order of the rule. If nothing is left, there is no parse.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from plcfrs.chart.kernel.arrays import Costs, Int32, RelaxationArrays
from plcfrs.chart.kernel.listing import RelaxedForest
from plcfrs.jit import inner_kernel, kernel

Bools = NDArray[np.bool_]

_NEVER = 1 << 30


@kernel
def find_cheap(
    forest: RelaxedForest,
    cost: Costs,
    inside: Costs,
    outside: Costs,
    ceiling: float,
    is_node: Bools,
    is_edge: Bools,
) -> None:
    """Find the nodes and edges in derivations up to a ceiling."""
    edges = forest.edges
    for node in range(is_node.shape[0]):
        is_node[node] = inside[node] + outside[node] <= ceiling
        for edge in range(forest.edge_start[node], forest.edge_start[node + 1]):
            total = outside[node] + cost[edges[edge]["rule"]] + inside[edges[edge]["left"]]
            if edges[edge]["right"] >= 0:
                total += inside[edges[edge]["right"]]
            is_edge[edge] = total <= ceiling


@kernel
def copy_kept(
    forest: RelaxedForest, is_node: Bools, is_edge: Bools, number: Int32, kept: RelaxedForest
) -> int:
    """Copy some nodes, and the edges between them, to another forest; return the number of cells.

    The new forest has room for all; `number` gets the new number of each node, or -1.
    """
    nodes = edges = cells = 0
    kept.edge_start[0] = 0
    for cell in range(forest.left.shape[0]):
        first = nodes
        for node in range(forest.cell_start[cell], forest.cell_start[cell + 1]):
            number[node] = -1
            if is_node[node]:
                number[node] = nodes
                kept.entry[nodes] = forest.entry[node]
                kept.scanned[nodes] = forest.scanned[node]
                nodes += 1
        for node in range(forest.cell_start[cell], forest.cell_start[cell + 1]):
            if is_node[node]:
                edges = _copy_edges(forest, node, is_edge, number, kept, edges)
                kept.edge_start[number[node] + 1] = edges
        if nodes > first:
            kept.cell_start[cells] = first
            kept.left[cells] = forest.left[cell]
            kept.right[cells] = forest.right[cell]
            cells += 1
    kept.cell_start[cells] = nodes
    return cells


@inner_kernel
def _copy_edges(
    forest: RelaxedForest, node: int, is_edge: Bools, number: Int32, kept: RelaxedForest, edges: int
) -> int:
    """Copy edges of a node, and return the number of edges so far."""
    for edge in range(forest.edge_start[node], forest.edge_start[node + 1]):
        left, right = number[forest.edges[edge]["left"]], forest.edges[edge]["right"]
        is_kept = is_edge[edge] and left >= 0
        if right >= 0:
            right = number[right]
            is_kept &= right >= 0
        if is_kept:
            kept.edges[edges]["left"] = left
            kept.edges[edges]["right"] = right
            kept.edges[edges]["rule"] = forest.edges[edge]["rule"]
            edges += 1
    return edges


@kernel
def prune_sides(
    relaxation: RelaxationArrays,
    forest: RelaxedForest,
    rule_start: Int32,
    rule_of: Int32,
    first_end: Int32,
    last_start: Int32,
    is_live: Bools,
    is_node: Bools,
    is_reached: Bools,
) -> None:
    """Find the edges and nodes that may be in a parse; if there is none, the goal is left out.

    The components of each rule start at `rule_start`, and `rule_of` is the rule of each component.
    All edges are live before; the arrays by component and `is_reached` are scratch memory.
    """
    changed = True
    while changed:
        changed = False
        _derive(forest, is_live, is_node)
        _reach(forest, is_live, is_node, is_reached)
        _note_sides(relaxation, forest, first_end, last_start, is_live)
        for cell in range(forest.left.shape[0]):
            left, right = forest.left[cell], forest.right[cell]
            start = forest.edge_start[forest.cell_start[cell]]
            for edge in range(start, forest.edge_start[forest.cell_start[cell + 1]]):
                if is_live[edge] and not _has_partners(
                    relaxation,
                    rule_start,
                    rule_of,
                    first_end,
                    last_start,
                    forest.edges[edge]["rule"],
                    left,
                    right,
                ):
                    is_live[edge] = False
                    changed = True


@inner_kernel
def _derive(forest: RelaxedForest, is_live: Bools, is_node: Bools) -> None:
    """Find the nodes that can be derived by live edges."""
    edges = forest.edges
    for cell in range(forest.left.shape[0]):
        first, last = forest.cell_start[cell], forest.cell_start[cell + 1]
        for node in range(first, last):
            is_node[node] = forest.scanned[node] < np.inf
        changed = True
        while changed:
            changed = False
            for node in range(first, last):
                if is_node[node]:
                    continue
                for edge in range(forest.edge_start[node], forest.edge_start[node + 1]):
                    right = edges[edge]["right"]
                    is_derived = is_live[edge] and is_node[edges[edge]["left"]]
                    if is_derived and (right < 0 or is_node[right]):
                        is_node[node] = True
                        changed = True
                        break


@inner_kernel
def _reach(forest: RelaxedForest, is_live: Bools, is_node: Bools, is_reached: Bools) -> None:
    """Keep the derived nodes that are below the goal, and the edges between them."""
    edges = forest.edges
    for node in range(is_node.shape[0]):
        is_reached[node] = False
    is_reached[forest.goal] = is_node[forest.goal]
    for cell in range(forest.left.shape[0] - 1, -1, -1):
        changed = True
        while changed:
            changed = False
            for node in range(forest.cell_start[cell], forest.cell_start[cell + 1]):
                for edge in range(forest.edge_start[node], forest.edge_start[node + 1]):
                    left, right = edges[edge]["left"], edges[edge]["right"]
                    is_live[edge] &= is_node[left] and (right < 0 or is_node[right])
                    if not is_live[edge] or not is_reached[node]:
                        continue
                    if right >= 0:
                        is_reached[left] = True
                        is_reached[right] = True
                    elif not is_reached[left]:
                        is_reached[left] = True
                        changed = True
    for node in range(is_node.shape[0]):
        is_node[node] = is_reached[node]
        for edge in range(forest.edge_start[node], forest.edge_start[node + 1]):
            is_live[edge] &= is_node[node]


@inner_kernel
def _note_sides(
    relaxation: RelaxationArrays,
    forest: RelaxedForest,
    first_end: Int32,
    last_start: Int32,
    is_live: Bools,
) -> None:
    """Note where each component of a rule ends first, and where it starts last."""
    for share in range(first_end.shape[0]):
        first_end[share] = _NEVER
        last_start[share] = -1
    for cell in range(forest.left.shape[0]):
        first = forest.edge_start[forest.cell_start[cell]]
        for edge in range(first, forest.edge_start[forest.cell_start[cell + 1]]):
            if not is_live[edge]:
                continue
            rule = forest.edges[edge]["rule"]
            start, end = relaxation.instance_start[rule], relaxation.instance_start[rule + 1]
            for place in range(start, end):
                share = relaxation.instances[place]
                first_end[share] = min(first_end[share], forest.right[cell])
                last_start[share] = max(last_start[share], forest.left[cell])


@inner_kernel
def _has_partners(
    relaxation: RelaxationArrays,
    rule_start: Int32,
    rule_of: Int32,
    first_end: Int32,
    last_start: Int32,
    rule: int,
    left: int,
    right: int,
) -> bool:
    """Return whether a rule over a span stands for a component with others on their sides."""
    start, end = relaxation.instance_start[rule], relaxation.instance_start[rule + 1]
    if start == end:
        return True
    for place in range(start, end):
        share = relaxation.instances[place]
        has_all = True
        for other in range(rule_start[rule_of[share]], rule_start[rule_of[share] + 1]):
            if other < share and first_end[other] >= left:
                has_all = False
            if other > share and last_start[other] <= right:
                has_all = False
        if has_all:
            return True
    return False
