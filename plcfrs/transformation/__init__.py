"""Changing trees: traces, punctuation, splits, continuous trees, dependencies and back."""

from plcfrs.exports import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
