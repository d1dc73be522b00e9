"""Scores of parses against gold trees.

`plcfrs.evaluation.comparison`, which compares parsers, is not imported here: it needs NumPy, which
would slow down the start of plcfrs.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
