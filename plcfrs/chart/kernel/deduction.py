"""Weighted deductive parsing (Nederhof 2003; Evang and Kallmeyer 2011, figures 2 and 3).

The item with the lowest priority is popped and joined with the popped items that interlock with it.
A run can pause between any two items, so that the caller can enlarge arrays and notice
interruptions.
"""

from __future__ import annotations

import numpy as np

from plcfrs.chart.kernel import arrays
from plcfrs.chart.kernel.agenda import pop
from plcfrs.chart.kernel.arrays import Chart, Costs, GrammarArrays, Int32
from plcfrs.chart.kernel.bits import ONE, ZERO, interlocks, next_clear, next_set
from plcfrs.chart.kernel.index import bucket_of, enter, group_slot, pair_slot
from plcfrs.chart.kernel.items import deduce_item, has_room, keep_edge, may_be_made
from plcfrs.jit import inner_kernel, kernel, wide

_NONE = -1


@kernel
def deduce(grammar: GrammarArrays, chart: Chart, most_items: int, ceiling: float) -> int:
    """Pop items until the goal is popped, or until all priorities are above a ceiling.

    Return FOUND; EXHAUSTED if the agenda is empty; BEYOND if all other items are above the ceiling;
    or, to be called again, PAUSED after `most_items`, or a status for a full array. A negative
    ceiling stops at the goal; a later call with a ceiling continues from there.
    """
    counters = chart.counters
    for _ in range(most_items):
        item = counters[arrays.PENDING]
        while item == _NONE and counters[arrays.AGENDA] > 0:
            if ceiling >= 0.0 and chart.agenda[0]["priority"] > ceiling:
                return arrays.BEYOND
            best = wide(chart.agenda[0]["item"])
            pop(chart.agenda, counters[arrays.AGENDA])
            counters[arrays.AGENDA] -= 1
            if not chart.items[best]["is_done"]:
                item = best
                counters[arrays.POPPED] += 1
        if item == _NONE:
            return arrays.EXHAUSTED
        counters[arrays.PENDING] = item
        if ceiling < 0.0 and item == counters[arrays.GOAL]:
            return arrays.FOUND
        edges = counters[arrays.EDGES]
        pair_tests = counters[arrays.PAIR_TESTS]
        kept = counters[arrays.KEPT]
        status = _expand(grammar, chart, item)
        if status != 0:
            counters[arrays.EDGES] = edges
            counters[arrays.PAIR_TESTS] = pair_tests
            counters[arrays.KEPT] = kept
            return status
        if not chart.items[item]["is_entered"]:
            enter(grammar, chart, item)
            chart.items[item]["is_entered"] = True
        chart.items[item]["is_done"] = True
        counters[arrays.PENDING] = _NONE
    return arrays.PAUSED


@kernel
def scan(
    grammar: GrammarArrays, chart: Chart, positions: Int32, labels: Int32, costs: Costs
) -> None:
    """Put the items of tags over single tokens on the agenda. There must be room."""
    for number in range(positions.shape[0]):
        row = chart.counters[arrays.ITEMS]
        for word in range(chart.bits.shape[1]):
            chart.bits[row, word] = ZERO
        position = positions[number]
        chart.bits[row, position >> 6] = ONE << np.uint64(position & 63)
        none = wide(_NONE)
        made = deduce_item(grammar, chart, wide(labels[number]), costs[number], none, none, none)
        if chart.keeps_edges and made >= 0:
            keep_edge(chart, made, none, none, none, costs[number])


@inner_kernel
def _expand(grammar: GrammarArrays, chart: Chart, item: int) -> int:
    """Deduce all that follows from an item and the popped ones; return 0 or a status."""
    label = chart.items[item]["label"]
    fan_out = grammar.labels[label]["fan_out"]
    # An item has at most five entries for each component.
    room = arrays.ROLES * int(fan_out)
    if chart.counters[arrays.ENTRIES] + room > chart.entries.shape[0]:
        return arrays.ENTRIES_FULL
    if chart.counters[arrays.GROUPS] + room > chart.groups.shape[0]:
        return arrays.GROUPS_FULL
    status = _deduce_unary(grammar, chart, item)
    zero = wide(0)
    length = chart.length
    port = wide(grammar.labels[label]["first_port"])
    if status == 0:
        bucket = bucket_of(length, arrays.APART_FROM, zero, zero)
        status = _join(grammar, chart, item, arrays.APART_FROM, port, bucket)
    start = next_set(chart.bits, item, zero)
    while start >= 0 and status == 0:
        end = next_clear(chart.bits, item, start)
        following = next_set(chart.bits, item, end)
        for role in (arrays.FOLLOWED_BY, arrays.PRECEDED_BY, arrays.FILLS, arrays.FILLED_BY):
            row = role * grammar.is_partner.shape[1] + port
            has_partners = grammar.row_start[row] < grammar.row_start[row + 1]
            if status != 0 or not has_partners or (role == arrays.FILLED_BY and following < 0):
                continue
            left = right = end
            if role == arrays.PRECEDED_BY:
                left = right = start
            elif role == arrays.FILLS:
                left = start
            elif role == arrays.FILLED_BY:
                right = following
            bucket = bucket_of(length, role, left, right)
            status = _join(grammar, chart, item, role, port, bucket)
        start = following
        port += 1
    return status


