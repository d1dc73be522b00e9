"""The order of the items of a forest, and the costs of derivations with a hole at each item."""

from __future__ import annotations

import numpy as np

from plcfrs.chart.kernel.arrays import Costs, Int32, Int64
from plcfrs.jit import kernel


def order_items(start: Int64, order: Int64, left: Int32, right: Int32) -> tuple[Int64, Int64]:
    """Return all items, children before mothers, and the number of the component of each.

    The strongly connected components are found by Tarjan's (1972) algorithm. Only unary rules make
    components of more than one item. The edges of each mother start at `start` in `order`; a
    missing child is -1.
    """
    memory = np.full((7, len(start) - 1), -1, np.int64)
    _order_items(start, order, left, right, memory)
    return memory[0], memory[1]


@kernel
def _order_items(start: Int64, order: Int64, left: Int32, right: Int32, memory: Int64) -> None:
    """Fill in the first two rows; all are -1 before."""
    ordered, component, visited = memory[0], memory[1], memory[2]
    lowest, path, waiting = memory[3], memory[4], memory[5]
    place = memory[6]  # of the next child to visit: two for each edge
    visits = waits = done = components = 0
    for root in range(visited.shape[0]):
        depth = 0
        if visited[root] < 0:
            path[0] = root
            depth = 1
        while depth > 0:
            item = path[depth - 1]
            if visited[item] < 0:
                visited[item] = lowest[item] = visits
                visits += 1
                place[item] = 2 * start[item]
                waiting[waits] = item
                waits += 1
            if place[item] < 2 * start[item + 1]:
                edge = order[place[item] >> 1]
                child = right[edge] if place[item] & 1 else left[edge]
                place[item] += 1
                if child >= 0 and visited[child] < 0:
                    path[depth] = child
                    depth += 1
                elif child >= 0 and component[child] < 0:
                    lowest[item] = min(lowest[item], visited[child])
                continue
            depth -= 1
            if depth > 0:
                mother = path[depth - 1]
                lowest[mother] = min(lowest[mother], lowest[item])
            if lowest[item] == visited[item]:
                member = -1
                while member != item:
                    waits -= 1
                    member = waiting[waits]
                    component[member] = components
                    ordered[done] = member
                    done += 1
                components += 1


@kernel
def fill_outside_costs(
    order: Int64,
    place: Int64,
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
    cost is 0 for the goal and infinite elsewhere before; a missing child is -1. `place` gets the
    place of each item in `order`.
    """
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
