"""Annotation projects: texts, the trees of the people who annotate them, and their history."""

from plcfrs.exports import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
