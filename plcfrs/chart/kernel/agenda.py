"""The agenda: a binary heap of items; of equal priorities, the earlier item comes first."""

from __future__ import annotations

import numpy as np

from plcfrs.chart.kernel.arrays import Records
from plcfrs.jit import inner_kernel, kernel, wide


@kernel
def push(heap: Records, size: int, priority: float, item: int) -> None:
    """Add an item to a heap of the given size."""
    place = size
    while place > 0:
        above = (place - 1) >> 1
        if not _is_before(priority, item, heap[above]["priority"], heap[above]["item"]):
            break
        _move(heap, above, place)
        place = above
    heap[place]["priority"] = priority
    heap[place]["item"] = np.int32(item)


@kernel
def pop(heap: Records, size: int) -> None:
    """Remove the top of a heap of the given size."""
    last = size - 1
    priority, item = heap[last]["priority"], heap[last]["item"]
    place = wide(0)
    while True:
        below = 2 * place + 1
        if below >= last:
            break
        other = below + 1
        if other < last and _is_before(
            heap[other]["priority"],
            heap[other]["item"],
            heap[below]["priority"],
            heap[below]["item"],
        ):
            below = other
        if not _is_before(heap[below]["priority"], heap[below]["item"], priority, item):
            break
        _move(heap, below, place)
        place = below
    heap[place]["priority"] = priority
    heap[place]["item"] = item


@inner_kernel
def _is_before(priority: float, item: int, other_priority: float, other: int) -> bool:
    return priority < other_priority or (priority == other_priority and item < other)


@inner_kernel
def _move(heap: Records, source: int, target: int) -> None:
    heap[target]["priority"] = heap[source]["priority"]
    heap[target]["item"] = heap[source]["item"]
