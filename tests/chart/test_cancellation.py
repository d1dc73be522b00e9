"""Work that nobody waits for any more."""

from threading import Thread

import pytest

from plcfrs.chart.budget import (
    Budget,
    Deadline,
    StoppedError,
    check_stopped,
    stoppable,
    until_stopped,
)


def test_items_come_until_work_is_stopped():
    seen = []
    with pytest.raises(StoppedError), stoppable(lambda: len(seen) == 3):
        seen.extend(until_stopped(range(10)))
    assert seen == [0, 1, 2]
    assert list(until_stopped(range(3))) == [0, 1, 2]


def test_a_deadline_stops():
    deadline = Deadline(Budget())
    deadline.check()
    with pytest.raises(StoppedError), stoppable(lambda: True):
        deadline.check()


def test_other_threads_go_on():
    ends = []
    with stoppable(lambda: True):
        other = Thread(target=lambda: ends.append(check_stopped()))
        other.start()
        other.join()
    assert ends == [None]
