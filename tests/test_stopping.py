"""Work that nobody waits for any more."""

from threading import Thread

import pytest

from plcfrs.budget import Budget, Deadline
from plcfrs.stopping import StoppedError, TimeLimit, check_stopped, stoppable, until_stopped


def stop():
    raise StoppedError("nobody waits for it")


def test_items_come_until_work_is_stopped():
    seen = []

    def check():
        if len(seen) == 3:
            stop()

    with pytest.raises(StoppedError), stoppable(check):
        seen.extend(until_stopped(range(10)))
    assert seen == [0, 1, 2]
    assert list(until_stopped(range(3))) == [0, 1, 2]


def test_a_deadline_stops():
    deadline = Deadline(Budget())
    deadline.check()
    with pytest.raises(StoppedError), stoppable(stop):
        deadline.check()


def test_work_within_work_has_the_checks_of_both():
    checked = []
    with stoppable(lambda: checked.append("outer")):
        with stoppable(lambda: checked.append("inner")):
            check_stopped()
        check_stopped()
    check_stopped()
    assert checked == ["outer", "inner", "outer"]


def test_other_threads_go_on():
    ends = []
    with stoppable(stop):
        other = Thread(target=lambda: ends.append(check_stopped()))
        other.start()
        other.join()
    assert ends == [None]


def test_parts_of_work_have_a_limit_together(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("plcfrs.stopping.perf_counter", lambda: now[0])
    limit = TimeLimit(5.0)
    for _ in range(2):
        with limit.part():
            now[0] += 2.0
            check_stopped()
        now[0] += 100.0  # no part of it
    with limit.part():
        now[0] += 2.0
        with pytest.raises(StoppedError, match="longer than 5 seconds"):
            check_stopped()
    check_stopped()
