"""Trees of other libraries: NLTK and NetworkX."""

from plcfrs.interop.networkx import from_networkx, to_networkx
from plcfrs.interop.nltk import from_nltk, to_nltk, to_nltk_positions

__all__ = ["from_networkx", "from_nltk", "to_networkx", "to_nltk", "to_nltk_positions"]
