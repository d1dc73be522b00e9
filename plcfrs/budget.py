"""Limits for the work on one sentence, and what a search took: items, time and memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import inf
from typing import Literal, NamedTuple

from plcfrs.compiling import working_time
from plcfrs.settings import setting
from plcfrs.stopping import check_stopped

Shortage = Literal["out of items", "out of time", "out of memory"]


class Budget(NamedTuple):
    """Limits for parsing one sentence.

    Parameters
    ----------
    max_items : float
    max_seconds : float
        Of wall time for the network, the search and all members, checked from time to time, without
        the compilation of kernels.
    max_memory : float
        The size of the arrays of the search, in GiB.

    Examples
    --------
    >>> Budget(max_seconds=60)
    Budget(max_items=inf, max_seconds=60, max_memory=1.0)
    """

    max_items: float = inf
    max_seconds: float = 10.0
    max_memory: float = 1.0


DEFAULT = Budget()
"""The default budget of a sentence."""

UNLIMITED = Budget(inf, inf, inf)
"""No limits: the search takes all time and memory that it needs."""


LEAST = 1e-9
"""The smallest limit of seconds and GiB."""


@dataclass(frozen=True)
class BudgetSettings:
    """Settings of a budget; None is the default."""

    max_items: float | None = setting(
        None, "Stop the search of a sentence after N chart items.  [default: inf]", least=1
    )
    max_seconds: float | None = setting(
        None,
        "Stop parsing a sentence after this time, the network included; inf for no limit.  "
        f"[default: {DEFAULT.max_seconds:g}]",
        least=LEAST,
        fraction=True,
        metavar="SECONDS",
    )
    max_memory: float | None = setting(
        None,
        "Stop the search of a sentence when its arrays take more memory than this; inf for no "
        f"limit.  [default: {DEFAULT.max_memory:g}]",
        least=LEAST,
        fraction=True,
        metavar="GIB",
    )

    @property
    def chosen(self) -> Budget:
        """The budget."""
        given = {name: value for name, value in vars(self).items() if value is not None}
        return DEFAULT._replace(**given)

    @property
    def wall_seconds(self) -> float:
        """The seconds for a sentence after which a process is ended.

        Search and fallback have a budget each; the rest is for everything else, such as compiling
        kernels in all processes at once.
        """
        return 4 * self.chosen.max_seconds + 120


class OutOfBudgetError(Exception):
    """The budget of a search is used up."""

    shortage: Shortage


class OutOfItemsError(OutOfBudgetError):
    """The search ran out of items."""

    shortage = "out of items"


class OutOfTimeError(OutOfBudgetError):
    """The search ran out of time."""

    shortage = "out of time"


class OutOfMemoryError(OutOfBudgetError):
    """The arrays of the search would take more memory than allowed, or than there is."""

    shortage = "out of memory"


class Deadline:
    """The end of the time for a sentence, which begins now.

    It is an object of its own: code that checks it does not keep the search in memory.
    """

    def __init__(self, budget: Budget) -> None:
        self._time = working_time() + budget.max_seconds

    def check(self) -> None:
        """Raise an error if the time is over or the caller has cancelled."""
        check_stopped()
        self.check_time()

    def check_time(self) -> None:
        """Raise an error if the time is over: a check for `plcfrs.stopping.stoppable`."""
        if working_time() > self._time:
            raise OutOfTimeError


@contextmanager
def within_memory() -> Iterator[None]:
    """Turn a lack of memory into a used-up budget, so that only one sentence fails."""
    try:
        yield
    except MemoryError:
        raise OutOfMemoryError from None


@dataclass(frozen=True, slots=True)
class Statistics:
    """Statistics of the search for one sentence.

    Parameters
    ----------
    items, popped : int
        Items that were created, and that were taken from the agenda.
    improved : int
        Items that got a lower cost after they were popped, and were popped again.
    edges : int
        Instances of rules over popped items; with outside estimates, only those whose result may
        be in a parse.
    pair_tests : int
        Pairs of items that were tested for a binary rule.
    estimate_seconds, search_seconds : float
        Wall time for the costs of the relaxation, and for the deduction, in seconds.
    """

    items: int = 0
    popped: int = 0
    improved: int = 0
    edges: int = 0
    pair_tests: int = 0
    estimate_seconds: float = field(default=0.0, compare=False)
    search_seconds: float = field(default=0.0, compare=False)
