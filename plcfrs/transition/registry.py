"""The transition systems by their names; to add one, enter it here."""

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
        The order of tokens, see `reorder`, of systems that can choose one.
    largest : int or inf
        How many gaps a compound gap has at most, of systems that have such.

    Raises
    ------
    InputError
        If there is no such system or order.
    """
    if name not in SYSTEMS:
        raise InputError(f"no transition system {name!r}: expected one of {', '.join(SYSTEMS)}")
    return SYSTEMS[name].of(order, largest)
