"""The transition systems by name; to add one, enter it here."""

from math import inf
from typing import Any

from plcfrs.errors import InputError
from plcfrs.transition.compound_gap import CompoundGap
from plcfrs.transition.gap import Gap
from plcfrs.transition.skipshift import SkipShift
from plcfrs.transition.swap import Swap
from plcfrs.transition.system import System

SYSTEMS: dict[str, type[System[Any]]] = {
    system.name: system for system in (Gap, CompoundGap, Swap, SkipShift)
}


def find_system(name: str, order: str = "left", largest: float = inf) -> System[Any]:
    """Return a transition system.

    Parameters
    ----------
    name : str
        One of `SYSTEMS`.
    order : str
        The order of tokens (see `reorder`), for systems that can choose one.
    largest : int or inf
        The maximal number of gaps in a compound gap, for systems with compound gaps.

    Raises
    ------
    InputError
        If the system or the order is unknown.
    """
    if name not in SYSTEMS:
        raise InputError(f"{name!r} is not a transition system: choose from {', '.join(SYSTEMS)}")
    return SYSTEMS[name].of(order, largest)
