"""The agenda against sorting."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from plcfrs.chart.kernel.agenda import pop, push
from plcfrs.chart.kernel.arrays import QUEUED


@given(st.lists(st.one_of(st.integers(0, 3), st.none()), max_size=60))
def test_pops_in_order_of_cost_and_then_of_item(operations):
    """A number pushes an item of that cost, None pops."""
    heap = np.empty(64, QUEUED)
    waiting = []
    for item, cost in enumerate(operations):
        if cost is not None:
            push(heap, len(waiting), float(cost), item)
            waiting.append((cost, item))
        elif waiting:
            first = min(waiting)
            assert heap[0].item() == first
            pop(heap, len(waiting))
            waiting.remove(first)
