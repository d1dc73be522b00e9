"""Treebanks: reading and writing trees, with one module per format."""

from plcfrs.exports import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
