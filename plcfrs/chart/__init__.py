"""Exact parsing with a binarized PLCFRS: search, derivations, forests and sums over derivations."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
