"""Parsing and extraction at scale: several processes, or a cluster.

Names are loaded on first use, because extraction and searching do not need Numba.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
