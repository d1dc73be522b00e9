"""The limits of requests, and threads for long jobs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from dataclasses import dataclass
from threading import Event, Thread
from typing import TypeVar

from plcfrs.chart.budget import DEFAULT, LEAST, Budget
from plcfrs.errors import InputError
from plcfrs.settings import setting
from plcfrs.stopping import StoppedError, stoppable

Answer = TypeVar("Answer")

# The most characters of a token on average, including blanks and tags.
_CHARACTERS = 100
# Seconds after which a job whose client has left is stopped.
_PATIENCE = 0.1


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
        self, job: Callable[[], Answer], is_gone: Callable[[], Awaitable[bool]]
    ) -> Answer:
        """Run a job and return its result; if the client has left, the job is stopped."""
        await self._wait(is_gone)
        stop = Event()
        try:
            await _check(is_gone)
            answer = self._begin(job, stop)
        except BaseException:
            self._slots.release()
            raise
        try:
            return await _unless_gone(answer, is_gone)
        finally:
            stop.set()
            answer.cancel()

    def _begin(self, job: Callable[[], Answer], stop: Event) -> asyncio.Future[Answer]:
        """Run a job in a thread until it ends or is stopped, and then release its slot."""
        loop = asyncio.get_running_loop()
        answer: Future[Answer] = Future()
        answer.set_running_or_notify_cancel()  # so the thread alone settles it
        answer.add_done_callback(lambda _: loop.call_soon_threadsafe(self._slots.release))

        def check() -> None:
            if stop.is_set():
                raise StoppedError("nobody waits for the answer")

        def work() -> None:
            try:
                with stoppable(check):
                    answer.set_result(job())
            except BaseException as error:  # it is raised where the answer is awaited
                answer.set_exception(error)

        Thread(target=work, daemon=True).start()
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
    future: asyncio.Future[Answer], is_gone: Callable[[], Awaitable[bool]]
) -> Answer:
    """Return a result, as long as the client waits for it."""
    while not (await asyncio.wait([future], timeout=_PATIENCE))[0]:
        await _check(is_gone)
    return future.result()


async def _check(is_gone: Callable[[], Awaitable[bool]]) -> None:
    if await is_gone():
        raise RefusedError(503, "the client has closed the connection")
