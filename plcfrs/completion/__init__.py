"""Completing trees: functions, null elements and indices for the trees of any parser."""

from plcfrs.exports import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
