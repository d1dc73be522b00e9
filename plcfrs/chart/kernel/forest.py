"""The order of a forest: children before mothers, the items of a unary cycle together."""

from __future__ import annotations

import numpy as np

from plcfrs.chart.kernel.arrays import Int32, Int64
from plcfrs.jit import making_kernel


@making_kernel
def order_items(start: Int64, order: Int64, left: Int32, right: Int32) -> tuple[Int64, Int64]:
    """Return all items, children before mothers, and the number of the component of each.

    The strongly connected components are found by Tarjan's (1972) algorithm. Only unary rules make
    components of more than one item. The edges of each mother start at `start` in `order`; a
    missing child is -1.
    """
    items = start.shape[0] - 1
    visited = np.full(items, -1, np.int64)
    lowest = np.empty(items, np.int64)
    component = np.full(items, -1, np.int64)
    place = np.empty(items, np.int64)  # of the next child to visit: two for each edge
    path = np.empty(items, np.int64)
    waiting = np.empty(items, np.int64)
    found = np.empty(items, np.int64)
    visits = waits = done = components = 0
    for root in range(items):
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
                other = -1
                while other != item:
                    waits -= 1
                    other = waiting[waits]
                    component[other] = components
                    found[done] = other
                    done += 1
                components += 1
    return found, component