@inner_kernel
def _keeps_edges(chart: Chart, item: int) -> bool:
    """Return whether to keep the edges over an item: again only if some could exceed a limit."""
    is_new = not chart.items[item]["is_entered"]
    is_limited = chart.margin < np.inf or chart.ceiling < np.inf
    return bool(chart.keeps_edges and (is_new or is_limited))


@inner_kernel
def _deduce_unary(grammar: GrammarArrays, chart: Chart, item: int) -> int:
    label = chart.items[item]["label"]
    keeps = _keeps_edges(chart, item)
    for place in range(grammar.labels[label]["unary_start"], grammar.labels[label]["unary_end"]):
        status = has_room(chart)
        if status != 0:
            return status
        rule = wide(grammar.unary_rule[place])
        if not may_be_made(grammar, chart, rule, item, item):
            continue
        row = chart.counters[arrays.ITEMS]
        for word in range(chart.bits.shape[1]):
            chart.bits[row, word] = chart.bits[item, word]
        cost = chart.items[item]["cost"] + grammar.rules[rule]["cost"]
        mother = wide(grammar.rules[rule]["mother"])
        made = deduce_item(grammar, chart, mother, cost, rule, item, wide(_NONE))
        if keeps and made >= 0:
            keep_edge(chart, made, rule, item, wide(_NONE), grammar.rules[rule]["cost"])
        chart.counters[arrays.EDGES] += 1
    return 0


@inner_kernel
def _join(
    grammar: GrammarArrays, chart: Chart, item: int, role: int, port: int, bucket: int
) -> int:
    """Join an item with the partners in a bucket, starting from the shorter of two lists."""
    ports = grammar.is_partner.shape[1]
    row = role * ports + port
    first, last = wide(grammar.row_start[row]), wide(grammar.row_start[row + 1])
    if last - first <= chart.buckets[bucket]["size"]:
        for partner in range(first, last):
            key = bucket * ports + grammar.partners[partner]["port"]
            slot = group_slot(chart.group_table, chart.groups, key)
            group = wide(chart.group_table[slot])
            if group >= 0:
                status = _join_group(grammar, chart, item, group, partner)
                if status != 0:
                    return status
    elif first < last:
        group = wide(chart.buckets[bucket]["first"])
        while group >= 0:
            partner_port = chart.groups[group]["key"] - bucket * ports
            slot = pair_slot(grammar.pairs, row * ports + partner_port)
            if grammar.pairs[slot]["key"] >= 0:
                status = _join_group(grammar, chart, item, group, grammar.pairs[slot]["value"])
                if status != 0:
                    return status
            group = wide(chart.groups[group]["next"])
    return 0


@inner_kernel
def _join_group(grammar: GrammarArrays, chart: Chart, item: int, group: int, partner: int) -> int:
    """Apply the rules for a pair of ports to an item and each item of a group."""
    bits = chart.bits
    words = bits.shape[1]
    counters = chart.counters
    keeps = _keeps_edges(chart, item)
    entry = chart.groups[group]["first"]
    while entry >= 0:
        sister = int(chart.entries[entry]["item"])
        for place in range(
            grammar.partners[partner]["join_start"], grammar.partners[partner]["join_end"]
        ):
            counters[arrays.PAIR_TESTS] += 1
            rule = wide(grammar.join_rule[place] >> 1)
            if not may_be_made(grammar, chart, rule, item, sister):
                continue
            left, right = item, sister
            if grammar.join_rule[place] & 1:
                left, right = sister, item
            if grammar.rules[rule]["is_checked"] and not interlocks(
                grammar.rules[rule]["order"],
                grammar.rules[rule]["begins"],
                grammar.rules[rule]["length"],
                bits,
                left,
                right,
            ):
                continue
            status = has_room(chart)
            if status != 0:
                return status
            row = counters[arrays.ITEMS]
            for word in range(words):
                bits[row, word] = bits[left, word] | bits[right, word]
            cost = (
                chart.items[left]["cost"] + chart.items[right]["cost"] + grammar.rules[rule]["cost"]
            )
            mother = wide(grammar.rules[rule]["mother"])
            made = deduce_item(grammar, chart, mother, cost, rule, left, right)
            if keeps and made >= 0:
                keep_edge(chart, made, rule, left, right, grammar.rules[rule]["cost"])
            counters[arrays.EDGES] += 1
        entry = chart.entries[entry]["next"]
    return 0
