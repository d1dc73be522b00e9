"""Trees to and from NLTK, NetworkX and disco-dop, and the scorer of disco-dop."""

from plcfrs.interop.discodop import compare_with_discodop, from_discodop, to_discodop
from plcfrs.interop.networkx import from_networkx, to_networkx
from plcfrs.interop.nltk import from_nltk, to_nltk, to_nltk_positions

__all__ = [
    "compare_with_discodop",
    "from_discodop",
    "from_networkx",
    "from_nltk",
    "to_discodop",
    "to_networkx",
    "to_nltk",
    "to_nltk_positions",
]
