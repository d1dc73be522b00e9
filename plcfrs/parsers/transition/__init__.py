"""Transition parsers: gap, cgap, swap, skipshift."""

from plcfrs.parsers.transition.model import FAMILIES, TransitionModel

__all__ = ["FAMILIES", "TransitionModel"]
