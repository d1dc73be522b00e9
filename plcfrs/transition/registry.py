"""The transition systems by name; to add one, enter it here."""

from math import inf
from typing import Any

from plcfrs.errors import InputError
from plcfrs.transition.compound_gap import CompoundGap
from plcfrs.transition.gap import Gap
from plcfrs.transition.skipshift import SkipShift
from plcfrs.transition.stack_and_queue import QueueSystem
from plcfrs.transition.swap import Swap
from plcfrs.transition.system import System

SYSTEMS: dict[str, type[System[Any]]] = {
    system.name: system for system in (Gap, CompoundGap, Swap, SkipShift)
}


def find_system(name: str, order: str = "left", largest: float = inf) -> System[Any]:
    """Return a transition system by its name.

    The order of tokens (see `reorder`) is for systems that can choose one, the maximal number of
    gaps for systems with compound gaps. Raise an InputError if the system or the order is unknown.
    """
    if name not in SYSTEMS:
        raise InputError(f"{name!r} is not a transition system: choose from {', '.join(SYSTEMS)}")
    system = SYSTEMS[name]
    if issubclass(system, QueueSystem):
        return system(order)
    return system(largest) if issubclass(system, CompoundGap) else system()
