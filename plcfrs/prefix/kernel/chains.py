"""Sums over chains of steps that read no word."""

from __future__ import annotations

from plcfrs.jit import inner_kernel, wide
from plcfrs.prefix.kernel.arrays import Floats, Int32, PrefixTable

_ROUNDING = 1e-17


@inner_kernel
def sum_chains(
    starts: Int32, nodes: Int32, weights: Floats, table: PrefixTable, ranges: int, kind: int
) -> int:
    """Sum up the chains from what is pending, in `row`; return the number of nodes in `touched`."""
    touched = 0
    for place in range(_gather(table, ranges, kind)):
        source = table.giving[place]
        given = table.given[source]
        table.given[source] = 0.0
        for chain in range(starts[source], starts[source + 1]):
            target = nodes[chain]
            share = given * weights[chain]
            if share > 0.0 and table.row[target] == 0.0:
                table.touched[touched] = target
                touched += 1
            table.row[target] += share
    return touched


@inner_kernel
def _gather(table: PrefixTable, ranges: int, kind: int) -> int:
    """Sum up what is pending for each node, in `given`; return the number of nodes in `giving`."""
    number = 0
    entry = wide(table.ranges[ranges]["first"][kind])
    while entry >= 0:
        node = table.pending[entry]["node"]
        if table.given[node] == 0.0:
            table.giving[number] = node
            number += 1
        table.given[node] += table.pending[entry]["weight"]
        entry = wide(table.pending[entry]["next"])
    return number


@inner_kernel
def sum_steps(
    order: Int32,
    starts: Int32,
    nodes: Int32,
    weights: Floats,
    given: Floats,
    sums: Floats,
    waiting: Floats,
) -> None:
    """Sum up all chains of steps from what is given: what waits is handed on until nothing changes.

    All is positive, so that sums grow until what waits is lost in rounding. `waiting` is 0 before
    and after.
    """
    for node in range(given.shape[0]):
        sums[node] = 0.0
        waiting[node] = given[node]
    changed = True
    while changed:
        changed = False
        for place in range(order.shape[0]):
            node = order[place]
            share = waiting[node]
            waiting[node] = 0.0
            if share > sums[node] * _ROUNDING:
                changed = True
                for step in range(starts[place], starts[place + 1]):
                    waiting[nodes[step]] += share * weights[step]
            sums[node] += share
