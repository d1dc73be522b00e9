"""The arrays of a chart: made for one sentence, and enlarged when the kernel says what is full."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from plcfrs.chart.kernel import arrays
from plcfrs.chart.kernel.arrays import Chart, Costs, Int32, Int64
from plcfrs.chart.kernel.bits import WORD
from plcfrs.chart.kernel.index import fill_group_table
from plcfrs.chart.kernel.items import fill_item_table

_ITEMS_PER_TOKEN = 256


class Estimates(NamedTuple):
    """Outside costs of the relaxation for one sentence; see `kernel.relaxation`."""

    cell_start: Int64
    cell_symbol: Int32
    cell_outside: Costs


NO_ESTIMATES = Estimates(np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.float64))


def new_chart(length: int, estimates: Estimates | None = None) -> Chart:
    """Return an empty chart for a sentence of the given number of tokens.

    Parameters
    ----------
    length : int
    estimates : Estimates, optional
        Outside costs of the relaxation, by which the search is guided.
    """
    guide = estimates or NO_ESTIMATES
    size = 1 << (_ITEMS_PER_TOKEN * length).bit_length()
    side = length + 1
    buckets = 2 * side + 2 * side * side + 1
    counters = np.zeros(arrays.COUNTERS, np.int64)
    counters[arrays.PENDING] = -1
    return Chart(
        length=length,
        counters=counters,
        label=np.empty(size, np.int32),
        bits=np.empty((size, (length + WORD - 1) // WORD), np.uint64),
        cost=np.empty(size, np.float64),
        rule=np.empty(size, np.int32),
        left=np.empty(size, np.int32),
        right=np.empty(size, np.int32),
        outside=np.empty(size, np.float64),
        is_done=np.empty(size, np.bool_),
        is_entered=np.empty(size, np.bool_),
        item_table=np.full(2 * size, -1, np.int32),
        agenda_cost=np.empty(size, np.float64),
        agenda_item=np.empty(size, np.int32),
        bucket_first=np.full(buckets, -1, np.int32),
        bucket_size=np.zeros(buckets, np.int32),
        group_table=np.full(2 * size, -1, np.int32),
        group_key=np.empty(size, np.int64),
        group_next=np.empty(size, np.int32),
        group_first=np.empty(size, np.int32),
        entry_item=np.empty(size, np.int32),
        entry_next=np.empty(size, np.int32),
        is_guided=estimates is not None,
        cell_start=guide.cell_start,
        cell_symbol=guide.cell_symbol,
        cell_outside=guide.cell_outside,
    )


def enlarge(chart: Chart, status: int) -> Chart:
    """Return the chart with twice the room for what is full."""
    return _ENLARGE[status](chart)


def _enlarge_items(chart: Chart) -> Chart:
    size = 2 * len(chart.label)
    enlarged = _doubled(
        chart, "label", "bits", "cost", "rule", "left", "right", "outside", "is_done", "is_entered"
    )
    enlarged = enlarged._replace(item_table=np.full(2 * size, -1, np.int32))
    fill_item_table(enlarged)
    return enlarged


def _enlarge_groups(chart: Chart) -> Chart:
    size = 2 * len(chart.group_key)
    enlarged = _doubled(chart, "group_key", "group_next", "group_first")
    enlarged = enlarged._replace(group_table=np.full(2 * size, -1, np.int32))
    fill_group_table(enlarged)
    return enlarged


def _doubled(chart: Chart, *fields: str) -> Chart:
    enlarged: dict[str, Any] = {}
    for field in fields:
        old = getattr(chart, field)
        new = np.empty((2 * len(old), *old.shape[1:]), old.dtype)
        new[: len(old)] = old
        enlarged[field] = new
    return chart._replace(**enlarged)


_ENLARGE: dict[int, Callable[[Chart], Chart]] = {
    arrays.ITEMS_FULL: _enlarge_items,
    arrays.AGENDA_FULL: lambda chart: _doubled(chart, "agenda_cost", "agenda_item"),
    arrays.GROUPS_FULL: _enlarge_groups,
    arrays.ENTRIES_FULL: lambda chart: _doubled(chart, "entry_item", "entry_next"),
}
