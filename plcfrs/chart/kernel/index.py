"""The index of popped items by the beginnings and ends of their components.

A lookup by the adjacency in the yield function visits only the labels that begin or end at one
position, instead of all items of a label.
"""

from __future__ import annotations

import numpy as np

from plcfrs.chart.kernel import arrays
from plcfrs.chart.kernel.arrays import Chart, GrammarArrays, Int32, Int64, Records
from plcfrs.chart.kernel.bits import next_clear, next_set
from plcfrs.jit import inner_kernel, kernel, wide

_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_HIGH = np.uint64(32)  # the upper half of the bits, enough for tables of up to 2**32 slots


@inner_kernel
def bucket_of(length: int, role: int, left: int, right: int) -> int:
    """Return the bucket in which an item that plays a role finds its partners.

    Left and right are the end of the component for FOLLOWED_BY, its start for PRECEDED_BY, the gap
    for FILLED_BY, the component for FILLS, and 0 for APART_FROM.
    """
    side = length + 1
    if role == arrays.FOLLOWED_BY:
        return left
    if role == arrays.PRECEDED_BY:
        return side + left
    if role == arrays.FILLED_BY:
        return 2 * side + left * side + right
    if role == arrays.FILLS:
        return 2 * side + side * side + left * side + right
    return 2 * side + 2 * side * side


@inner_kernel
def _first_slot(key: int, mask: int) -> int:
    return int(np.int64((np.uint64(key) * _SPREAD) >> _HIGH)) & mask


@kernel
def group_slot(table: Int32, groups: Records, key: int) -> int:
    """Return the slot of a group in the hash table, or the empty slot where it belongs."""
    mask: int = table.shape[0] - 1
    slot = _first_slot(key, mask)
    while table[slot] >= 0 and groups[table[slot]]["key"] != key:
        slot = (slot + 1) & mask
    return slot


@inner_kernel
def pair_slot(pairs: Records, key: int) -> int:
    """Return the slot of a pair of row and port in the hash table, or an empty slot."""
    mask: int = pairs.shape[0] - 1
    slot = _first_slot(key, mask)
    while pairs[slot]["key"] >= 0 and pairs[slot]["key"] != key:
        slot = (slot + 1) & mask
    return slot


@kernel
def fill_pair_table(pairs: Records, keys: Int64) -> None:
    """Enter pairs, which are numbered from 0, into an empty hash table."""
    for number in range(keys.shape[0]):
        slot = pair_slot(pairs, keys[number])
        pairs[slot]["key"] = keys[number]
        pairs[slot]["value"] = number


@kernel
def fill_group_table(chart: Chart) -> None:
    """Enter all groups into an empty hash table."""
    for group in range(chart.counters[arrays.GROUPS]):
        slot = group_slot(chart.group_table, chart.groups, chart.groups[group]["key"])
        chart.group_table[slot] = group


@kernel
def empty_buckets(grammar: GrammarArrays, chart: Chart) -> None:
    """Remove all groups from the hash table and their buckets, the last first."""
    for group in range(chart.counters[arrays.GROUPS] - 1, -1, -1):
        slot = group_slot(chart.group_table, chart.groups, chart.groups[group]["key"])
        chart.group_table[slot] = -1
        bucket = chart.groups[group]["key"] // grammar.is_partner.shape[1]
        chart.buckets[bucket]["first"] = -1
        chart.buckets[bucket]["size"] = 0


@inner_kernel
def enter(grammar: GrammarArrays, chart: Chart, item: int) -> None:
    """Enter a popped item wherever a partner may look for it. There must be room."""
    length = chart.length
    label = chart.items[item]["label"]
    port = wide(grammar.labels[label]["first_port"])
    is_partner = grammar.is_partner
    zero = wide(0)
    if is_partner[arrays.APART_FROM, port]:
        _add(grammar, chart, item, port, bucket_of(length, arrays.APART_FROM, zero, zero))
    start = next_set(chart.bits, item, zero)
    while start >= 0:
        end = next_clear(chart.bits, item, start)
        following = next_set(chart.bits, item, end)
        if is_partner[arrays.FOLLOWED_BY, port]:
            _add(grammar, chart, item, port, bucket_of(length, arrays.FOLLOWED_BY, start, start))
        if is_partner[arrays.PRECEDED_BY, port]:
            _add(grammar, chart, item, port, bucket_of(length, arrays.PRECEDED_BY, end, end))
        if is_partner[arrays.FILLED_BY, port]:
            _add(grammar, chart, item, port, bucket_of(length, arrays.FILLED_BY, start, end))
        if following >= 0 and is_partner[arrays.FILLS, port]:
            _add(grammar, chart, item, port, bucket_of(length, arrays.FILLS, end, following))
        start = following
        port += 1


@inner_kernel
def _add(grammar: GrammarArrays, chart: Chart, item: int, port: int, bucket: int) -> None:
    key = bucket * grammar.is_partner.shape[1] + port
    slot = group_slot(chart.group_table, chart.groups, key)
    group = int(chart.group_table[slot])
    if group < 0:
        group = chart.counters[arrays.GROUPS]
        chart.counters[arrays.GROUPS] += 1
        chart.group_table[slot] = group
        chart.groups[group]["key"] = key
        chart.groups[group]["first"] = -1
        chart.groups[group]["next"] = chart.buckets[bucket]["first"]
        chart.buckets[bucket]["first"] = group
        chart.buckets[bucket]["size"] += 1
    entry = chart.counters[arrays.ENTRIES]
    chart.counters[arrays.ENTRIES] += 1
    chart.entries[entry]["item"] = item
    chart.entries[entry]["next"] = chart.groups[group]["first"]
    chart.groups[group]["first"] = entry
