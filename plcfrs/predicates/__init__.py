"""Who does what to whom: predicates with their subjects, objects and adjuncts, and dependencies."""

from plcfrs.exports import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
