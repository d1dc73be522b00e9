"""Stopping long work, because its caller cancelled it or its time is over.

The caller gives a check; the work calls it from time to time, wherever it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from time import perf_counter
from typing import TypeVar

from plcfrs.errors import PlcfrsError

Item = TypeVar("Item")


class StoppedError(PlcfrsError):
    """Work that was stopped, and why."""


_checks: ContextVar[tuple[Callable[[], object], ...]] = ContextVar("checks", default=())


@contextmanager
def stoppable(check: Callable[[], object]) -> Iterator[None]:
    """Let work in this context end with the error that `check` raises; the work calls it often.

    A context within another one has the checks of both.

    >>> def check():
    ...     raise StoppedError("the client has left")
    >>> with stoppable(check):
    ...     check_stopped()
    Traceback (most recent call last):
        ...
    plcfrs.stopping.StoppedError: the client has left
    """
    token = _checks.set((*_checks.get(), check))
    try:
        yield
    finally:
        _checks.reset(token)


class TimeLimit:
    """A limit of seconds for all parts of some work, each done in its context.

    >>> limit = TimeLimit(0)
    >>> with limit.part():
    ...     check_stopped()
    Traceback (most recent call last):
        ...
    plcfrs.stopping.StoppedError: it took longer than 0 seconds
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = self._left = seconds

    @contextmanager
    def part(self) -> Iterator[None]:
        """Count the time of a part."""
        end = perf_counter() + self._left

        def check() -> None:
            if perf_counter() > end:
                raise StoppedError(f"it took longer than {self._seconds:g} seconds")

        try:
            with stoppable(check):
                yield
        finally:
            self._left = end - perf_counter()


NO_LIMIT = TimeLimit(inf)


def check_stopped() -> None:
    """Raise an error if the work should stop."""
    for check in _checks.get():
        check()


def until_stopped(items: Iterable[Item]) -> Iterator[Item]:
    """Yield items; raise an error as soon as the work should stop."""
    for item in items:
        check_stopped()
        yield item
