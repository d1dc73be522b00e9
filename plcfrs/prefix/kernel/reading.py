"""Reading a word: which components end with it, and which may begin after it."""

from __future__ import annotations

import numpy as np

from plcfrs.jit import inner_kernel, kernel, wide
from plcfrs.prefix.kernel import arrays
from plcfrs.prefix.kernel.arrays import Int32, PrefixArrays, PrefixTable
from plcfrs.prefix.kernel.tables import (
    add,
    enter_ranges,
    find_ranges,
    forward,
    forward_key,
    forward_slot,
    mixed,
    slot_of,
)

_ZERO = np.uint64(0)
_ONE = np.uint64(1)


@kernel
def scan(grammar: PrefixArrays, table: PrefixTable, here: int, node: int, weight: float) -> None:
    """Begin with a tag of the word that ends here. There must be room."""
    row = table.counters[arrays.RANGES]
    table.bounds[row, 0] = here - 1
    table.bounds[row, 1] = here
    ranges = enter_ranges(table, wide(1), wide(0))
    add(wide(grammar.previous.shape[0]), table, wide(arrays.ENDING), ranges, node, weight)


@kernel
def complete(grammar: PrefixArrays, table: PrefixTable, size: int) -> int:
    """Sum up all that ends here and has some number of tokens; return a status."""
    ranges = wide(table.pending_first[arrays.ENDING, size])
    while ranges >= 0:
        status = _complete(grammar, table, ranges)
        if status != arrays.DONE:
            return status
        ranges = wide(table.ranges[ranges]["next"][arrays.ENDING])
    return arrays.DONE


@inner_kernel
def _complete(grammar: PrefixArrays, table: PrefixTable, ranges: int) -> int:
    """Add chains to what is pending in some ranges, and combine it with what is before."""
    touched = _sum_chains(
        grammar.up_start, grammar.up_node, grammar.up_weight, table, ranges, wide(arrays.ENDING)
    )
    if table.counters[arrays.INSIDE] + touched > table.inside.shape[0]:
        return _forget(table, touched, arrays.INSIDE_FULL)
    nodes = wide(grammar.previous.shape[0])
    prefix = wide(table.ranges[ranges]["prefix"])
    start = wide(table.bounds[ranges, 2 * table.ranges[ranges]["count"] - 2])
    first = last = wide(table.counters[arrays.INSIDE])
    for place in range(touched):
        node = wide(table.touched[place])
        if forward(table.forward_table, forward_key(nodes, prefix, start, node)) > 0.0:
            table.inside[last]["weight"] = table.row[node]
            table.inside[last]["node"] = node
            last += 1
        table.row[node] = 0.0
    table.counters[arrays.INSIDE] = last
    table.ranges[ranges]["inside_start"] = first
    table.ranges[ranges]["inside_end"] = last
    for place in range(first, last):
        node, weight = wide(table.inside[place]["node"]), float(table.inside[place]["weight"])
        status = _index(grammar, table, ranges, node, weight)
        if status == arrays.DONE:
            _open(grammar, table, prefix, start, node, weight)
            status = _join(grammar, table, ranges, node, weight)
        if status != arrays.DONE:
            return status
    return arrays.DONE


@inner_kernel
def _sum_chains(
    starts: arrays.Int32,
    nodes: arrays.Int32,
    weights: arrays.Floats,
    table: PrefixTable,
    ranges: int,
    kind: int,
) -> int:
    """Sum up the chains from what is pending in `row`; return the number of nodes."""
    touched = 0
    entry = table.ranges[ranges]["first"][kind]
    while entry >= 0:
        node = table.pending[entry]["node"]
        for place in range(starts[node], starts[node + 1]):
            target = nodes[place]
            share = table.pending[entry]["weight"] * weights[place]
            if share > 0.0 and table.row[target] == 0.0:
                table.touched[touched] = target
                touched += 1
            table.row[target] += share
        entry = table.pending[entry]["next"]
    return touched


