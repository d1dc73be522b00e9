"""Limits for the search for one sentence, and what happens when they are reached."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from typing import Literal, NamedTuple

Shortage = Literal["out of items", "out of time", "out of memory"]


class Budget(NamedTuple):
    """Limits for the search for one sentence.

    Parameters
    ----------
    max_items : float
        The maximal number of items.
    max_seconds : float
        The maximal wall time in seconds, checked from time to time.
    """

    max_items: float = inf
    max_seconds: float = inf


UNLIMITED = Budget()


class OutOfBudgetError(Exception):
    """The search ran out of items or time."""

    shortage: Shortage


class OutOfItemsError(OutOfBudgetError):
    """The search ran out of items."""

    shortage = "out of items"


class OutOfTimeError(OutOfBudgetError):
    """The search ran out of time."""

    shortage = "out of time"


class OutOfMemoryError(OutOfBudgetError):
    """The arrays of the search would take more than `MOST_BYTES`, or than there is."""

    shortage = "out of memory"


@contextmanager
def within_memory() -> Iterator[None]:
    """Turn a lack of memory into a used-up budget, so that only one sentence fails."""
    try:
        yield
    except MemoryError:
        raise OutOfMemoryError from None
