"""Parsing and extraction at scale: several processes, or a cluster.

Names are loaded on first use, because extraction and searching do not need Numba.
"""

from plcfrs.exports import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
