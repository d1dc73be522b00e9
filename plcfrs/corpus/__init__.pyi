from .extraction import extract_corpus
from .indexing import open_treebank
from .outcomes import Outcome
from .parsing import parse_all, parse_corpus
from .sending import Shared
from .workers import map_in_order

__all__ = [
    "Outcome",
    "Shared",
    "extract_corpus",
    "map_in_order",
    "open_treebank",
    "parse_all",
    "parse_corpus",
]
