"""plcfrs: discontinuous constituents, PLCFRS grammars, exact parsing.

The names that need Numba or lark are loaded when they are first used, since these take a while
to import.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import plcfrs.notebook  # noqa: F401 (gives trees and grammars what notebooks show)
from plcfrs.binarization import binarize, restore
from plcfrs.drawing import draw, draw_svg, draw_tikz
from plcfrs.errors import GrammarError, InputError, PlcfrsError, TreebankError
from plcfrs.evaluation import score
from plcfrs.extraction import PRESETS, Recipe, derivation_of, extract, rebuild
from plcfrs.grammar import Derivation, Grammar, Lexicon, Nonterminal, Rule
from plcfrs.transformation import transform
from plcfrs.treebank import read_trees, write_trees
from plcfrs.trees import Node, Token, Tree

if TYPE_CHECKING:
    from plcfrs.chart import ChartParser, ParseResult
    from plcfrs.corpus import parse_corpus
    from plcfrs.pipeline import Model, Parse, RefinedModel, TransitionModel, load_model
    from plcfrs.query import find, parse_query

__version__ = "0.1.0"

__all__ = [
    "PRESETS",
    "ChartParser",
    "Derivation",
    "Grammar",
    "GrammarError",
    "InputError",
    "Lexicon",
    "Model",
    "Node",
    "Nonterminal",
    "Parse",
    "ParseResult",
    "PlcfrsError",
    "Recipe",
    "RefinedModel",
    "Rule",
    "Token",
    "TransitionModel",
    "Tree",
    "TreebankError",
    "binarize",
    "derivation_of",
    "draw",
    "draw_svg",
    "draw_tikz",
    "extract",
    "find",
    "load_model",
    "parse_corpus",
    "parse_query",
    "read_trees",
    "rebuild",
    "restore",
    "score",
    "transform",
    "write_trees",
]

_LAZY = {
    "ChartParser": "plcfrs.chart",
    "ParseResult": "plcfrs.chart",
    "Model": "plcfrs.pipeline",
    "Parse": "plcfrs.pipeline",
    "RefinedModel": "plcfrs.pipeline",
    "TransitionModel": "plcfrs.pipeline",
    "load_model": "plcfrs.pipeline",
    "parse_corpus": "plcfrs.corpus",
    "find": "plcfrs.query",
    "parse_query": "plcfrs.query",
}


def __getattr__(name: str) -> object:
    """Import a name that needs Numba or lark on its first use."""
    if name not in _LAZY:
        raise AttributeError(f"module 'plcfrs' has no attribute {name!r}")
    return getattr(import_module(_LAZY[name]), name)
