"""Memory that is reused from sentence to sentence."""

import numpy as np

from plcfrs.chart import buffers as module
from plcfrs.chart.buffers import Buffers


def test_an_array_is_made_once_and_enlarged():
    buffers = Buffers()
    first = buffers.array("a", (2, 3), np.int32, 7)
    assert first.tolist() == [[7, 7, 7], [7, 7, 7]]
    assert np.shares_memory(buffers.array("a", 4, np.int32, 7), first)
    assert buffers.array("a", 9, np.int32, 7).tolist() == [7] * 9


def test_what_took_the_place_of_an_array_is_kept():
    buffers = Buffers()
    buffers.array("a", 100, np.int32, -1)
    handed_out = buffers.array("a", 10, np.int32, -1)
    handed_out[:] = 5  # left as it is, because a larger array takes its place
    larger = np.full(20, -1, np.int32)
    buffers.keep("a", larger)
    assert (buffers.array("a", 100, np.int32, -1) == -1).all()


def test_a_part_of_an_array_does_not_take_its_place():
    buffers = Buffers()
    whole = buffers.array("a", 100, np.int32)
    buffers.keep("a", buffers.array("a", 10, np.int32))
    assert np.shares_memory(buffers.array("a", 100, np.int32), whole)


def test_the_largest_arrays_are_given_back(monkeypatch):
    monkeypatch.setattr(module, "_LARGEST", 100)
    buffers = Buffers()
    small, large = buffers.array("a", 10, np.int32), buffers.array("b", 1000, np.int32)
    buffers.trim()
    assert np.shares_memory(buffers.array("a", 10, np.int32), small)
    assert not np.shares_memory(buffers.array("b", 1000, np.int32), large)
