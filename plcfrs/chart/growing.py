"""The chart of a sentence: arrays that are empty at first, and doubled when they are full."""

from __future__ import annotations

from math import inf
from typing import Any, NamedTuple

import numpy as np

from plcfrs.chart.estimates import Estimates
from plcfrs.chart.kernel import arrays
from plcfrs.chart.kernel.arrays import Chart, GrammarArrays
from plcfrs.chart.kernel.bits import WORD
from plcfrs.chart.kernel.index import empty_buckets, fill_group_table
from plcfrs.chart.kernel.items import fill_item_table
from plcfrs.chart.kernel.listing import find_sides
from plcfrs.chart.workspace import ChartWorkspace

_ITEMS_PER_TOKEN = 64

# The arrays that grow together, by the status for full ones.
_GROWING = {
    arrays.ITEMS_FULL: ("items", "bits", "parts", "outsides"),
    arrays.AGENDA_FULL: ("agenda",),
    arrays.GROUPS_FULL: ("groups",),
    arrays.ENTRIES_FULL: ("entries",),
    arrays.EDGES_FULL: ("edges",),
}
_TABLES = {arrays.ITEMS_FULL: "item_table", arrays.GROUPS_FULL: "group_table"}
_NO_GROUPS = np.array((-1, 0), arrays.BUCKET)


class SearchLimits(NamedTuple):
    """What a search leaves out, and the order of the rest.

    The search leaves out items that are in no parse up to the ceiling, and items whose components
    together exceed the floor by more than the margin. In the order by excesses, each token moves an
    item forward by `pull`.
    """

    max_items: float
    order: int = arrays.BY_BOUND
    ceiling: float = inf
    floor: float = 0.0
    margin: float = inf
    pull: float = 0.0


def new_chart(
    length: int,
    grammar: GrammarArrays,
    workspace: ChartWorkspace,
    estimates: Estimates | None,
    limits: SearchLimits,
    *,
    keeps_edges: bool,
) -> Chart:
    """Return an empty chart for a sentence of `length` tokens; a forest needs all edges."""
    array = workspace.array
    size = 1 << (_ITEMS_PER_TOKEN * length).bit_length()
    edges = size if keeps_edges else 0
    components = int(grammar.labels["fan_out"].max()) if estimates else 0
    side = length + 1
    buckets = 2 * side + 2 * side * side + 1
    counters = np.zeros(arrays.COUNTERS, np.int64)
    counters[[arrays.PENDING, arrays.GOAL]] = -1
    words = estimates.table.reachable.shape[1] if estimates else 1
    starting, ending = np.zeros((2, side, words), np.uint64)
    if estimates:
        find_sides(estimates.table, starting, ending)
    return Chart(
        length=length,
        max_items=int(min(limits.max_items, np.iinfo(np.int32).max)),
        order=limits.order,
        ceiling=float(limits.ceiling),
        floor=float(limits.floor),
        margin=float(limits.margin),
        pull=float(limits.pull),
        keeps_edges=keeps_edges,
        is_guided=estimates is not None,
        counters=counters,
        items=array("items", size, arrays.ITEM),
        bits=array("bits", (size, (length + WORD - 1) // WORD), np.uint64),
        parts=array("parts", (size, components), np.float64),
        outsides=array("outsides", (size, components), np.float64),
        shares=estimates.shares if estimates else np.zeros(0),
        item_table=array("item_table", 2 * size, np.int32, -1),
        agenda=array("agenda", size, arrays.QUEUED),
        buckets=array("buckets", buckets, arrays.BUCKET, _NO_GROUPS),
        groups=array("groups", size, arrays.GROUP),
        group_table=array("group_table", 2 * size, np.int32, -1),
        entries=array("entries", size, arrays.INDEXED),
        edges=array("edges", edges, arrays.EDGE),
        symbol_of=estimates.symbol_of if estimates else np.zeros(0, np.int32),
        present=estimates.table.present if estimates else np.zeros((0, 1), np.uint64),
        first_entry=estimates.table.first_entry if estimates else np.zeros((0, 1), np.int32),
        reachable=estimates.table.reachable if estimates else np.zeros((0, 1), np.uint64),
        starting=starting,
        ending=ending,
        outside=estimates.table.outside if estimates else np.zeros(0),
    )


def enlarge(chart: Chart, status: int, workspace: ChartWorkspace) -> Chart:
    """Return the chart with the full arrays doubled."""
    enlarged: dict[str, Any] = {
        name: workspace.doubled(name, getattr(chart, name)) for name in _GROWING[status]
    }
    if status in _TABLES:
        name = _TABLES[status]
        enlarged[name] = workspace.array(name, 2 * len(getattr(chart, name)), np.int32, -1)
        enlarged[name].fill(-1)  # it may be the old one, made longer
    chart = chart._replace(**enlarged)
    if status == arrays.ITEMS_FULL:
        fill_item_table(chart)
    elif status == arrays.GROUPS_FULL:
        fill_group_table(chart)
    return chart


def release(grammar: GrammarArrays, chart: Chart) -> None:
    """Prepare the memory of a chart for another sentence."""
    chart.item_table.fill(-1)
    empty_buckets(grammar, chart)
