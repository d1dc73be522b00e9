"""What may begin after a word: awaited components and unknown symbols, over chains of steps."""

from __future__ import annotations

from plcfrs.jit import inner_kernel, kernel, wide
from plcfrs.prefix.kernel import arrays
from plcfrs.prefix.kernel.arrays import Floats, Int32, PrefixArrays, PrefixTable
from plcfrs.prefix.kernel.tables import add, find_ranges, forward_key, forward_slot, slot_of

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
    place: int,
    waiting: Floats,
) -> None:
    """Sum up all chains of steps from what is given: what waits is handed on until nothing changes.

    All is positive, so that the sums, a row of an array, grow until what waits is lost in rounding.
    `waiting` is 0 before and after.
    """
    for node in range(given.shape[0]):
        sums[place, node] = 0.0
        waiting[node] = given[node]
    changed = True
    while changed:
        changed = False
        for number in range(order.shape[0]):
            node = order[number]
            share = waiting[node]
            waiting[node] = 0.0
            if share > sums[place, node] * _ROUNDING:
                changed = True
                for step in range(starts[number], starts[number + 1]):
                    waiting[nodes[step]] += share * weights[step]
            sums[place, node] += share


@kernel
def predict(grammar: PrefixArrays, table: PrefixTable, here: int, size: int) -> int:
    """Find what may begin here after some number of known tokens; return a status.

    Sizes go down to 0, since each leads to smaller ones.
    """
    if size == 0:
        sum_steps(
            grammar.order,
            grammar.step_start,
            grammar.step_node,
            grammar.step_weight,
            table.base,
            table.begun,
            here,
            table.row,
        )
        return arrays.DONE
    ranges = wide(table.pending_first[arrays.BEGINNING, size])
    while ranges >= 0:
        touched = sum_chains(
            grammar.down_start,
            grammar.down_node,
            grammar.down_weight,
            table,
            ranges,
            wide(arrays.BEGINNING),
        )
        status = arrays.DONE
        for place in range(touched):
            node = wide(table.touched[place])
            outside = table.row[node]
            table.row[node] = 0.0
            if status == arrays.DONE:
                status = _enter_forward(grammar, table, ranges, here, node, outside)
            if status == arrays.DONE:
                status = _predict_children(grammar, table, ranges, node, outside)
        if status != arrays.DONE:
            return status
        ranges = wide(table.ranges[ranges]["next"][arrays.BEGINNING])
    return arrays.DONE


@inner_kernel
def _enter_forward(
    grammar: PrefixArrays, table: PrefixTable, ranges: int, here: int, node: int, weight: float
) -> int:
    if 2 * table.counters[arrays.FORWARD] >= table.forward_table.shape[0]:
        return arrays.FORWARD_FULL
    key = forward_key(wide(grammar.previous.shape[0]), ranges, here, node)
    slot = forward_slot(table.forward_table, key)
    if table.forward_table[slot]["weight"] < 0.0:
        table.counters[arrays.FORWARD] += 1
    table.forward_table[slot]["key"] = key
    table.forward_table[slot]["weight"] = weight
    return arrays.DONE


@inner_kernel
def _predict_children(
    grammar: PrefixArrays, table: PrefixTable, ranges: int, mother: int, outside: float
) -> int:
    """Find which children come first in an awaited component, if known ones are beside them."""
    for place in range(grammar.beside_start[mother], grammar.beside_start[mother + 1]):
        known = inside(table, ranges, wide(grammar.besides[place]["child"]))
        table.base[grammar.besides[place]["sister"]] += (
            outside * known * grammar.besides[place]["probability"]
        )
    key = ranges * grammar.previous.shape[0] + grammar.previous[mother]
    edge = table.edge_table[slot_of(table.edge_table, key)]["value"]
    while edge >= 0:
        if table.counters[arrays.PENDING] >= table.pending.shape[0]:
            return arrays.PENDING_FULL
        awaited, others = wide(table.edges[edge]["awaited"]), wide(table.edges[edge]["ranges"])
        weight = outside * table.edges[edge]["weight"]
        nodes = wide(grammar.previous.shape[0])
        add(nodes, table, wide(arrays.BEGINNING), others, awaited, weight)
        edge = table.edges[edge]["next"]
    return arrays.DONE


@inner_kernel
def inside(table: PrefixTable, ranges: int, node: int) -> float:
    """Return the sum of a node with some ranges; 0 if there is none."""
    for place in range(table.ranges[ranges]["inside_start"], table.ranges[ranges]["inside_end"]):
        if table.inside[place]["node"] == node:
            return float(table.inside[place]["weight"])
    return 0.0


@kernel
def whole(grammar: PrefixArrays, table: PrefixTable, length: int) -> float:
    """Return the sum of the start symbol over all tokens."""
    row = table.counters[arrays.RANGES]
    table.bounds[row, 0] = 0
    table.bounds[row, 1] = length
    ranges = find_ranges(table.range_table, table.ranges, table.bounds, wide(row), wide(1))
    return inside(table, ranges, wide(grammar.start)) if ranges >= 0 else 0.0
