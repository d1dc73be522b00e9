"""Checks of treebanks: what breaks a rule, contradicts itself, or is improbable."""

from plcfrs.exports import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
