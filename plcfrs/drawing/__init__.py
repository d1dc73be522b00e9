"""Pictures of trees: for the terminal, as SVG, PDF and PNG, and as LaTeX source."""

from plcfrs.exports import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
