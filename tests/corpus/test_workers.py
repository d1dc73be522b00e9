"""Worker processes: order, memory, deaths, and none remains afterwards."""

import os
import signal
import subprocess
import sys
import time
from functools import partial
from itertools import count
from pathlib import Path

import killer
import pytest

from plcfrs.corpus import map_in_order
from plcfrs.corpus import workers as workers_module
from plcfrs.corpus.workers import TOO_LONG
from plcfrs.errors import WorkerError

pytestmark = pytest.mark.full  # they start processes


def test_results_are_in_order():
    chunks = [list(range(first, first + size)) for first, size in ((0, 3), (3, 0), (3, 1), (4, 9))]
    results = map_in_order(partial(killer.start_with, 3), chunks, jobs=2)
    assert list(results) == [3**number for number in range(13)]
    assert list(map_in_order(killer.start, [], jobs=2)) == []


def test_endless_input_is_read_no_further_than_needed():
    read = []

    def chunks():
        for number in count():
            read.append(number)
            yield [number, number]

    results = map_in_order(killer.start, chunks(), jobs=2, ahead=3)
    for number in range(500):
        assert next(results) == number // 2
        assert len(read) <= number // 2 + 1 + 2 * 3
    results.close()


def test_a_long_item_before_as_many_as_are_held():
    chunks = [["WAIT:1"], *([str(number)] for number in range(9))]
    results = map_in_order(killer.start, chunks, jobs=2, ahead=2)
    assert list(results) == ["WAIT:1", *map(str, range(9))]


def lost(item, why):
    return item, why


def test_a_worker_that_compiles_is_waited_for(monkeypatch):
    told = []
    monkeypatch.setattr(workers_module, "_COMPILATION", 4.0)
    monkeypatch.setattr(workers_module, "watchers", set())
    monkeypatch.setattr(workers_module, "tell_watchers", told.append)
    items = ["a", "b", "COMPILE:1", "HANG", "c"]
    results = list(map_in_order(killer.start, [items], jobs=1, lost=lost, seconds=0.5))
    assert results == ["a", "b", "COMPILE:1", ("HANG", TOO_LONG), "c"]
    assert told == [""]


def test_a_worker_that_dies_is_replaced_and_its_item_tried_once_more(tmp_path):
    once = f"ONCE:{tmp_path / 'tried'}"
    items = ["a", once, "b", "KILL", "c", "KILL", "KILL", "d"]
    results = list(map_in_order(killer.start, [items, ["e"]], jobs=2, lost=lost))
    ended = ("KILL", "ended by SIGKILL")
    assert results == ["a", once, "b", ended, "c", ended, ended, "d", "e"]
    assert (tmp_path / "tried").exists()


def test_a_worker_that_hangs_is_replaced(monkeypatch):
    monkeypatch.setattr(workers_module, "_COMPILATION", 3.0)
    chunks = [["a", "HANG", "b"], ["c"]]
    results = list(map_in_order(killer.start, chunks, jobs=2, lost=lost, seconds=0.5))
    assert results == ["a", ("HANG", workers_module.TOO_LONG), "b", "c"]


def test_without_a_way_to_go_on_a_dead_worker_is_an_error():
    with pytest.raises(WorkerError, match="ended by SIGKILL, and so did a second one"):
        list(map_in_order(killer.start, [["a", "KILL"]], jobs=1))


def test_an_exception_is_raised_here():
    results = map_in_order(killer.start, [["a"], ["ERR"], ["b"]], jobs=2)
    with pytest.raises(ZeroDivisionError, match="on purpose") as raised:
        list(results)
    assert 'raise ZeroDivisionError("on purpose")' in str(raised.value.__cause__)


def test_workers_that_never_get_ready():
    with pytest.raises(WorkerError, match=r"before they are ready \(ended with code 3"):
        list(map_in_order(killer.never_start, [["a"]], jobs=2))


def is_alive(pid):
    """Return whether a process runs, and is not just waiting to be reaped."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"


def wait_until(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def pid_in(path):
    wait_until(lambda: path.exists() and path.read_text())
    return int(path.read_text())


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks into /proc")
def test_nobody_works_after_the_results_are_not_wanted_any_more(tmp_path):
    results = map_in_order(killer.start, ([f"PID:{tmp_path / 'pid'}"] for _ in count()), jobs=1)
    next(results)
    worker = pid_in(tmp_path / "pid")
    assert is_alive(worker)
    results.close()
    assert not is_alive(worker)


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks into /proc")
def test_workers_end_when_their_parent_is_killed(tmp_path):
    code = (
        "import killer\n"
        "from plcfrs.corpus import map_in_order\n"
        f"list(map_in_order(killer.start, [['PID:{tmp_path / 'pid'}', 'HANG']], jobs=1))\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], env=killer.environment()) as parent:
        worker = pid_in(tmp_path / "pid")
        assert is_alive(worker)
        parent.send_signal(signal.SIGKILL)
    wait_until(lambda: not is_alive(worker))
