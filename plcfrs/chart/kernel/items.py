"""The chart as a hash table: an item is a label and a bit vector."""

from __future__ import annotations

import numpy as np

from plcfrs.chart.kernel import arrays
from plcfrs.chart.kernel.agenda import push
from plcfrs.chart.kernel.arrays import Bits, Chart, Costs, GrammarArrays, Int32, Records
from plcfrs.chart.kernel.bits import ONE, count, has, next_clear, next_set
from plcfrs.chart.kernel.inside import cell_number
from plcfrs.chart.kernel.listing import find_entry
from plcfrs.jit import inner_kernel, kernel, wide

# Costs with a smaller relative difference count as equal.
TOLERANCE = 1e-12

_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_FOLD = np.uint64(32)


@inner_kernel
def find_slot(table: Int32, items: Records, bits: Bits, item: int) -> int:
    """Return the slot of the item that equals another, or the empty slot where it belongs."""
    label = items[item]["label"]
    code = np.uint64(label)
    for word in range(bits.shape[1]):
        code = (code ^ bits[item, word]) * _SPREAD
        code ^= code >> _FOLD
    mask: int = table.shape[0] - 1
    slot = int(np.int64(code & np.uint64(mask)))
    while table[slot] >= 0:
        other = table[slot]
        if items[other]["label"] == label:
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
        slot = find_slot(chart.item_table, chart.items, chart.bits, item)
        chart.item_table[slot] = item


@inner_kernel
def has_room(chart: Chart) -> int:
    """Return 0 if one more item can be made and queued, otherwise a status."""
    if chart.counters[arrays.ITEMS] >= min(chart.items.shape[0], chart.max_items):
        return arrays.ITEMS_FULL
    if chart.counters[arrays.AGENDA] >= chart.agenda.shape[0]:
        return arrays.AGENDA_FULL
    if chart.keeps_edges and chart.counters[arrays.KEPT] >= chart.edges.shape[0]:
        return arrays.EDGES_FULL
    return 0


@inner_kernel
def keep_edge(chart: Chart, mother: int, rule: int, left: int, right: int, cost: float) -> None:
    """Keep an instance of a rule, with the rule's own cost. There must be room."""
    edge = chart.counters[arrays.KEPT]
    chart.edges[edge]["mother"] = mother
    chart.edges[edge]["rule"] = rule
    chart.edges[edge]["left"] = left
    chart.edges[edge]["right"] = right
    chart.edges[edge]["cost"] = cost
    chart.counters[arrays.KEPT] += 1


@inner_kernel
def may_be_made(grammar: GrammarArrays, chart: Chart, rule: int, item: int, sister: int) -> bool:
    """Return whether an item that a rule makes from one or two items may be in a parse.

    Most are in none. Of an item with gaps, only the first and the last component are checked.
    """
    if not chart.is_guided:
        return True
    start = wide(min(chart.items[item]["start"], chart.items[sister]["start"]))
    end = wide(max(chart.items[item]["end"], chart.items[sister]["end"]))
    first = wide(chart.symbol_of[grammar.rules[rule]["first_port"]])
    last = wide(chart.symbol_of[grammar.rules[rule]["last_port"]])
    if first == last:
        return has(chart.reachable[cell_number(start, end)], first)
    return has(chart.starting[start], first) and has(chart.ending[end], last)


@inner_kernel
def outside_estimate(grammar: GrammarArrays, chart: Chart, item: int) -> float:
    """Set the outside costs of an item's components; return the sum, infinite above the ceiling."""
    port = wide(grammar.labels[chart.items[item]["label"]]["first_port"])
    total = 0.0
    component = 0
    start = next_set(chart.bits, item, wide(0))
    while start >= 0:
        end = next_clear(chart.bits, item, start)
        cell, symbol = cell_number(start, end), wide(chart.symbol_of[port])
        if not has(chart.reachable[cell], symbol):
            return np.inf
        entry = find_entry(chart.present, chart.first_entry, cell, symbol)
        outside = chart.outside[entry]
        chart.outsides[item, component] = outside
        total += outside
        start = next_set(chart.bits, item, end)
        port += 1
        component += 1
    return total


@inner_kernel
def _add_parts(
    grammar: GrammarArrays, chart: Chart, item: int, rule: int, left: int, right: int
) -> None:
    """Set the cost of each component of an item, made by a rule from its children."""
    parts = chart.parts
    share = wide(grammar.rules[rule]["first_share"])
    order = grammar.rules[rule]["order"]
    begins = grammar.rules[rule]["begins"]
    component = -1
    left_component = right_component = 0
    for place in range(grammar.rules[rule]["length"]):
        shift = np.uint64(place)
        if (begins >> shift) & ONE:
            component += 1
            parts[item, component] = chart.shares[share + component]
        if (order >> shift) & ONE:
            parts[item, component] += parts[right, right_component]
            right_component += 1
        else:
            parts[item, component] += parts[left, left_component]
            left_component += 1


@inner_kernel
def _bound(chart: Chart, item: int, fan_out: int) -> float:
    """Return a lower bound for the cost of the best parse with an item."""
    bound = chart.parts[item, 0] + chart.outsides[item, 0]
    for component in range(1, fan_out):
        other = chart.parts[item, component] + chart.outsides[item, component]
        bound = max(bound, other)
    return float(bound)


