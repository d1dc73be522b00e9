"""The hash table of the index."""

import numpy as np

from plcfrs.chart.kernel.arrays import GROUP
from plcfrs.chart.kernel.index import group_slot


def test_groups_are_spread_over_a_table_of_any_size():
    """A table of many empty slots that takes no memory."""
    groups = np.empty(0, GROUP)
    for bits in (6, 25, 28):
        table = np.broadcast_to(np.int32(-1), 1 << bits)
        slots = [group_slot(table, groups, 37 * number) for number in range(400)]
        share = np.bincount(np.array(slots) >> (bits - 3), minlength=8) / len(slots)
        assert share.min() > 0.1
        assert share.max() < 0.15
