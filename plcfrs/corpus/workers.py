"""Worker processes: results come in order, and a process that dies is replaced.

Workers are not forked from this process: its threads (Numba's, a progress bar's) may hold locks
that nobody would release. They are forked from a process that does nothing else (Python's *fork
server*) and imports what they need once; on Windows they are spawned.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from math import inf
from multiprocessing import forkserver, resource_tracker
from multiprocessing.connection import Connection, wait
from threading import Thread, current_thread, main_thread
from time import monotonic
from traceback import format_exception
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar

from plcfrs.compiling import tell_watchers, watchers
from plcfrs.errors import WorkerError

if TYPE_CHECKING:
    from ctypes import c_longlong

Item = TypeVar("Item")
Result = TypeVar("Result")

# Extra seconds for the first item of a process, and for each kernel that it compiles.
_COMPILATION = 120.0

# We give up if this many processes in a row die before they are ready.
_FALSE_STARTS = 3

# A worker collects results for this many seconds, because each message wakes this process.
_INTERVAL = 0.02

# The reason why an item is lost if the worker did not die by itself.
TOO_LONG = "took too long"

# Trees have no cycles, but the garbage collector would search them again and again.
_NEW_OBJECTS = 100_000

_METHOD = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
_CONTEXT: Any = multiprocessing.get_context(_METHOD)  # both have the same functions


def get_ready(*modules: str) -> None:
    """Import what a later `map_in_order` needs, while this process does other things."""
    if _METHOD == "forkserver":
        if modules:
            _CONTEXT.set_forkserver_preload(list(modules))
        resource_tracker.ensure_running()  # the fork server would start it, and allow Ctrl-C
        with _without_interrupts():
            forkserver.ensure_running()


class AtOnce(Generic[Item, Result]):
    """A function that takes all items of a chunk at once, because that is faster."""

    def __init__(self, function: Callable[[Sequence[Item]], Sequence[Result]]) -> None:
        self.function = function

    def __call__(self, item: Item) -> Result:
        """Return the result of a single item."""
        (result,) = self.function([item])
        return result


def map_in_order(
    start: Callable[[], Callable[[Item], Result]],
    chunks: Iterable[Sequence[Item]],
    jobs: int,
    *,
    lost: Callable[[Item, str], Result] | None = None,
    seconds: float = inf,
    ahead: int = 4,
) -> Iterator[Result]:
    """Apply a function to many items in several processes.

    Chunks are read when a process needs work, not far ahead of the results: the input may be
    infinite. If a process dies or takes too long, another one replaces it and does the rest of its
    chunk. The item at which it ended is tried once more, and then given up. An exception of the
    function is raised here.

    Parameters
    ----------
    start : callable
        Called once in each process, returns the function. It is pickled, as are items and results:
        a function of a module, a `functools.partial` of one, or an object with ``__call__``. An
        `AtOnce` gets whole chunks, and single items only after a process has ended.
    chunks : iterable of sequences
        Each chunk has the items that a process gets at a time.
    jobs : int
        The number of processes.
    lost : callable, optional
        Gets an item that was given up, and the reason, and returns a result for it. By default, an
        error is raised.
    seconds : float
        A process that takes longer for one item is ended.
    ahead : int
        Number of chunks per process that are read ahead of the next result, and kept in memory: the
        other processes work on them while one is busy with a long item.

    Yields
    ------
    object
        The result of each item of each chunk, in order.

    Raises
    ------
    WorkerError
        If no process gets ready, or an item is given up and there is no `lost`.

    Examples
    --------
    >>> from functools import partial
    >>> list(map_in_order(partial(partial, divmod, 17), [[5, 4], [3]], jobs=2))
    [(3, 2), (4, 1), (5, 2)]
    """
    with _Pool(start, jobs, lost or _give_up, seconds) as pool:
        unread = iter(chunks)
        pending: deque[_Chunk[Item, Result]] = deque()
        is_read = False
        while pending or not is_read:
            while not is_read and pool.wants_work and len(pending) < ahead * jobs:
                items = next(unread, None)
                if items is None:
                    is_read = True
                else:
                    pending.append(_Chunk(items))
                    pool.hand_out(pending[-1])
            while pending and (pending[0].results or pending[0].is_done):
                if pending[0].results:
                    yield pending[0].results.popleft()
                else:
                    pending.popleft()
            if pending:
                pool.wait()


class _Chunk(Generic[Item, Result]):
    """Items, and those of their results that were not yielded yet."""

    def __init__(self, items: Sequence[Item]) -> None:
        self.items = items
        self.results: deque[Result] = deque()
        self.done = 0
        self.suspect: int | None = None  # the item at which a process has ended

    @property
    def is_done(self) -> bool:
        return self.done == len(self.items)

    def add(self, results: Sequence[Result]) -> None:
        self.results += results
        self.done += len(results)


class _Worker(Generic[Item, Result]):
    """A process, the connection to it, and what it is doing."""

    def __init__(self, start: Callable[[], Callable[[Item], Result]]) -> None:
        self.connection, other_end = _CONTEXT.Pipe()
        self._place = _CONTEXT.RawValue("q", 0)  # of the current item among those sent to it
        self._first = 0  # place of the first of these in the chunk
        self.process = _CONTEXT.Process(
            target=_work, args=(other_end, start, self._place), daemon=True
        )
        with _without_interrupts():
            self.process.start()
        other_end.close()
        self.is_ready = False
        self.chunk: _Chunk[Item, Result] | None = None
        self.deadline = inf
        self.extra_seconds = _COMPILATION

    def give(self, chunk: _Chunk[Item, Result], seconds: float) -> None:
        """Send the rest of a chunk; if it has a suspect, each result is sent at once."""
        self.chunk = chunk
        self._first, self._place.value = chunk.done, 0
        self.wait(seconds)
        interval = _INTERVAL if chunk.suspect is None else 0.0
        with suppress(OSError):  # the worker is dead, as `wait` will notice
            self.connection.send((chunk.items[chunk.done :], interval))

    def wait(self, seconds: float) -> None:
        """Set the deadline of the next result, with time to compile a kernel if needed."""
        if self.chunk is not None:
            self.deadline = monotonic() + seconds + self.extra_seconds

    @property
    def place(self) -> int:
        """The place of the current item in its chunk."""
        return self._first + int(self._place.value)

    def take(self, results: Sequence[Result], seconds: float) -> None:
        """Add the results of the next items to the chunk."""
        assert self.chunk is not None
        self.chunk.add(results)
        self.extra_seconds = 0.0
        self.deadline = monotonic() + seconds
        if self.chunk.is_done:
            self.chunk, self.deadline = None, inf

    def end(self) -> str:
        """Kill the process and return how it ended."""
        self.process.kill()
        self.process.join()
        self.connection.close()
        code = self.process.exitcode or 0
        return f"ended by {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"


class _Pool(Generic[Item, Result]):
    """The workers, and the chunks that wait for one."""

    def __init__(
        self,
        start: Callable[[], Callable[[Item], Result]],
        jobs: int,
        lost: Callable[[Item, str], Result],
        seconds: float,
    ) -> None:
        self._start = start
        self._lost = lost
        self._seconds = seconds
        self._waiting: deque[_Chunk[Item, Result]] = deque()
        self._false_starts = 0
        self._jobs = jobs
        self._workers: list[_Worker[Item, Result]] = []

    def __enter__(self) -> _Pool[Item, Result]:
        get_ready()
        try:
            self._workers += [_Worker(self._start) for _ in range(self._jobs)]
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.end()

    @property
    def wants_work(self) -> bool:
        """Whether more workers are idle than chunks are waiting."""
        return len(self._waiting) < sum(worker.chunk is None for worker in self._workers)

    def hand_out(self, chunk: _Chunk[Item, Result]) -> None:
        """Give a chunk to the next worker that is ready."""
        self._waiting.append(chunk)
        self._hand_out()

    def wait(self) -> None:
        """Wait for a result, or for a worker to get ready, to die or to take too long."""
        deadline = min(worker.deadline for worker in self._workers)
        timeout = None if deadline == inf else max(0.0, deadline - monotonic())
        ready = wait([worker.connection for worker in self._workers], timeout)
        for place, worker in enumerate(self._workers):
            if worker.connection in ready:
                try:
                    results, problem = worker.connection.recv()
                except (EOFError, OSError):
                    self._replace(place, worker.end())
                    continue
                if results is None:  # it compiles
                    worker.extra_seconds = _COMPILATION
                    worker.wait(self._seconds)
                    tell_watchers(problem)
                    continue
                self._receive(worker, results)
                if problem is not None:
                    error, traceback = problem
                    raise error from WorkerError(f"in a worker process:\n{traceback}")
            elif monotonic() > worker.deadline:
                worker.end()
                self._replace(place, TOO_LONG)
        self._hand_out()

    def _hand_out(self) -> None:
        for worker in self._workers:
            if self._waiting and worker.is_ready and worker.chunk is None:
                worker.give(self._waiting.popleft(), self._seconds)

    def _receive(self, worker: _Worker[Item, Result], results: Sequence[Result]) -> None:
        if results:
            worker.take(results, self._seconds)
        worker.is_ready = True
        self._false_starts = 0

    def _replace(self, place: int, why: str) -> None:
        """Replace a worker that has ended; its chunk, if any, waits again."""
        worker = self._workers[place]
        if not worker.is_ready:
            self._false_starts += 1
            if self._false_starts == _FALSE_STARTS:
                raise WorkerError(
                    f"the worker processes end before they are ready ({why}): a script must start "
                    "them below if __name__ == '__main__'"
                )
        chunk = worker.chunk
        self._workers[place] = _Worker(self._start)
        if chunk is None:
            return
        if chunk.suspect == worker.place:
            chunk.add([self._lost(chunk.items[worker.place], why)])
        chunk.suspect = worker.place
        if not chunk.is_done:
            self._waiting.appendleft(chunk)


def _give_up(_item: object, why: str) -> NoReturn:
    raise WorkerError(f"a worker process {why}, and so did a second one on the same item")


def _work(
    connection: Connection, start: Callable[[], Callable[[Any], object]], place: c_longlong
) -> None:
    """Work on chunks, in a worker, until the connection is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interrupt means
    gc.set_threshold(max(gc.get_threshold()[0], _NEW_OBJECTS))
    Thread(target=_end_with_parent, daemon=True).start()
    watchers.add(lambda trouble: connection.send((None, trouble)))  # this process compiles
    with suppress(BrokenPipeError, ConnectionResetError):
        for answer in _answers(connection, start, place):
            connection.send(answer)


