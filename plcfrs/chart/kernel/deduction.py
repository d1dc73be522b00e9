"""Weighted deductive parsing (Nederhof 2003; Evang and Kallmeyer 2011, figures 2 and 3).

The item with the lowest priority is popped and joined with the popped items that interlock
with it. The run can be stopped and taken up again between any two items, so that the
caller can enlarge arrays and notice interruptions.
"""

from __future__ import annotations

import numpy as np

from plcfrs.chart.kernel import arrays
from plcfrs.chart.kernel.arrays import Chart, Costs, GrammarArrays, Int32
from plcfrs.chart.kernel.bits import ONE, ZERO, interlocks, next_clear, next_set
from plcfrs.chart.kernel.heap import pop
from plcfrs.chart.kernel.index import bucket_of, enter, group_slot, pair_slot
from plcfrs.chart.kernel.items import deduce_item, has_room
from plcfrs.chart.kernel.jit import kernel, wide

_NONE = -1


@kernel
def deduce(grammar: GrammarArrays, chart: Chart, patience: int) -> tuple[int, int]:
    """Pop items until the goal is popped.

    Parameters
    ----------
    grammar : GrammarArrays
    chart : Chart
        With the scanned items on its agenda.
    patience : int
        Number of items to pop before returning.

    Returns
    -------
    status : int
        GOAL, EXHAUSTED (no parse), PAUSED, or which array is full; after these two, call again.
    item : int
        The goal item, else -1.
    """
    counters = chart.counters
    for _ in range(patience):
        item = counters[arrays.PENDING]
        while item == _NONE and counters[arrays.AGENDA] > 0:
            best = int(chart.agenda_item[0])
            pop(chart.agenda_cost, chart.agenda_item, counters[arrays.AGENDA])
            counters[arrays.AGENDA] -= 1
            if not chart.is_done[best]:
                item = best
        if item == _NONE:
            return arrays.EXHAUSTED, _NONE
        counters[arrays.PENDING] = item
        if _is_goal(grammar, chart, item):
            counters[arrays.POPPED] += 1
            return arrays.GOAL, item
        edges = counters[arrays.EDGES]
        pair_tests = counters[arrays.PAIR_TESTS]
        status = _expand(grammar, chart, item)
        if status != 0:
            counters[arrays.EDGES] = edges
            counters[arrays.PAIR_TESTS] = pair_tests
            return status, _NONE
        if not chart.is_entered[item]:
            enter(grammar, chart, item)
            chart.is_entered[item] = True
        chart.is_done[item] = True
        counters[arrays.PENDING] = _NONE
        counters[arrays.POPPED] += 1
    return arrays.PAUSED, _NONE


@kernel
def scan(
    grammar: GrammarArrays, chart: Chart, positions: Int32, labels: Int32, costs: Costs
) -> None:
    """Put the items of tags over single tokens on the agenda; there is room."""
    for number in range(positions.shape[0]):
        row = chart.counters[arrays.ITEMS]
        for word in range(chart.bits.shape[1]):
            chart.bits[row, word] = ZERO
        position = positions[number]
        chart.bits[row, position >> 6] = ONE << np.uint64(position & 63)
        none = wide(_NONE)
        deduce_item(grammar, chart, wide(labels[number]), costs[number], none, none, none)


@kernel
def _is_goal(grammar: GrammarArrays, chart: Chart, item: int) -> bool:
    if chart.label[item] != grammar.start:
        return False
    return next_clear(chart.bits, item, 0) == chart.length


