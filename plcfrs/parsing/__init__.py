"""The contract of all parsers: a sentence in, a parse out. It names no family.

The models of the families are in `plcfrs.parsers`, and are imported on their first use.
"""

from plcfrs.exports import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
