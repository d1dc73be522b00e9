"""The limits of requests, and threads for long jobs, each with its time and its memory."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, nullcontext, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from math import inf
from mmap import PAGESIZE as _PAGE
from pathlib import Path
from threading import Thread
from typing import TypeVar

from plcfrs.budget import DEFAULT, LEAST, Budget
from plcfrs.compiling import Clock, working_time
from plcfrs.errors import InputError
from plcfrs.settings import setting
from plcfrs.stopping import StoppedError, stoppable

Answer = TypeVar("Answer")

# The most characters of a token on average, including blanks and tags.
_CHARACTERS = 100
# Seconds between two looks at a job: whether its client has left, and what it takes.
_PATIENCE = 0.1
# Seconds more than a job has, after which its client gets an answer even if the job goes on.
_GRACE = 1.0
SENTENCE = 3
"""How many times as long as a search a job may take that parses: there are also fallbacks."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of requests, of which the command has options."""

    max_length: int = setting(100, "Refuse sentences of more than N words.", least=1)
    max_seconds: float = setting(
        DEFAULT.max_seconds,
        "Stop a parse or a search after this time; inf for no limit.",
        least=LEAST,
        fraction=True,
        metavar="SECONDS",
    )
    max_items: float = setting(
        5_000_000, "Stop the search of a sentence after N chart items; inf for no limit.", least=1
    )
    max_memory: float = setting(
        DEFAULT.max_memory,
        "Stop the search of a sentence when its arrays take more memory than this; inf for no "
        "limit.",
        least=LEAST,
        fraction=True,
        metavar="GIB",
    )
    jobs: int = setting(
        2, "Number of parses and searches at the same time; further requests wait.", least=1
    )
    waiting: int = setting(
        64, "Number of requests that may wait; further requests are refused.", least=0
    )
    max_megabytes: int = setting(
        10, "Refuse larger uploads.", least=1, metavar="MB", option="max-upload"
    )
    uploads: int = 4
    """Uploaded treebanks that are kept."""
    nbest: int = 50
    """Parses of a sentence."""

    @property
    def budget(self) -> Budget:
        """The budget of a sentence."""
        return Budget(self.max_items, self.max_seconds, self.max_memory)

    @property
    def max_characters(self) -> int:
        """Characters of a sentence."""
        return _CHARACTERS * self.max_length

    @property
    def max_bytes(self) -> int:
        """Bytes of a request."""
        return max(self.max_megabytes * 2**20, 4 * self.max_characters)


class RefusedError(InputError):
    """A refused request, with its HTTP status."""

    def __init__(self, status: int, message: str) -> None:
        self.status = status
        super().__init__(message)


class Job:
    """A job, which is stopped if it takes too long or too much memory, or its client leaves."""

    def __init__(self, limits: Limits, times: int) -> None:
        self._limits = limits
        self._clock = Clock(working_time)
        self._seconds = times * limits.max_seconds + (times > 1)
        self._end = self._clock() + self._seconds
        self._memory = _resident_memory()
        self._reason = ""

    def check(self) -> None:
        """Raise a StoppedError if it must end."""
        if self._clock() > self._end:
            self.stop(
                f"this took longer than {self._seconds:g} seconds: search for less, or start the "
                "server with a larger --max-seconds"
            )
        if self._reason:
            raise StoppedError(self._reason)

    def check_memory(self) -> None:
        """Stop it if the process has grown too much since it began: threads share their memory."""
        most = self._limits.max_memory
        if (_resident_memory() - self._memory) / 2**30 > most:
            self.stop(
                f"this took more memory than {most:g} GiB: search for less, or start the server "
                "with a larger --max-memory"
            )

    @property
    def is_late(self) -> bool:
        """Whether it has not ended although it should have."""
        return self._clock() > self._end + _GRACE

    def stop(self, reason: str) -> None:
        """Let it end at its next check."""
        self._reason = self._reason or reason

    @contextmanager
    def untimed(self) -> Iterator[None]:
        """Let its clock stand still, and let it keep what it makes meanwhile."""
        self._clock.stop()
        memory, self._memory = self._memory, inf
        try:
            yield
        finally:
            self._memory = max(memory, _resident_memory())
            self._clock.go_on()