@kernel
def _expand(grammar: GrammarArrays, chart: Chart, item: int) -> int:
    """Deduce all that follows from an item and the popped ones; return 0 or what is full."""
    label = chart.label[item]
    fan_out = grammar.fan_out[label]
    # An item has at most five entries a component.
    room = arrays.ROLES * int(fan_out)
    if chart.counters[arrays.ENTRIES] + room > chart.entry_item.shape[0]:
        return arrays.ENTRIES_FULL
    if chart.counters[arrays.GROUPS] + room > chart.group_key.shape[0]:
        return arrays.GROUPS_FULL
    status = _deduce_unary(grammar, chart, item)
    length = chart.length
    port = wide(grammar.first_port[label])
    if status == 0:
        bucket = bucket_of(length, arrays.APART_FROM, 0, 0)
        status = _join(grammar, chart, item, arrays.APART_FROM, port, bucket)
    start = next_set(chart.bits, item, 0)
    while start >= 0 and status == 0:
        end = next_clear(chart.bits, item, start)
        following = next_set(chart.bits, item, end)
        bucket = bucket_of(length, arrays.FOLLOWED_BY, end, end)
        status = _join(grammar, chart, item, arrays.FOLLOWED_BY, port, bucket)
        if status == 0:
            bucket = bucket_of(length, arrays.PRECEDED_BY, start, start)
            status = _join(grammar, chart, item, arrays.PRECEDED_BY, port, bucket)
        if status == 0:
            bucket = bucket_of(length, arrays.FILLS, start, end)
            status = _join(grammar, chart, item, arrays.FILLS, port, bucket)
        if status == 0 and following >= 0:
            bucket = bucket_of(length, arrays.FILLED_BY, end, following)
            status = _join(grammar, chart, item, arrays.FILLED_BY, port, bucket)
        start = following
        port += 1
    return status


@kernel
def _deduce_unary(grammar: GrammarArrays, chart: Chart, item: int) -> int:
    label = chart.label[item]
    for place in range(grammar.unary_start[label], grammar.unary_start[label + 1]):
        status = has_room(chart)
        if status != 0:
            return status
        rule = grammar.unary_rule[place]
        row = chart.counters[arrays.ITEMS]
        for word in range(chart.bits.shape[1]):
            chart.bits[row, word] = chart.bits[item, word]
        cost = chart.cost[item] + grammar.rule_cost[rule]
        mother = wide(grammar.rule_mother[rule])
        deduce_item(grammar, chart, mother, cost, wide(rule), item, wide(_NONE))
        chart.counters[arrays.EDGES] += 1
    return 0


@kernel
def _join(
    grammar: GrammarArrays, chart: Chart, item: int, role: int, port: int, bucket: int
) -> int:
    """Join an item with the partners in a bucket, starting from the shorter of two lists."""
    ports = grammar.is_partner.shape[1]
    row = role * ports + port
    first = grammar.row_start[row]
    last = grammar.row_start[row + 1]
    if last - first <= chart.bucket_size[bucket]:
        for partner in range(first, last):
            key = bucket * ports + grammar.partner_port[partner]
            group = chart.group_table[group_slot(chart.group_table, chart.group_key, key)]
            if group >= 0:
                status = _join_group(grammar, chart, item, group, partner)
                if status != 0:
                    return status
    elif first < last:
        group = chart.bucket_first[bucket]
        while group >= 0:
            partner_port = chart.group_key[group] - bucket * ports
            slot = pair_slot(grammar.pair_key, row * ports + partner_port)
            if grammar.pair_key[slot] >= 0:
                status = _join_group(grammar, chart, item, group, grammar.pair_value[slot])
                if status != 0:
                    return status
            group = chart.group_next[group]
    return 0


@kernel
def _join_group(grammar: GrammarArrays, chart: Chart, item: int, group: int, partner: int) -> int:
    """Apply the rules for a pair of ports to an item and all items of a group."""
    bits = chart.bits
    words = bits.shape[1]
    counters = chart.counters
    entry = chart.group_first[group]
    while entry >= 0:
        other = int(chart.entry_item[entry])
        for place in range(grammar.partner_start[partner], grammar.partner_start[partner + 1]):
            counters[arrays.PAIR_TESTS] += 1
            rule = grammar.join_rule[place] >> 1
            left, right = item, other
            if grammar.join_rule[place] & 1:
                left, right = other, item
            if grammar.rule_is_checked[rule] and not interlocks(
                grammar.rule_order[rule],
                grammar.rule_begins[rule],
                grammar.rule_length[rule],
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
            cost = chart.cost[left] + chart.cost[right] + grammar.rule_cost[rule]
            mother = wide(grammar.rule_mother[rule])
            deduce_item(grammar, chart, mother, cost, wide(rule), left, right)
            counters[arrays.EDGES] += 1
        entry = chart.entry_next[entry]
    return 0
