"""Trees to and from NLTK, NetworkX and disco-dop, and the scorer of disco-dop."""

from plcfrs.exports import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
