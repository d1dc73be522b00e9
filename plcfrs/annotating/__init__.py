"""Annotating with a parser at hand: what it proposes, and what it makes of each decision."""

from plcfrs.exports import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
