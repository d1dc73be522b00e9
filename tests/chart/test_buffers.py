"""Memory that is reused from sentence to sentence."""

import numpy as np
import pytest

from plcfrs.chart import buffers as module
from plcfrs.chart.buffers import Buffers


def test_an_array_is_made_once_and_enlarged():
    buffers = Buffers()
    first = buffers.array("a", (2, 3), np.int32, 7)
    assert first.tolist() == [[7, 7, 7], [7, 7, 7]]
    assert np.shares_memory(buffers.array("a", 4, np.int32, 7), first)
    assert buffers.array("a", 9, np.int32, 7).tolist() == [7] * 9


def test_a_doubled_array_begins_with_the_old_one_and_is_kept():
    buffers = Buffers()
    old = buffers.array("a", (3, 2), np.int32)
    old[:] = np.arange(6).reshape(3, 2)
    doubled = buffers.doubled("a", old)
    assert doubled.shape == (6, 2)
    assert (doubled[:3] == old).all()
    assert np.shares_memory(buffers.array("a", 12, np.int32), doubled)


def test_a_part_of_an_array_is_doubled_in_its_place():
    buffers = Buffers()
    whole = buffers.array("a", 100, np.int32)
    part = buffers.array("a", 10, np.int32)
    assert np.shares_memory(buffers.doubled("a", part), whole)
    assert np.shares_memory(buffers.array("a", 100, np.int32), whole)


def test_arrays_have_a_limit_together():
    buffers = Buffers(1e-6)  # 1073 bytes
    one = buffers.array("a", 500, np.int8)
    buffers.array("b", 500, np.int8)
    for ask in (
        lambda: buffers.array("c", 100, np.int8),
        lambda: buffers.doubled("a", one),
        lambda: buffers.check_room(100),
    ):
        with pytest.raises(MemoryError):
            ask()
    assert buffers.array("b", 500, np.int8).size == 500


def test_the_largest_arrays_are_given_back(monkeypatch):
    monkeypatch.setattr(module, "_LARGEST", 100)
    buffers = Buffers()
    small, large = buffers.array("a", 10, np.int32), buffers.array("b", 1000, np.int32)
    buffers.trim()
    assert np.shares_memory(buffers.array("a", 10, np.int32), small)
    assert not np.shares_memory(buffers.array("b", 1000, np.int32), large)
