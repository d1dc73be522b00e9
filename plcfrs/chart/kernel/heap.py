"""The agenda: a binary heap of (cost, item), the earlier item first where costs are equal."""

from __future__ import annotations

import numpy as np

from plcfrs.chart.kernel.arrays import Costs, Int32
from plcfrs.chart.kernel.jit import kernel


@kernel
def push(costs: Costs, items: Int32, size: int, cost: float, item: int) -> None:
    """Add an item to a heap of the given size."""
    place = size
    while place > 0:
        above = (place - 1) >> 1
        if costs[above] < cost or (costs[above] == cost and items[above] <= item):
            break
        costs[place] = costs[above]
        items[place] = items[above]
        place = above
    costs[place] = cost
    items[place] = np.int32(item)


@kernel
def pop(costs: Costs, items: Int32, size: int) -> None:
    """Remove the top of a heap of the given size."""
    last = size - 1
    cost = costs[last]
    item = items[last]
    place = 0
    while True:
        below = 2 * place + 1
        if below >= last:
            break
        other = below + 1
        if other < last and (
            costs[other] < costs[below]
            or (costs[other] == costs[below] and items[other] < items[below])
        ):
            below = other
        if cost < costs[below] or (cost == costs[below] and item <= items[below]):
            break
        costs[place] = costs[below]
        items[place] = items[below]
        place = below
    costs[place] = cost
    items[place] = item
