"""Scores of parses against gold trees.

`plcfrs.evaluation.comparison`, which compares parsers, is not imported here: it needs NumPy, which
would slow down the start of plcfrs.
"""

from plcfrs.exports import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