@inner_kernel
def _forget(table: PrefixTable, touched: int, status: int) -> int:
    """Empty the scratch memory, and return a status."""
    for place in range(touched):
        table.row[table.touched[place]] = 0.0
    return status


@inner_kernel
def _index(grammar: PrefixArrays, table: PrefixTable, ranges: int, node: int, weight: float) -> int:
    """Enter a sum wherever a sister may look for it."""
    for index in range(grammar.index_start[node], grammar.index_start[node + 1]):
        if table.counters[arrays.INDEXED] >= table.indexed.shape[0]:
            return arrays.INDEX_FULL
        key = mixed(_ZERO, wide(index))
        for place in range(grammar.bound_start[index], grammar.bound_start[index + 1]):
            key = mixed(key, wide(table.bounds[ranges, grammar.bounds[place]]))
        hashed = int(np.int64(key >> _ONE))
        slot = slot_of(table.index_table, hashed)
        entry = table.counters[arrays.INDEXED]
        table.indexed[entry]["weight"] = weight
        table.indexed[entry]["index"] = index
        table.indexed[entry]["ranges"] = ranges
        table.indexed[entry]["next"] = table.index_table[slot]["value"]
        table.indexed[entry]["slot"] = slot
        table.index_table[slot]["key"] = hashed
        table.index_table[slot]["value"] = entry
        table.counters[arrays.INDEXED] += 1
    return arrays.DONE


@inner_kernel
def _open(
    grammar: PrefixArrays, table: PrefixTable, prefix: int, start: int, node: int, weight: float
) -> None:
    """Expect the sisters that come next and of which nothing is known."""
    nodes = wide(grammar.previous.shape[0])
    for place in range(grammar.opening_start[node], grammar.opening_start[node + 1]):
        mother = wide(grammar.openings[place]["mother"])
        outside = forward(table.forward_table, forward_key(nodes, prefix, start, mother))
        table.base[grammar.openings[place]["awaited"]] += (
            outside * weight * grammar.openings[place]["probability"]
        )


@inner_kernel
def _join(grammar: PrefixArrays, table: PrefixTable, ranges: int, node: int, weight: float) -> int:
    """Combine a sum with those of all sisters whose known components fit."""
    nodes = wide(grammar.previous.shape[0])
    for place in range(grammar.join_start[node], grammar.join_start[node + 1]):
        join = grammar.joins[place]
        key = mixed(_ZERO, wide(join["index"]))
        for tie in range(join["tie_start"], join["tie_end"]):
            key = mixed(key, wide(table.bounds[ranges, grammar.ties[tie]]))
        entry = wide(
            table.index_table[slot_of(table.index_table, int(np.int64(key >> _ONE)))]["value"]
        )
        while entry >= 0:
            others = wide(table.indexed[entry]["ranges"])
            row = wide(table.counters[arrays.RANGES])
            if row + 1 >= table.ranges.shape[0]:
                return arrays.RANGES_FULL
            count = 0
            if table.indexed[entry]["index"] == join["index"]:  # else two hashes are equal
                count = _compose(
                    join["order"],
                    join["begins"],
                    wide(join["length"]),
                    table.bounds,
                    row,
                    ranges,
                    others,
                )
            if count > 0:
                bounds = table.bounds
                prefix = find_ranges(table.range_table, table.ranges, bounds, row, count - 1)
                start = wide(bounds[row, 2 * count - 2])
                key_of_mother = forward_key(nodes, prefix, start, wide(join["mother"]))
                outside = forward(table.forward_table, key_of_mother) if prefix >= 0 else 0.0
                if outside > 0.0:
                    status = _combine(
                        grammar, table, place, entry, ranges, weight, outside, prefix, count
                    )
                    if status != arrays.DONE:
                        return status
            entry = wide(table.indexed[entry]["next"])
    return arrays.DONE


