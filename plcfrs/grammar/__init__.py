"""Probabilistic LCFRS: symbols and rules, from trees to grammars and back, and binarization."""

from plcfrs.exports import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
