"""What may begin after a word: awaited components, and symbols of which nothing is known."""

from __future__ import annotations

from plcfrs.jit import inner_kernel, kernel, wide
from plcfrs.prefix.kernel import arrays
from plcfrs.prefix.kernel.arrays import PrefixArrays, PrefixTable
from plcfrs.prefix.kernel.chains import sum_chains, sum_steps
from plcfrs.prefix.kernel.tables import add, find_ranges, forward_key, forward_slot, slot_of


@kernel
def predict(grammar: PrefixArrays, table: PrefixTable, here: int, size: int) -> int:
    """Find what may begin here after some number of known tokens; return a status.

    Sizes go down to 0, since each leads to smaller ones.
    """
    if size == 0:
        return _predict_first(grammar, table, here)
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
def _predict_first(grammar: PrefixArrays, table: PrefixTable, here: int) -> int:
    """Find the symbols of which nothing is known that may begin here."""
    sum_steps(
        grammar.order,
        grammar.step_start,
        grammar.step_node,
        grammar.step_weight,
        table.base,
        table.frontier,
        table.row,
    )
    nodes = grammar.previous.shape[0]
    for node in range(nodes):
        if table.frontier[node] > 0.0:
            status = _enter_forward(
                grammar, table, wide(0), here, wide(node), float(table.frontier[node])
            )
            if status != arrays.DONE:
                return status
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