def _answers(
    connection: Connection, start: Callable[[], Callable[[Any], object]], place: c_longlong
) -> Iterator[tuple[Sequence[object], tuple[Exception, str] | None]]:
    """Yield a message that the worker is ready, then results, and an exception last."""
    results: list[object] = []
    try:
        function = start()
        yield (), None
        while received := _received(connection):
            items, interval = received
            if isinstance(function, AtOnce) and interval:
                yield function.function(items), None
                continue
            sent = monotonic()
            for place.value, item in enumerate(items):
                results.append(function(item))
                if monotonic() >= sent + interval:
                    yield results, None
                    results, sent = [], monotonic()
            if results:
                yield results, None
                results = []
    except Exception as error:
        yield results, (error, "".join(format_exception(error)))


def _received(connection: Connection) -> tuple[Sequence[Any], float] | None:
    try:
        return connection.recv()  # type: ignore[no-any-return]
    except (EOFError, ConnectionResetError):
        return None


def _end_with_parent() -> None:
    """End this process as soon as its parent ends, even by SIGKILL."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Block Ctrl-C while a process is started; this process gets it a moment later."""
    if sys.platform == "win32":
        yield
        return
    interrupts: list[int] = []
    mask_before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    handler = signal.getsignal(signal.SIGINT)
    is_main = current_thread() is main_thread()
    if is_main:  # signals for other threads are handled in this one, whatever it blocks
        signal.signal(signal.SIGINT, lambda number, _: interrupts.append(number))
    try:
        yield
    finally:
        if is_main:
            signal.signal(signal.SIGINT, handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask_before)
        if interrupts:
            signal.raise_signal(signal.SIGINT)
