"""Sums over chains of steps that read no word."""

from __future__ import annotations

from plcfrs.jit import inner_kernel, wide
from plcfrs.prefix.kernel.arrays import Floats, Int32, PrefixTable


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
