"""Long work that ends early, since nobody waits for it any more or its time is over.

Whoever starts work says how to find out; the work asks from time to time, wherever it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from plcfrs.errors import PlcfrsError

Item = TypeVar("Item")


class StoppedError(PlcfrsError):
    """Work that was stopped, and why."""


_checks: ContextVar[tuple[Callable[[], object], ...]] = ContextVar("checks", default=())


@contextmanager
def stoppable(check: Callable[[], object]) -> Iterator[None]:
    """Let work in this context, which asks often, end with the error that `check` raises.

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


def check_stopped() -> None:
    """Raise an error if the work is no longer wanted."""
    for check in _checks.get():
        check()


def until_stopped(items: Iterable[Item]) -> Iterator[Item]:
    """Yield items as long as they are wanted, then raise an error."""
    for item in items:
        check_stopped()
        yield item
