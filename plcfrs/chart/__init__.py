"""Exact parsing with a binarized PLCFRS: search, derivations, forests and sums over derivations."""

from plcfrs.exports import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
