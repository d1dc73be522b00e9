"""The costs of the best complete derivations of a forest with a hole at each item."""

from __future__ import annotations

import numpy as np

from plcfrs.chart.kernel.arrays import Costs, Int32, Int64
from plcfrs.jit import making_kernel


@making_kernel
def fill_outside_costs(
    order: Int64,
    start: Int64,
    left: Int32,
    right: Int32,
    cost: Costs,
    inside: Costs,
    outside: Costs,
    complete: Costs,
) -> None:
    """Compute for each item and edge the cost of the best complete derivation with it.

    An edge with a child that is not before its mother in `order` is in no derivation. The outside
    cost is 0 for the goal and infinite elsewhere before; a missing child is -1.
    """
    place = np.empty_like(order)
    for number in range(order.shape[0]):
        place[order[number]] = number
    for number in range(order.shape[0] - 1, -1, -1):
        item = order[number]
        for edge in range(start[item], start[item + 1]):
            first, second = left[edge], right[edge]
            complete[edge] = np.inf
            if first >= 0 and place[first] >= number:
                continue
            complete[edge] = outside[item] + cost[edge]
            if first >= 0:
                complete[edge] += inside[first]
            if second >= 0:
                complete[edge] += inside[second]
            if first >= 0:
                outside[first] = min(outside[first], complete[edge] - inside[first])
            if second >= 0:
                outside[second] = min(outside[second], complete[edge] - inside[second])
