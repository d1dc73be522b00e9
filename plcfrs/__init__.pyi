from .budget import Budget
from .chart import ChartParser, ParseResult
from .corpus import open_treebank, parse_corpus
from .drawing import draw, draw_svg, draw_tikz
from .errors import GrammarError, InputError, PlcfrsError, TreebankError
from .evaluation import score
from .grammar import (
    PRESETS,
    Derivation,
    Grammar,
    Lexicon,
    Nonterminal,
    Recipe,
    Rule,
    binarize,
    derivation_of,
    extract,
    rebuild,
    unbinarize,
)
from .parsers.grammar.model import GrammarModel
from .parsing.parse import Parse
from .parsing.registry import load_model, train
from .parsing.sentence import Sentence
from .parsing.sentence_parser import SentenceParser
from .query import Treebank, find, parse_query
from .transformation import from_dependencies, to_dependencies, transform
from .treebank import read_dependencies, read_trees, write_dependencies, write_trees
from .trees import DependencyTree, Node, Token, Tree

__version__: str

__all__ = [
    "PRESETS",
    "Budget",
    "ChartParser",
    "DependencyTree",
    "Derivation",
    "Grammar",
    "GrammarError",
    "GrammarModel",
    "InputError",
    "Lexicon",
    "Node",
    "Nonterminal",
    "Parse",
    "ParseResult",
    "PlcfrsError",
    "Recipe",
    "Rule",
    "Sentence",
    "SentenceParser",
    "Token",
    "Tree",
    "Treebank",
    "TreebankError",
    "binarize",
    "derivation_of",
    "draw",
    "draw_svg",
    "draw_tikz",
    "extract",
    "find",
    "from_dependencies",
    "load_model",
    "open_treebank",
    "parse_corpus",
    "parse_query",
    "read_dependencies",
    "read_trees",
    "rebuild",
    "score",
    "to_dependencies",
    "train",
    "transform",
    "unbinarize",
    "write_dependencies",
    "write_trees",
]
