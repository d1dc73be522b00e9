"""Trees with crossing branches: tokens, nodes, spans, labels and heads."""

from plcfrs.exports import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
