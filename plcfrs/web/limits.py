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

Result = TypeVar("Result")

# The most characters per token, including blanks and tags.
_CHARACTERS = 100
# How often the client and the memory of a job are checked.
_SECONDS_BETWEEN_CHECKS = 0.1
# Seconds after the end of its time at which the client gets an error even if the job goes on.
_GRACE = 1.0
PARSE_TIMES = 3
"""Parsing may take this many times as long as one search, since there are also fallbacks."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of requests, most of them options of ``plcfrs serve``."""

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
    """The most uploaded treebanks."""
    nbest: int = 50
    """The most parses of a sentence."""

    @property
    def budget(self) -> Budget:
        """The budget of a sentence."""
        return Budget(self.max_items, self.max_seconds, self.max_memory)

    @property
    def max_characters(self) -> int:
        """The most characters in a sentence."""
        return _CHARACTERS * self.max_length

    @property
    def max_bytes(self) -> int:
        """The most bytes in a request."""
        return max(self.max_megabytes * 2**20, 4 * self.max_characters)


class RefusedError(InputError):
    """A refused request, with its HTTP status."""

    def __init__(self, status: int, message: str) -> None:
        self.status = status
        super().__init__(message)


class Job:
    """A job that stops if it takes too much time or memory, or if its client leaves."""

    def __init__(self, limits: Limits, times: int) -> None:
        self._limits = limits
        self._clock = Clock(working_time)
        self._seconds = times * limits.max_seconds + (times > 1)
        self._end = self._clock() + self._seconds
        self._memory = _resident_memory()
        self._reason = ""

    def check(self) -> None:
        """Raise a StoppedError if the job must end."""
        if self._clock() > self._end:
            self.stop(
                f"this took longer than {self._seconds:g} seconds: search for less, or start the "
                "server with a larger --max-seconds"
            )
        if self._reason:
            raise StoppedError(self._reason)

    def check_memory(self) -> None:
        """Stop the job if the process has grown too much since it began (threads share memory)."""
        most = self._limits.max_memory
        if (_resident_memory() - self._memory) / 2**30 > most:
            self.stop(
                f"this took more memory than {most:g} GiB: search for less, or start the server "
                "with a larger --max-memory"
            )

    @property
    def is_late(self) -> bool:
        """Whether the job should have ended some time ago."""
        return self._clock() > self._end + _GRACE

    def stop(self, reason: str) -> None:
        """Let the job end at its next check."""
        self._reason = self._reason or reason

    @contextmanager
    def untimed(self) -> Iterator[None]:
        """Count no time and no memory."""
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
    """Set no limit to what the current job does here, such as reading a treebank."""
    job = _job.get()
    with job.untimed() if job else nullcontext():
        yield


def _resident_memory() -> float:
    """Return the resident memory of this process in bytes, or 0 if the system does not tell."""
    with suppress(OSError):
        pages = Path("/proc/self/statm").read_text("ascii").split()[1]
        return float(pages) * _PAGE
    return 0.0


class Workers:
    """Threads for a few jobs at a time, so that no job blocks the others.

    The kernels release the interpreter lock. The threads are daemons, so the server can end while
    a kernel is running.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._slots = asyncio.Semaphore(limits.jobs)
        self._waiting = 0

    async def run(
        self, work: Callable[[], Result], is_gone: Callable[[], Awaitable[bool]], times: int = 1
    ) -> Result:
        """Run a job and return its result; stop it if the client leaves.

        Its time limit is `times` that of a search.
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
            job.stop("the client does not wait for the answer any more")
            answer.cancel()

    def _begin(self, work: Callable[[], Result], job: Job) -> asyncio.Future[Result]:
        """Run a job in a thread, which releases its slot at the end."""
        loop = asyncio.get_running_loop()
        answer: Future[Result] = Future()
        answer.set_running_or_notify_cancel()  # now only the thread sets the result
        answer.add_done_callback(lambda _: loop.call_soon_threadsafe(self._slots.release))

        def run() -> None:
            _job.set(job)
            try:
                with stoppable(job.check):
                    answer.set_result(work())
            except BaseException as error:  # raised where the answer is awaited
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
            if not slot.cancel():  # acquired in the meantime
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
    future: asyncio.Future[Result],
    is_gone: Callable[[], Awaitable[bool]],
    job: Job | None = None,
) -> Result:
    """Return a result; raise if the client leaves, or the job takes too much time or memory."""
    while not (await asyncio.wait([future], timeout=_SECONDS_BETWEEN_CHECKS))[0]:
        await _check(is_gone)
        if job:
            job.check_memory()
            if job.is_late:
                job.check()
    return future.result()


async def _check(is_gone: Callable[[], Awaitable[bool]]) -> None:
    if await is_gone():
        raise RefusedError(503, "the client has closed the connection")
