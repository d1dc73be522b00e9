"""Memory that is reused from sentence to sentence."""

import numpy as np
import pytest

from plcfrs.chart import workspace as module
from plcfrs.chart.workspace import ChartWorkspace


def test_an_array_is_made_once_and_enlarged():
    workspace = ChartWorkspace()
    first = workspace.array("a", (2, 3), np.int32, 7)
    assert first.tolist() == [[7, 7, 7], [7, 7, 7]]
    assert np.shares_memory(workspace.array("a", 4, np.int32, 7), first)
    assert workspace.array("a", 9, np.int32, 7).tolist() == [7] * 9


def test_a_doubled_array_begins_with_the_old_one_and_is_kept():
    workspace = ChartWorkspace()
    old = workspace.array("a", (3, 2), np.int32)
    old[:] = np.arange(6).reshape(3, 2)
    doubled = workspace.doubled("a", old)
    assert doubled.shape == (6, 2)
    assert (doubled[:3] == old).all()
    assert np.shares_memory(workspace.array("a", 12, np.int32), doubled)


def test_a_part_of_an_array_is_doubled_in_its_place():
    workspace = ChartWorkspace()
    whole = workspace.array("a", 100, np.int32)
    part = workspace.array("a", 10, np.int32)
    assert np.shares_memory(workspace.doubled("a", part), whole)
    assert np.shares_memory(workspace.array("a", 100, np.int32), whole)


def test_arrays_have_a_limit_together():
    workspace = ChartWorkspace(1e-6)  # 1073 bytes
    one = workspace.array("a", 500, np.int8)
    workspace.array("b", 500, np.int8)
    for ask in (
        lambda: workspace.array("c", 100, np.int8),
        lambda: workspace.doubled("a", one),
        lambda: workspace.check_room(100),
    ):
        with pytest.raises(MemoryError):
            ask()
    assert workspace.array("b", 500, np.int8).size == 500


def test_the_largest_arrays_are_given_back(monkeypatch):
    monkeypatch.setattr(module, "_LARGEST", 100)
    workspace = ChartWorkspace()
    small, large = workspace.array("a", 10, np.int32), workspace.array("b", 1000, np.int32)
    workspace.trim()
    assert np.shares_memory(workspace.array("a", 10, np.int32), small)
    assert not np.shares_memory(workspace.array("b", 1000, np.int32), large)
