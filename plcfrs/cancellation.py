"""Stopping long work when nobody waits for its result any more.

A server says how to find out that a client has left; long work asks from time to time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

Item = TypeVar("Item")


class StoppedError(Exception):
    """Nobody waits for the result any more."""


def _never() -> bool:
    return False


_is_stopped: ContextVar[Callable[[], bool]] = ContextVar("is_stopped", default=_never)


@contextmanager
def stoppable(is_stopped: Callable[[], bool]) -> Iterator[None]:
    """Let work in this context, which asks often, end with `StoppedError` once it is not wanted.

    >>> with stoppable(lambda: True):
    ...     check_stopped()
    Traceback (most recent call last):
        ...
    plcfrs.cancellation.StoppedError
    """
    token = _is_stopped.set(is_stopped)
    try:
        yield
    finally:
        _is_stopped.reset(token)


def check_stopped() -> None:
    """Raise `StoppedError` if the work is no longer wanted."""
    if _is_stopped.get()():
        raise StoppedError


def until_stopped(items: Iterable[Item]) -> Iterator[Item]:
    """Yield items as long as they are wanted, then raise `StoppedError`."""
    for item in items:
        check_stopped()
        yield item
