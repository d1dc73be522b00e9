"""plcfrs: discontinuous constituents, PLCFRS grammars, exact parsing.

Names are loaded on first use: the command line starts at once, and only programs that use Numba or
lark wait for their import.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # type checkers know this name; importing typing is slow, too

if TYPE_CHECKING:
    from plcfrs.chart import ChartParser, ParseResult
    from plcfrs.chart.budget import Budget
    from plcfrs.corpus import open_treebank, parse_corpus
    from plcfrs.drawing import draw, draw_svg, draw_tikz
    from plcfrs.errors import GrammarError, InputError, PlcfrsError, TreebankError
    from plcfrs.evaluation import score
    from plcfrs.grammar import (
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
    from plcfrs.parsers.grammar.model import GrammarModel
    from plcfrs.parsing.parse import Parse
    from plcfrs.parsing.registry import load_model, train
    from plcfrs.parsing.sentence import Sentence
    from plcfrs.parsing.sentence_parser import SentenceParser
    from plcfrs.query import Treebank, find, parse_query
    from plcfrs.transformation import from_dependencies, to_dependencies, transform
    from plcfrs.treebank import read_dependencies, read_trees, write_dependencies, write_trees
    from plcfrs.trees import DependencyTree, Node, Token, Tree

__version__ = "0.2.0"

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

_MODULES = {
    "chart": ("ChartParser", "ParseResult"),
    "corpus": ("open_treebank", "parse_corpus"),
    "drawing": ("draw", "draw_svg", "draw_tikz"),
    "errors": ("GrammarError", "InputError", "PlcfrsError", "TreebankError"),
    "evaluation": ("score",),
    "grammar": (
        "PRESETS",
        "Derivation",
        "Grammar",
        "Lexicon",
        "Nonterminal",
        "Recipe",
        "Rule",
        "binarize",
        "derivation_of",
        "extract",
        "rebuild",
        "unbinarize",
    ),
    "parsers.grammar": ("GrammarModel",),
    "parsing": ("Budget", "Parse", "Sentence", "SentenceParser", "load_model", "train"),
    "query": ("Treebank", "find", "parse_query"),
    "transformation": ("from_dependencies", "to_dependencies", "transform"),
    "treebank": ("read_dependencies", "read_trees", "write_dependencies", "write_trees"),
    "trees": ("DependencyTree", "Node", "Token", "Tree"),
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> object:
    """Import a name on its first use."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'plcfrs' has no attribute {name!r}")
    value = getattr(import_module(f"plcfrs.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the public names."""
    return __all__
