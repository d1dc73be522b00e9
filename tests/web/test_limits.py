"""Jobs of requests: their slots are always freed, also when the client leaves."""

import asyncio
from threading import Event, Thread
from unittest.mock import patch

import pytest
from apart import run_apart

from plcfrs.stopping import StoppedError, check_stopped
from plcfrs.web.limits import Limits, RefusedError, Workers

LIMITS = Limits(jobs=1, max_seconds=10.0)


async def is_here():
    return False


async def is_gone():
    return True


async def is_unknown():
    raise OSError("connection reset")


def sing():
    return "la"


def stumble():
    raise ValueError("a wrong note")


@pytest.mark.parametrize(
    ("job", "asks", "error"),
    [
        (sing, is_gone, RefusedError),
        (sing, is_unknown, OSError),
        (stumble, is_here, ValueError),
    ],
)
def test_a_job_that_fails_gives_its_slot_back(job, asks, error):
    async def run():
        workers = Workers(LIMITS)
        with pytest.raises(error):
            await workers.run(job, asks)
        return await workers.run(sing, is_here)

    assert run_apart(run()) == "la"


def test_a_thread_that_cannot_be_started_gives_its_slot_back():
    async def run():
        workers = Workers(LIMITS)
        no_thread = patch.object(Thread, "start", side_effect=RuntimeError("no new thread"))
        with no_thread, pytest.raises(RuntimeError):
            await workers.run(sing, is_here)
        return await workers.run(sing, is_here)

    assert run_apart(run()) == "la"


def test_whoever_leaves_while_being_asked_gives_the_slot_back():
    async def run():
        workers = Workers(LIMITS)
        asked = asyncio.Event()

        async def wait_forever():
            asked.set()
            await asyncio.Event().wait()

        leaving = asyncio.create_task(workers.run(sing, wait_forever))
        await asked.wait()
        leaving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await leaving
        return await workers.run(sing, is_here)

    assert run_apart(run()) == "la"


def test_who_has_left_waits_no_longer():
    async def run():
        workers = Workers(Limits(jobs=1, waiting=1))
        begun, ended = Event(), Event()

        def work():
            begun.set()
            return ended.wait()

        first = asyncio.create_task(workers.run(work, is_here))
        await asyncio.to_thread(begun.wait)
        with pytest.raises(RefusedError, match="closed the connection"):
            await workers.run(sing, is_gone)
        second = asyncio.create_task(workers.run(sing, is_here))  # it may wait now
        await asyncio.sleep(0)
        ended.set()
        return await asyncio.gather(first, second)

    assert run_apart(run()) == [True, "la"]


@pytest.mark.parametrize("leaves", [True, False])
def test_work_ends_when_its_client_leaves_or_is_cancelled(leaves):
    begun, stopped = Event(), Event()

    def work():
        begun.set()
        try:
            while True:
                check_stopped()
        except StoppedError:
            stopped.set()
            raise

    async def has_left():
        return leaves and begun.is_set()

    async def run():
        workers = Workers(LIMITS)
        request = asyncio.create_task(workers.run(work, has_left))
        if leaves:
            with pytest.raises(RefusedError, match="closed the connection"):
                await request
        else:
            await asyncio.to_thread(begun.wait)
            request.cancel()
            with pytest.raises(asyncio.CancelledError):
                await request
        return await workers.run(sing, is_here)

    assert run_apart(run()) == "la"
    assert stopped.is_set()


def test_who_stays_is_not_stopped_by_those_who_leave():
    async def run():
        workers = Workers(Limits(jobs=2))
        return await asyncio.gather(
            workers.run(sing, is_here), workers.run(sing, is_gone), return_exceptions=True
        )

    answer, refusal = run_apart(run())
    assert answer == "la"
    assert isinstance(refusal, RefusedError)