_job: ContextVar[Job | None] = ContextVar("job", default=None)


@contextmanager
def untimed() -> Iterator[None]:
    """Let what this job does here, such as reading a treebank of the server, have all its time."""
    job = _job.get()
    with job.untimed() if job else nullcontext():
        yield


def _resident_memory() -> float:
    """Return the bytes that this process has in memory; 0 on a system that does not tell."""
    with suppress(OSError):
        pages = Path("/proc/self/statm").read_text("ascii").split()[1]
        return float(pages) * _PAGE
    return 0.0


class Workers:
    """Runs jobs in separate threads, a few at a time, so that none blocks the others.

    The kernels release the interpreter lock. The threads are daemons: the server can end while
    a kernel is running.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._slots = asyncio.Semaphore(limits.jobs)
        self._waiting = 0

    async def run(
        self, work: Callable[[], Answer], is_gone: Callable[[], Awaitable[bool]], times: int = 1
    ) -> Answer:
        """Run a job and return its result; if the client has left, the job is stopped.

        It may take some `times` as long as a search.
        """
        await self._wait(is_gone)
        try:
            await _check(is_gone)
            job = Job(self._limits, times)
            answer = self._begin(work, job)
        except BaseException:
            self._slots.release()
            raise
        try:
            return await _unless_gone(answer, is_gone, job)
        finally:
            job.stop("nobody waits for the answer")
            answer.cancel()

    def _begin(self, work: Callable[[], Answer], job: Job) -> asyncio.Future[Answer]:
        """Run a job in a thread until it ends or is stopped, and then release its slot."""
        loop = asyncio.get_running_loop()
        answer: Future[Answer] = Future()
        answer.set_running_or_notify_cancel()  # so the thread alone settles it
        answer.add_done_callback(lambda _: loop.call_soon_threadsafe(self._slots.release))

        def run() -> None:
            _job.set(job)
            try:
                with stoppable(job.check):
                    answer.set_result(work())
            except BaseException as error:  # it is raised where the answer is awaited
                answer.set_exception(error)

        Thread(target=run, daemon=True).start()
        return asyncio.wrap_future(answer)

    async def _wait(self, is_gone: Callable[[], Awaitable[bool]]) -> None:
        """Wait for a slot."""
        if self._slots.locked() and self._waiting >= self._limits.waiting:
            raise RefusedError(429, "too many requests are already waiting: try again in a moment")
        self._waiting += 1
        slot = asyncio.ensure_future(self._slots.acquire())
        try:
            await asyncio.wait_for(_unless_gone(slot, is_gone), self._limits.max_seconds)
        except BaseException as error:
            if not slot.cancel():  # it was given in the meantime
                self._slots.release()
            if not isinstance(error, asyncio.TimeoutError):
                raise
            raise RefusedError(
                503,
                f"the server has been busy for {self._limits.max_seconds:g} seconds: "
                "try again in a moment",
            ) from None
        finally:
            self._waiting -= 1


async def _unless_gone(
    future: asyncio.Future[Answer],
    is_gone: Callable[[], Awaitable[bool]],
    job: Job | None = None,
) -> Answer:
    """Return a result, as long as the client waits for it and the job has time and memory."""
    while not (await asyncio.wait([future], timeout=_PATIENCE))[0]:
        await _check(is_gone)
        if job:
            job.check_memory()
            if job.is_late:
                job.check()
    return future.result()


async def _check(is_gone: Callable[[], Awaitable[bool]]) -> None:
    if await is_gone():
        raise RefusedError(503, "the client has closed the connection")
