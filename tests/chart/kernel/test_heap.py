"""The agenda against sorting."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from plcfrs.chart.kernel.heap import pop, push


@given(st.lists(st.one_of(st.integers(0, 3), st.none()), max_size=60))
def test_pops_in_order_of_cost_and_then_of_item(operations):
    """A number pushes an item of that cost, None pops."""
    costs = np.empty(64, np.float64)
    items = np.empty(64, np.int32)
    waiting = []
    for item, cost in enumerate(operations):
        if cost is not None:
            push(costs, items, len(waiting), float(cost), item)
            waiting.append((cost, item))
        elif waiting:
            first = min(waiting)
            assert (costs[0], items[0]) == first
            pop(costs, items, len(waiting))
            waiting.remove(first)
