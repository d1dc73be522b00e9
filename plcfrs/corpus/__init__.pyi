from .extraction import extract_corpus as extract_corpus
from .indexing import open_treebank as open_treebank
from .outcomes import Outcome as Outcome
from .parsing import parse_all as parse_all
from .parsing import parse_corpus as parse_corpus
from .sending import Shared as Shared
from .workers import map_in_order as map_in_order
