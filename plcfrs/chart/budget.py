"""The search for one sentence from outside: what it may take, and what it returns.

It may take items, time, and memory that sentences share.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import inf, prod
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from plcfrs.compiling import working_time
from plcfrs.grammar import Derivation, Nonterminal, Rule
from plcfrs.settings import setting
from plcfrs.stopping import check_stopped

Shortage = Literal["out of items", "out of time", "out of memory"]
Status = Literal["parsed", "no parse", "out of items", "out of time", "out of memory"]


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
"""The budget of a sentence unless another one is given."""

UNLIMITED = Budget(inf, inf, inf)
"""No limits: the search takes all time and memory that it needs."""


LEAST = 1e-9
"""The smallest limit of seconds and GiB."""


@dataclass(frozen=True)
class BudgetSettings:
    """Settings of a budget; None is as usual."""

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
    """The arrays of the search would take more memory than they may, or than there is."""

    shortage = "out of memory"


class Deadline:
    """The end of the time for a sentence, which begins now.

    It is an object of its own: code that checks it does not keep the search in memory.
    """

    def __init__(self, budget: Budget) -> None:
        self._time = working_time() + budget.max_seconds

    def check(self) -> None:
        """Raise an error if the time is over or the caller has given up."""
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


_GIB = 1 << 30  # bytes

# Larger arrays are not reused.
_LARGEST = 1 << 27  # bytes


class Workspace:
    """Arrays by name, made once and enlarged if a sentence needs more, up to a size in GiB.

    Systems such as Linux grant more memory than they have, and kill a process that uses it. An
    array with a *fill* has that value everywhere when it is returned: the caller must restore the
    value wherever it wrote another one.
    """

    def __init__(self, max_memory: float = inf) -> None:
        self._most_bytes = max_memory * _GIB
        self._arrays: dict[str, NDArray[Any]] = {}

    def array(
        self,
        name: str,
        shape: int | tuple[int, ...],
        dtype: DTypeLike,
        fill: float | NDArray[np.void] | None = None,
    ) -> NDArray[Any]:
        """Return an array of a shape, valid until the next call with this name."""
        size = prod(shape) if isinstance(shape, tuple) else shape
        kept = self._arrays.get(name)
        if kept is None or kept.size < size:
            self._arrays.pop(name, None)
            self.check_room(size * np.dtype(dtype).itemsize)
            kept = np.empty(size, dtype) if fill is None else np.full(size, fill, dtype)
            self._arrays[name] = kept
        return kept[:size].reshape(shape)

    def filled(
        self, name: str, shape: int | tuple[int, ...], dtype: DTypeLike, value: float
    ) -> NDArray[Any]:
        """Return such an array with a value everywhere, which the caller need not restore."""
        array = self.array(name, shape, dtype)
        array.fill(value)
        return array

    def doubled(self, name: str, array: NDArray[Any]) -> NDArray[Any]:
        """Return an array with twice as many rows; the first ones are those of the old array."""
        size, kept = 2 * array.size, self._arrays[name]
        if kept.size < size:
            self.check_room(2 * array.nbytes)
            kept = np.empty(size, array.dtype)
            kept[: array.size] = array.reshape(-1)
            self._arrays[name] = kept
        return kept[:size].reshape(2 * len(array), *array.shape[1:])

    def check_room(self, more: int) -> None:
        """Raise a MemoryError if all arrays are too large with this many more bytes."""
        if sum(array.nbytes for array in self._arrays.values()) + more > self._most_bytes:
            raise MemoryError

    def trim(self) -> None:
        """Free the largest arrays."""
        self._arrays = {
            name: array for name, array in self._arrays.items() if array.nbytes <= _LARGEST
        }


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


@dataclass(frozen=True, slots=True)
class ParseResult:
    """A derivation of a sentence, or why there is none.

    Parameters
    ----------
    status : {"parsed", "no parse", "out of items", "out of time", "out of memory"}
        In the last three cases the budget was used up before any derivation was found.
    cost : float
        ``-log p`` (natural logarithm) of the derivation; infinite without a parse.
    derivation : Derivation or None
        Of the parser's grammar.
    statistics : Statistics
    lost_mass : float
        Upper bound for the fraction of probability mass that the sums over derivations lack, if the
        objective needs sums.
    gap : float or None
        How much less the most probable derivation may cost than this one: its cost less the
        greatest proven bound. 0 if this one is proven to be the most probable; infinite if nothing
        is proven. Of n-best parses, the one of the same rank. None without a derivation, and where
        another one than the most probable is wanted.
    """

    status: Status
    cost: float = inf
    derivation: Derivation | None = None
    statistics: Statistics = field(default_factory=Statistics)
    lost_mass: float = 0.0
    gap: float | None = None

    def _repr_svg_(self) -> str | None:
        """Return the picture of the derivation for a notebook."""
        return None if self.derivation is None else self.derivation._repr_svg_()


class Expectations(NamedTuple):
    """Sums over the derivations of a sentence.

    Parameters
    ----------
    log_probability : float
        Natural logarithm of the probability of the sentence.
    rule_counts : dict of Rule to float
        How often each rule of the grammar is expected in a derivation.
    constituents : dict of (Nonterminal, int) to float
        How often each nonterminal over each span (a bitset) is expected, without intermediate
        symbols. Touching ranges are one, and the nonterminal is that of `proper_gaps`.
    lost_mass : float
        Upper bound for the missing fraction of probability mass.
    """

    log_probability: float
    rule_counts: dict[Rule, float]
    constituents: dict[tuple[Nonterminal, int], float]
    lost_mass: float
