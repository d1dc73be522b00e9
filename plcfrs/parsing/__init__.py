"""The contract of all parsers: a sentence in, a parse out. It names no family.

The models of the families are in `plcfrs.parsers`, and are imported on their first use.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
