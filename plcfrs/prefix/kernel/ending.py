"""Components that end with a word: of tags, and of all that they complete."""

from __future__ import annotations

import numpy as np

from plcfrs.jit import inner_kernel, kernel, wide
from plcfrs.prefix.kernel import arrays
from plcfrs.prefix.kernel.arrays import PrefixArrays, PrefixTable
from plcfrs.prefix.kernel.predicting import sum_chains
from plcfrs.prefix.kernel.tables import (
    add,
    add_to_recent,
    compose,
    composition,
    enter_ranges,
    forward,
    mixed,
    pending_key,
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
def complete(grammar: PrefixArrays, table: PrefixTable, size: int, least: float) -> int:
    """Sum up all that ends here and has some number of tokens; return a status.

    What has a probability up to `least`, given the prefix, is left out and added to `lost`.
    """
    ranges = wide(table.pending_first[arrays.ENDING, size])
    while ranges >= 0:
        status = _complete(grammar, table, ranges, least)
        if status != arrays.DONE:
            return status
        ranges = wide(table.ranges[ranges]["next"][arrays.ENDING])
    return arrays.DONE


@inner_kernel
def _complete(grammar: PrefixArrays, table: PrefixTable, ranges: int, least: float) -> int:
    """Add chains to what is pending in some ranges, and combine it with what is before."""
    touched = sum_chains(
        grammar.up_start, grammar.up_node, grammar.up_weight, table, ranges, wide(arrays.ENDING)
    )
    if table.counters[arrays.INSIDE] + touched > table.inside.shape[0]:
        return _forget(table, touched, arrays.INSIDE_FULL)
    if table.counters[arrays.RANGES] + 1 >= table.ranges.shape[0]:
        return _forget(table, touched, arrays.RANGES_FULL)
    prefix = wide(table.ranges[ranges]["prefix"])
    start = wide(table.bounds[ranges, 2 * table.ranges[ranges]["count"] - 2])
    first = last = wide(table.counters[arrays.INSIDE])
    for place in range(touched):
        node = wide(table.touched[place])
        weight = float(table.row[node])
        table.row[node] = 0.0
        probability = weight * forward(table.begun, table.forward_table, prefix, start, node)
        if probability <= least:
            table.lost[0] += probability
        else:
            table.inside[last]["weight"] = weight
            table.inside[last]["node"] = node
            last += 1
    table.counters[arrays.INSIDE] = last
    table.ranges[ranges]["inside_start"] = first
    table.ranges[ranges]["inside_end"] = last
    for place in range(first, last):
        node, weight = wide(table.inside[place]["node"]), float(table.inside[place]["weight"])
        status = _index(grammar, table, ranges, node, weight)
        if status == arrays.DONE:
            _open(grammar, table, prefix, start, node, weight)
            status = _join(grammar, table, ranges, node, weight, least)
        if status != arrays.DONE:
            return status
    return arrays.DONE


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
    """Expect the unknown sisters that come next."""
    for place in range(grammar.opening_start[node], grammar.opening_start[node + 1]):
        mother = wide(grammar.openings[place]["mother"])
        outside = forward(table.begun, table.forward_table, prefix, start, mother)
        table.base[grammar.openings[place]["awaited"]] += (
            outside * weight * grammar.openings[place]["probability"]
        )


@inner_kernel
def _join(
    grammar: PrefixArrays, table: PrefixTable, ranges: int, node: int, weight: float, least: float
) -> int:
    """Combine a sum with those of all sisters whose known components fit."""
    nodes = wide(grammar.previous.shape[0])
    for place in range(grammar.join_start[node], grammar.join_start[node + 1]):
        join = grammar.joins[place]
        shape, mother, is_end = wide(join["shape"]), wide(join["mother"]), join["is_end"]
        lookup = join["lookup"]
        index = grammar.lookups[lookup]["index"]
        if table.sisters[lookup]["ranges"] != ranges:
            _look_up(grammar, table, wide(lookup), ranges)
        entry = wide(table.sisters[lookup]["first"])
        while entry >= 0:
            others = wide(table.indexed[entry]["ranges"])
            product = weight * float(table.indexed[entry]["weight"]) * float(join["probability"])
            is_other = table.indexed[entry]["index"] != index  # two hashes are equal
            current = entry
            entry = wide(table.indexed[entry]["next"])
            slot = composition(
                grammar.shapes,
                table.composed,
                table.range_table,
                table.ranges,
                table.bounds,
                wide(table.counters[arrays.RANGES]),
                shape,
                ranges,
                others,
            )
            prefix = wide(table.composed[slot]["prefix"])
            if prefix < 0 or is_other:
                continue
            start = wide(table.composed[slot]["start"])
            outside = forward(table.begun, table.forward_table, prefix, start, mother)
            if outside * product <= least:
                table.lost[0] += outside * product
                continue
            if table.counters[arrays.PENDING] >= table.pending.shape[0]:
                return arrays.PENDING_FULL
            if is_end:
                made = wide(table.composed[slot]["made"])
                pending = pending_key(nodes, made, wide(arrays.ENDING), mother)
                added = add_to_recent(table.recent, table.pending, pending, product)
                if not added or join["child_next"] >= 0 or join["sister_next"] >= 0:
                    status = _make(grammar, table, place, current, slot, ranges, weight, added)
                    if status != arrays.DONE:
                        return status
            else:
                share = outside * weight * float(join["probability"])
                sister = wide(join["sister_next"])
                pending = pending_key(nodes, others, wide(arrays.BEGINNING), sister)
                if not add_to_recent(table.recent, table.pending, pending, share):
                    add(nodes, table, wide(arrays.BEGINNING), others, sister, share)
    return arrays.DONE


@inner_kernel
def _look_up(grammar: PrefixArrays, table: PrefixTable, lookup: int, ranges: int) -> None:
    """Find the sisters that share bounds with some ranges."""
    key = mixed(_ZERO, wide(grammar.lookups[lookup]["index"]))
    for tie in range(grammar.lookups[lookup]["tie_start"], grammar.lookups[lookup]["tie_end"]):
        key = mixed(key, wide(table.bounds[ranges, grammar.ties[tie]]))
    slot = slot_of(table.index_table, int(np.int64(key >> _ONE)))
    table.sisters[lookup]["ranges"] = ranges
    table.sisters[lookup]["first"] = table.index_table[slot]["value"]


@inner_kernel
def _make(
    grammar: PrefixArrays,
    table: PrefixTable,
    place: int,
    entry: int,
    slot: int,
    ranges: int,
    weight: float,
    added: bool,
) -> int:
    """Enter known components of a mother."""
    join = grammar.joins[place]
    others = wide(table.indexed[entry]["ranges"])
    made = wide(table.composed[slot]["made"])
    if made < 0:
        row = wide(table.counters[arrays.RANGES])
        if row + 2 >= table.ranges.shape[0]:
            return arrays.RANGES_FULL
        count = compose(grammar.shapes, table.bounds, row, wide(join["shape"]), ranges, others)
        made = enter_ranges(table, count, wide(table.composed[slot]["prefix"]))
        table.composed[slot]["made"] = made
    if not added:
        both = weight * table.indexed[entry]["weight"] * join["probability"]
        nodes = wide(grammar.previous.shape[0])
        add(nodes, table, wide(arrays.ENDING), made, wide(join["mother"]), both)
    return _keep(grammar, table, place, entry, made, ranges, weight)


@inner_kernel
def _keep(
    grammar: PrefixArrays,
    table: PrefixTable,
    place: int,
    entry: int,
    made: int,
    ranges: int,
    weight: float,
) -> int:
    """Keep how known components were made, for the time when the next one is awaited."""
    join = grammar.joins[place]
    if join["child_next"] >= 0:
        awaited, others = wide(join["child_next"]), ranges
        rest = float(table.indexed[entry]["weight"])
    elif join["sister_next"] >= 0:
        awaited, others = wide(join["sister_next"]), wide(table.indexed[entry]["ranges"])
        rest = weight
    else:
        return arrays.DONE
    if table.counters[arrays.EDGES] >= table.edges.shape[0]:
        return arrays.EDGES_FULL
    key = made * grammar.previous.shape[0] + wide(join["mother"])
    slot = slot_of(table.edge_table, key)
    edge = table.counters[arrays.EDGES]
    table.edges[edge]["weight"] = rest * join["probability"]
    table.edges[edge]["awaited"] = awaited
    table.edges[edge]["ranges"] = others
    table.edges[edge]["next"] = table.edge_table[slot]["value"]
    table.edges[edge]["slot"] = slot
    table.edge_table[slot]["key"] = key
    table.edge_table[slot]["value"] = edge
    table.counters[arrays.EDGES] += 1
    return arrays.DONE
