"""The chart as a hash table: an item is a label and a bit vector."""

from __future__ import annotations

import numpy as np

from plcfrs.chart.kernel import arrays
from plcfrs.chart.kernel.arrays import Bits, Chart, GrammarArrays, Int32
from plcfrs.chart.kernel.bits import next_clear, next_set
from plcfrs.chart.kernel.heap import push
from plcfrs.chart.kernel.jit import kernel
from plcfrs.chart.kernel.relaxation import cell_number, find_entry

# Costs that differ by less, relatively, are equal: the derivation that was found first stays.
TOLERANCE = 1e-12

_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_FOLD = np.uint64(32)


@kernel
def find_slot(table: Int32, labels: Int32, bits: Bits, item: int) -> int:
    """Return the slot of the item that is equal to another, or the empty slot where it belongs."""
    code = np.uint64(labels[item])
    for word in range(bits.shape[1]):
        code = (code ^ bits[item, word]) * _SPREAD
        code ^= code >> _FOLD
    mask: int = table.shape[0] - 1
    slot = int(np.int64(code & np.uint64(mask)))
    while table[slot] >= 0:
        other = table[slot]
        if labels[other] == labels[item]:
            word = 0
            while word < bits.shape[1] and bits[other, word] == bits[item, word]:
                word += 1
            if word == bits.shape[1]:
                break
        slot = (slot + 1) & mask
    return slot


@kernel
def fill_item_table(chart: Chart) -> None:
    """Enter all items into an empty hash table."""
    for item in range(chart.counters[arrays.ITEMS]):
        slot = find_slot(chart.item_table, chart.label, chart.bits, item)
        chart.item_table[slot] = item


@kernel
def has_room(chart: Chart) -> int:
    """Return 0 if one more item can be made and queued, else the status that says what is full."""
    if chart.counters[arrays.ITEMS] >= chart.label.shape[0]:
        return arrays.ITEMS_FULL
    if chart.counters[arrays.AGENDA] >= chart.agenda_item.shape[0]:
        return arrays.AGENDA_FULL
    return 0


@kernel
def outside_estimate(grammar: GrammarArrays, chart: Chart, item: int) -> float:
    """Return the sum of the outside costs of an item's components in the relaxation."""
    port = int(grammar.first_port[chart.label[item]])
    total = 0.0
    start = next_set(chart.bits, item, 0)
    while start >= 0:
        end = next_clear(chart.bits, item, start)
        entry = find_entry(chart.cell_start, chart.cell_symbol, cell_number(start, end), port)
        if entry < 0:
            return np.inf
        total += chart.cell_outside[entry]
        start = next_set(chart.bits, item, end)
        port += 1
    return total


@kernel
def deduce_item(
    grammar: GrammarArrays,
    chart: Chart,
    label: int,
    cost: float,
    rule: int,
    left: int,
    right: int,
) -> None:
    """Make or improve the item with the given label over the last row of `bits`, and queue it.

    The caller has written the span into the row behind the last item, and there is room. An item
    that is in no parse of the relaxation is not made. For an item of fan-out k and cost c, the
    cost of the best parse with it is at least (c + outside estimates) / k.
    """
    item = chart.counters[arrays.ITEMS]
    chart.label[item] = label
    slot = find_slot(chart.item_table, chart.label, chart.bits, item)
    known = chart.item_table[slot]
    if known >= 0:
        better = cost < chart.cost[known] - TOLERANCE * (1.0 + cost)
        if not better:
            return
        item = int(known)
        if chart.is_done[item]:
            chart.is_done[item] = False
            chart.counters[arrays.IMPROVED] += 1
    else:
        outside = 0.0
        if chart.is_guided:
            outside = outside_estimate(grammar, chart, item)
            if outside == np.inf:
                return
        chart.item_table[slot] = item
        chart.outside[item] = outside
        chart.is_done[item] = False
        chart.is_entered[item] = False
        chart.counters[arrays.ITEMS] += 1
    chart.cost[item] = cost
    chart.rule[item] = rule
    chart.left[item] = left
    chart.right[item] = right
    priority = cost
    if chart.is_guided:
        priority = (cost + chart.outside[item]) / grammar.fan_out[label]
    push(chart.agenda_cost, chart.agenda_item, chart.counters[arrays.AGENDA], priority, item)
    chart.counters[arrays.AGENDA] += 1
