"""The transition systems by their names."""

from math import inf
from typing import Any

from plcfrs.errors import InputError
from plcfrs.transition.compound_gap import CompoundGap
from plcfrs.transition.gap import Gap
from plcfrs.transition.skipshift import SkipShift
from plcfrs.transition.swap import Swap
from plcfrs.transition.system import System

SYSTEMS = ("gap", "cgap", "swap", "skipshift")


def find_system(name: str, order: str = "left", largest: float = inf) -> System[Any]:
    """Return a transition system.

    Parameters
    ----------
    name : str
        ``"gap"``, ``"cgap"``, ``"swap"`` or ``"skipshift"``.
    order : str
        The order of tokens for swap and skipshift, see `reorder`.
    largest : int or inf
        How many gaps a compound gap has at most, for cgap.

    Raises
    ------
    InputError
        If there is no such system or order.
    """
    match name:
        case "gap":
            return Gap()
        case "cgap":
            return CompoundGap(largest)
        case "swap":
            return Swap(order)
        case "skipshift":
            return SkipShift(order)
    raise InputError(f"no transition system {name!r}: expected one of {', '.join(SYSTEMS)}")