@inner_kernel
def _combine(
    grammar: PrefixArrays,
    table: PrefixTable,
    place: int,
    entry: int,
    ranges: int,
    weight: float,
    outside: float,
    prefix: int,
    count: int,
) -> int:
    """Enter what a sum and that of a sister make: known components, or an awaited one."""
    if table.counters[arrays.PENDING] >= table.pending.shape[0]:
        return arrays.PENDING_FULL
    nodes = wide(grammar.previous.shape[0])
    join = grammar.joins[place]
    others = wide(table.indexed[entry]["ranges"])
    sister = float(table.indexed[entry]["weight"])
    if not join["is_end"]:
        share = outside * weight * join["probability"]
        add(nodes, table, wide(arrays.BEGINNING), others, wide(join["sister_next"]), share)
        return arrays.DONE
    made = enter_ranges(table, count, prefix)
    mother = wide(join["mother"])
    both = weight * sister * join["probability"]
    add(nodes, table, wide(arrays.ENDING), made, mother, both)
    if join["child_next"] >= 0:
        rest = join["probability"] * sister
        return _keep(grammar, table, made, mother, wide(join["child_next"]), ranges, rest)
    if join["sister_next"] >= 0:
        rest = join["probability"] * weight
        return _keep(grammar, table, made, mother, wide(join["sister_next"]), others, rest)
    return arrays.DONE


@inner_kernel
def _compose(
    order: np.uint64, begins: np.uint64, length: int, bounds: Int32, row: int, left: int, right: int
) -> int:
    """Write the bounds of the mother into a row; return its components.

    0 if the bounds of the children do not fit.
    """
    of_left = of_right = 0
    count = end = 0
    for place in range(length):
        shift = np.uint64(place)
        if (order >> shift) & _ONE:
            begin, stop = bounds[right, of_right], bounds[right, of_right + 1]
            of_right += 2
        else:
            begin, stop = bounds[left, of_left], bounds[left, of_left + 1]
            of_left += 2
        if (begins >> shift) & _ONE:
            if count > 0 and begin <= end:
                return 0
            bounds[row, 2 * count] = begin
            count += 1
        elif begin != end:
            return 0
        end = stop
        bounds[row, 2 * count - 1] = end
    return count


@inner_kernel
def _keep(
    grammar: PrefixArrays,
    table: PrefixTable,
    made: int,
    mother: int,
    awaited: int,
    ranges: int,
    weight: float,
) -> int:
    """Keep how known components were made, for the time when the next one is awaited."""
    if table.counters[arrays.EDGES] >= table.edges.shape[0]:
        return arrays.EDGES_FULL
    key = made * grammar.previous.shape[0] + mother
    slot = slot_of(table.edge_table, key)
    edge = table.counters[arrays.EDGES]
    table.edges[edge]["weight"] = weight
    table.edges[edge]["awaited"] = awaited
    table.edges[edge]["ranges"] = ranges
    table.edges[edge]["next"] = table.edge_table[slot]["value"]
    table.edges[edge]["slot"] = slot
    table.edge_table[slot]["key"] = key
    table.edge_table[slot]["value"] = edge
    table.counters[arrays.EDGES] += 1
    return arrays.DONE


@kernel
def predict(grammar: PrefixArrays, table: PrefixTable, here: int, size: int) -> int:
    """Find what may begin here after some number of known tokens; return a status.

    Sizes go down to 0, since each leads to smaller ones.
    """
    if size == 0:
        return _predict_first(grammar, table, here)
    ranges = wide(table.pending_first[arrays.BEGINNING, size])
    while ranges >= 0:
        touched = _sum_chains(
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
    nodes = grammar.previous.shape[0]
    for node in range(nodes):
        table.frontier[node] = 0.0
    for node in range(nodes):
        if table.base[node] > 0.0:
            for place in range(grammar.down_start[node], grammar.down_start[node + 1]):
                target = grammar.down_node[place]
                table.frontier[target] += table.base[node] * grammar.down_weight[place]
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
