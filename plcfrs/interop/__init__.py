"""Trees to and from NLTK, NetworkX and disco-dop, and the scorer of disco-dop."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
