"""The parse forest: all popped items, and all ways in which they were deduced."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plcfrs.chart.compile import CompiledGrammar
from plcfrs.chart.kernel import arrays
from plcfrs.chart.kernel.arrays import Bits, Chart, Costs, Int32, Int64
from plcfrs.chart.kernel.forest import order_items


class Forest(NamedTuple):
    """The packed derivations of one sentence, with I items and E edges.

    Children come before their mothers, except that the items of a *component*, a cycle of unary
    rules, follow each other in any order. The forest has every derivation with a cost up to the
    ceiling, and more expensive ones if all their items are also in cheaper ones.

    Parameters
    ----------
    compiled : CompiledGrammar
        The grammar, with its symbols and rules by their numbers.
    goal : int
        The item of the start symbol over the whole sentence.
    ceiling : float
        Every derivation with a cost up to this is in the forest; infinite for all derivations.
    label : int32 array (I,)
    bits : uint64 array (I, words)
        Bit ``i`` is token ``i``.
    cost : float64 array (I,)
        Cost of the best derivation of the item.
    outside : float64 array (I,)
        ``-log`` of upper bounds of the outside sums of the item's components, added up; negative
        infinity if unknown.
    component : int64 array (I,)
        Number of the item's component, in ascending order.
    is_popped : bool array (I,)
        False for items beyond the ceiling: they have edges, but are the child in none.
    edge_start : int64 array (I + 1,)
        Where the edges with the item as mother start in the next arrays.
    edge_rule : int32 array (E,)
        -1 for a scanned tag.
    edge_left, edge_right : int32 arrays (E,)
        Items of the children, -1 for none.
    edge_cost : float64 array (E,)
        Cost of the rule or of the scanned tag.
    """

    compiled: CompiledGrammar
    goal: int
    ceiling: float
    label: Int32
    bits: Bits
    cost: Costs
    outside: Costs
    component: Int64
    is_popped: NDArray[np.bool_]
    edge_start: Int64
    edge_rule: Int32
    edge_left: Int32
    edge_right: Int32
    edge_cost: Costs

    @property
    def has_derivation(self) -> bool:
        """Whether there is a derivation: a search that was stopped may lack edges of the goal."""
        return bool(self.edge_start[self.goal] < self.edge_start[self.goal + 1])

    @property
    def edge_mother(self) -> Int64:
        """The mother of each edge."""
        return np.repeat(np.arange(len(self.label)), np.diff(self.edge_start))


def build_forest(
    compiled: CompiledGrammar, chart: Chart, ceiling: float, *, is_bounded: bool
) -> Forest:
    """Return the forest of a chart whose edges were kept."""
    items = int(chart.counters[arrays.ITEMS])
    records = chart.items[:items]
    edges = chart.edges[: int(chart.counters[arrays.KEPT])]
    mother, left, right = edges["mother"], edges["left"], edges["right"]
    start, order = _grouped(mother, items)
    found, component = order_items(start, order, left, right)
    number = np.empty(items + 1, np.int32)
    number[found] = np.arange(items, dtype=np.int32)
    number[-1] = -1  # for a missing child
    start, order = _grouped(number[mother], items)
    return Forest(
        compiled,
        int(number[chart.counters[arrays.GOAL]]),
        ceiling,
        records["label"][found],
        chart.bits[found],
        records["cost"][found],
        records["outside"][found] if is_bounded else np.full(items, -np.inf),
        component[found],
        records["is_entered"][found],
        start,
        edges["rule"][order],
        number[left[order]],
        number[right[order]],
        edges["cost"][order],
    )


def _grouped(mother: Int32, items: int) -> tuple[Int64, Int64]:
    """Return where the edges of each mother start, and the edges in the order of their mothers."""
    start = np.concatenate([[0], np.cumsum(np.bincount(mother, minlength=items))])
    return start, np.argsort(mother, kind="stable")
