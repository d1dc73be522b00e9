"""The arrays of a chart for prefixes, which are doubled when they are full."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plcfrs.prefix.kernel import arrays
from plcfrs.prefix.kernel.arrays import MOST_TOKENS, PrefixArrays, PrefixTable
from plcfrs.prefix.kernel.tables import clear_pending, copy_forward, copy_slots, fill_range_table

_FIRST = 1 << 10
_RECENT = 1 << 12  # slots, few enough for the cache of the processor
_COMPOSED = 1 << 12

# The arrays that grow together, by the status for full ones; a hash table is the last of them.
_GROWING = {
    arrays.RANGES_FULL: ("ranges", "bounds", "range_table"),
    arrays.INSIDE_FULL: ("inside",),
    arrays.INDEX_FULL: ("indexed", "index_table"),
    arrays.EDGES_FULL: ("edges", "edge_table"),
    arrays.PENDING_FULL: ("pending",),
    arrays.FORWARD_FULL: ("forward_table",),
}

# The counter of the rows in use, and the share of rows that leaves room for a word.
_USED = {
    arrays.RANGES_FULL: (arrays.RANGES, 0.6),
    arrays.INSIDE_FULL: (arrays.INSIDE, 0.6),
    arrays.INDEX_FULL: (arrays.INDEXED, 0.6),
    arrays.EDGES_FULL: (arrays.EDGES, 0.6),
    arrays.FORWARD_FULL: (arrays.FORWARD, 0.3),
}


def new_table(grammar: PrefixArrays) -> PrefixTable:
    """Return the chart of the empty prefix."""
    nodes = len(grammar.previous)
    size = max(_FIRST, 1 << (2 * nodes).bit_length())
    table = PrefixTable(
        counters=np.zeros(arrays.COUNTERS, np.int64),
        bounds=np.zeros((_FIRST, 2 * grammar.components), np.int32),
        ranges=np.zeros(_FIRST, arrays.RANGE),
        range_table=np.full(2 * _FIRST, -1, np.int32),
        inside=np.zeros(_FIRST, arrays.WEIGHTED),
        indexed=np.zeros(_FIRST, arrays.INDEX_ENTRY),
        index_table=_slots(2 * _FIRST),
        edges=np.zeros(_FIRST, arrays.EDGE),
        edge_table=_slots(2 * _FIRST),
        pending=np.zeros(size, arrays.PENDING_ENTRY),
        recent=_slots(_RECENT),
        pending_first=np.full((2, 1), -1, np.int32),
        forward_table=_weights(2 * size),
        base=np.zeros(nodes),
        begun=np.zeros((1, nodes)),
        composed=np.zeros(_COMPOSED, arrays.COMPOSED),
        sisters=np.full(len(grammar.lookups), -1, arrays.FOUND),
        given=np.zeros(nodes),
        giving=np.zeros(nodes, np.int32),
        row=np.zeros(nodes),
        touched=np.zeros(nodes, np.int32),
        lost=np.zeros(1),
    )
    table.ranges[0]["first"] = -1  # no components
    table.counters[arrays.RANGES] = 1
    fill_range_table(table)
    clear_pending(table)
    return table


def longer(table: PrefixTable, length: int, most_bytes: float) -> PrefixTable:
    """Return a chart for a prefix of some tokens; raise a MemoryError if it is too large."""
    begun = table.begun
    if length >= len(begun):
        _check_size(table, ("begun",), most_bytes)
        begun = _doubled(begun)
    return table._replace(pending_first=np.full((2, length + 1), -1, np.int32), begun=begun)


def shortened(table: PrefixTable, length: int) -> PrefixTable:
    """Return a chart without the forward sums of later places; the rest has been undone.

    Their table gets small again, so that a long sentence does not slow down later ones.
    """
    forward = table.forward_table
    starts = forward["key"] // table.begun.shape[1] % MOST_TOKENS
    sums = forward[(forward["weight"] >= 0.0) & (starts <= length)]
    size = max(2 * _FIRST, 1 << (4 * len(sums)).bit_length())
    kept = table._replace(forward_table=_weights(size))
    copy_forward(sums, kept)
    kept.counters[arrays.FORWARD] = len(sums)
    return kept


def with_room(table: PrefixTable, most_bytes: float) -> PrefixTable:
    """Return the chart with room for the next word, unless the arrays would be too large.

    A word is read again for each array that gets full.
    """
    for status, (counter, share) in _USED.items():
        if table.counters[counter] > share * len(getattr(table, _GROWING[status][0])):
            with suppress(MemoryError):
                table = enlarged(table, status, most_bytes)
    return table


def enlarged(table: PrefixTable, status: int, most_bytes: float) -> PrefixTable:
    """Return the chart with the full arrays doubled; raise a MemoryError if they are too large."""
    names = _GROWING[status]
    _check_size(table, names, most_bytes)
    larger = table._replace(**{name: _doubled(getattr(table, name)) for name in names})
    match status:  # its hash table is made again
        case arrays.RANGES_FULL:
            larger.range_table.fill(-1)
            fill_range_table(larger)
        case arrays.INDEX_FULL | arrays.EDGES_FULL:
            entries, slots = (getattr(larger, name) for name in names)
            slots["value"] = -1
            copy_slots(getattr(table, names[1]), slots, entries)
        case arrays.FORWARD_FULL:
            larger.forward_table["weight"] = -1.0
            copy_forward(table.forward_table, larger)
    return larger


def _check_size(table: PrefixTable, names: Iterable[str], most_bytes: float) -> None:
    """Raise a MemoryError if the chart is too large with some arrays doubled."""
    more = sum(getattr(table, name).nbytes for name in names)
    if sum(array.nbytes for array in table) + more > most_bytes:
        raise MemoryError


def _slots(size: int) -> NDArray[np.void]:
    made = np.zeros(size, arrays.SLOT)
    made["value"] = -1
    return made


def _weights(size: int) -> NDArray[np.void]:
    made = np.zeros(size, arrays.WEIGHT_SLOT)
    made["weight"] = -1.0
    return made


def _doubled(array: NDArray[Any]) -> NDArray[Any]:
    return np.concatenate([array, np.zeros_like(array)])
