"""plcfrs: discontinuous constituency with probabilistic LCFRS."""

__version__ = "0.1.0"
