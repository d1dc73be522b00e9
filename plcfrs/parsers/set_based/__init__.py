"""The stack-free, set-based parser with a network."""

from plcfrs.parsers.set_based.model import FAMILIES, SetBasedModel

__all__ = ["FAMILIES", "SetBasedModel"]
