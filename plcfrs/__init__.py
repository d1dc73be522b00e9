"""plcfrs: discontinuous constituents, PLCFRS grammars, exact parsing.

Names are loaded on first use: the command line starts at once, and only programs that use Numba or
lark wait for their import.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # type checkers know this name; importing typing is slow, too

if TYPE_CHECKING:
    from plcfrs.binarization import binarize, unbinarize
    from plcfrs.chart import ChartParser, ParseResult
    from plcfrs.corpus import parse_corpus
    from plcfrs.drawing import draw, draw_svg, draw_tikz
    from plcfrs.errors import GrammarError, InputError, PlcfrsError, TreebankError
    from plcfrs.evaluation import score
    from plcfrs.extraction import PRESETS, Recipe, derivation_of, extract, rebuild
    from plcfrs.grammar import Derivation, Grammar, Lexicon, Nonterminal, Rule
    from plcfrs.pipeline import (
        Budget,
        GrammarModel,
        Parse,
        Sentence,
        SentenceParser,
        load_model,
        train,
    )
    from plcfrs.query import find, parse_query
    from plcfrs.reduction import from_dependencies, to_dependencies
    from plcfrs.transformation import transform
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

_PACKAGES = {
    "binarization": ("binarize", "unbinarize"),
    "chart": ("ChartParser", "ParseResult"),
    "corpus": ("parse_corpus",),
    "drawing": ("draw", "draw_svg", "draw_tikz"),
    "errors": ("GrammarError", "InputError", "PlcfrsError", "TreebankError"),
    "evaluation": ("score",),
    "extraction": ("PRESETS", "Recipe", "derivation_of", "extract", "rebuild"),
    "grammar": ("Derivation", "Grammar", "Lexicon", "Nonterminal", "Rule"),
    "pipeline": (
        *("Budget", "GrammarModel", "Parse", "Sentence", "SentenceParser", "load_model", "train"),
    ),
    "query": ("find", "parse_query"),
    "reduction": ("from_dependencies", "to_dependencies"),
    "transformation": ("transform",),
    "treebank": ("read_dependencies", "read_trees", "write_dependencies", "write_trees"),
    "trees": ("DependencyTree", "Node", "Token", "Tree"),
}
_PACKAGE_OF = {name: package for package, names in _PACKAGES.items() for name in names}


def __getattr__(name: str) -> object:
    """Import a name on its first use."""
    if name not in _PACKAGE_OF:
        raise AttributeError(f"module 'plcfrs' has no attribute {name!r}")
    value = getattr(import_module(f"plcfrs.{_PACKAGE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the public names."""
    return __all__
