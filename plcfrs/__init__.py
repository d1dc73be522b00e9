"""plcfrs: discontinuous constituents, PLCFRS grammars, exact parsing.

The public names are in the stub beside this file. They are loaded on first use: the command line
starts at once, and only programs that use Numba or lark wait for their import.
"""

from plcfrs.exports import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)

__version__ = "0.3.0"