@inner_kernel
def _end(chart: Chart, item: int) -> int:
    """Return the position after the last token of an item."""
    end = start = wide(0)
    while start >= 0:
        end = next_clear(chart.bits, item, start)
        start = next_set(chart.bits, item, end)
    return end


@inner_kernel
def _tokens(chart: Chart, item: int) -> int:
    """Return the number of tokens of an item."""
    tokens = 0
    for word in range(chart.bits.shape[1]):
        tokens += count(chart.bits[item, word])
    return tokens


@inner_kernel
def _attach_low(chart: Chart, item: int, cost: float, rule: int, left: int, right: int) -> int:
    """Replace the derivation of an item by one of the same cost if its first child is smaller.

    Return the item. Of children of equal size, the earlier rule wins. A binary rule replaces a
    unary one, but not the other way round, since rules without a cost may make a cycle.
    """
    existing = chart.items[item]
    if right < 0 or cost > existing["cost"] + TOLERANCE * (1.0 + cost):
        return item
    if existing["right"] >= 0:
        more = _tokens(chart, left) - _tokens(chart, wide(existing["left"]))
        if more > 0 or (more == 0 and rule >= existing["rule"]):
            return item
    existing["rule"] = rule
    existing["left"] = left
    existing["right"] = right
    return item


@kernel
def note_insides(grammar: GrammarArrays, chart: Chart, least: Costs) -> None:
    """Lower the costs of entries to those of the items without gaps that were found."""
    for item in range(chart.counters[arrays.ITEMS]):
        label = grammar.labels[chart.items[item]["label"]]
        if label["fan_out"] == 1:
            start = next_set(chart.bits, item, wide(0))
            cell = cell_number(start, next_clear(chart.bits, item, start))
            symbol = wide(chart.symbol_of[label["first_port"]])
            entry = find_entry(chart.present, chart.first_entry, cell, symbol)
            least[entry] = min(least[entry], chart.items[item]["cost"])


@kernel
def estimate_anew(grammar: GrammarArrays, chart: Chart) -> None:
    """Estimate all items again after the outside costs of the table have changed."""
    for item in range(chart.counters[arrays.ITEMS]):
        chart.items[item]["outside"] = outside_estimate(grammar, chart, item)


@inner_kernel
def deduce_item(
    grammar: GrammarArrays,
    chart: Chart,
    label: int,
    cost: float,
    rule: int,
    left: int,
    right: int,
) -> int:
    """Make or improve the item of a label over the last row of `bits`, and queue it.

    Return the item, or -1 if it is in no parse up to the ceiling or within the margin.

    The caller has written the span into the row after the last item, and there must be room. An
    item that is in no parse of the relaxation is not made. Each component of an item gives a bound
    for the cost of the best parse with it: the cost of the component and its outside estimate.
    """
    item = chart.counters[arrays.ITEMS]
    chart.items[item]["label"] = label
    outside = 0.0
    if chart.is_guided:
        outside = outside_estimate(grammar, chart, item)
        if outside == np.inf:
            return -1
    slot = find_slot(chart.item_table, chart.items, chart.bits, item)
    existing = chart.item_table[slot]
    better = existing < 0 or cost < chart.items[existing]["cost"] - TOLERANCE * (1.0 + cost)
    if not better and chart.margin == np.inf:
        return _attach_low(chart, int(existing), cost, rule, left, right)
    priority = cost
    if chart.is_guided:
        if rule < 0:
            chart.parts[item, 0] = cost
        else:
            _add_parts(grammar, chart, item, rule, left, right)
        fan_out = grammar.labels[label]["fan_out"]
        excess = cost + outside - fan_out * chart.floor
        priority = _bound(chart, item, fan_out)
        if priority > chart.ceiling or excess > chart.margin:
            return -1
        if chart.order == arrays.BY_MEAN:
            priority = (cost + outside) / fan_out
        elif chart.order == arrays.BY_EXCESSES:
            priority = chart.floor + excess - chart.pull * _tokens(chart, item)
    if not better:
        return int(existing)
    if existing >= 0:
        for component in range(chart.parts.shape[1]):
            chart.parts[existing, component] = chart.parts[item, component]
        item = int(existing)
        if chart.items[item]["is_done"]:
            chart.items[item]["is_done"] = False
            chart.counters[arrays.IMPROVED] += 1
    else:
        chart.item_table[slot] = item
        chart.items[item]["outside"] = outside
        chart.items[item]["start"] = next_set(chart.bits, item, wide(0))
        chart.items[item]["end"] = _end(chart, item)
        chart.items[item]["is_done"] = False
        chart.items[item]["is_entered"] = False
        chart.counters[arrays.ITEMS] += 1
        if label == grammar.start and next_clear(chart.bits, item, wide(0)) == chart.length:
            chart.counters[arrays.GOAL] = item
    chart.items[item]["cost"] = cost
    chart.items[item]["priority"] = priority
    chart.items[item]["rule"] = rule
    chart.items[item]["left"] = left
    chart.items[item]["right"] = right
    push(chart.agenda, chart.counters[arrays.AGENDA], priority, item)
    chart.counters[arrays.AGENDA] += 1
    return int(item)
