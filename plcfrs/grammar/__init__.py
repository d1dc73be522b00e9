"""Probabilistic LCFRS: symbols and rules, from trees to grammars and back, and binarization."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
