"""plcfrs: discontinuous constituents, PLCFRS grammars, exact parsing.

The names below are loaded when they are first used, since Numba takes a while to import.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from plcfrs.binarize import binarize, restore
    from plcfrs.chart import ChartParser, ParseResult
    from plcfrs.drawing import draw
    from plcfrs.errors import GrammarError, InputError, PlcfrsError, TreebankError
    from plcfrs.evaluation import score
    from plcfrs.extract import derivation_of, extract, rebuild
    from plcfrs.grammar import Derivation, Grammar, Lexicon, Nonterminal, Rule
    from plcfrs.pipeline import Model, Parse
    from plcfrs.transform import transform
    from plcfrs.treebank import read_trees, write_trees
    from plcfrs.trees import Node, Token, Tree

_HOMES = {
    "binarize": ["binarize", "restore"],
    "chart": ["ChartParser", "ParseResult"],
    "drawing": ["draw"],
    "errors": ["GrammarError", "InputError", "PlcfrsError", "TreebankError"],
    "evaluation": ["score"],
    "extract": ["derivation_of", "extract", "rebuild"],
    "grammar": ["Derivation", "Grammar", "Lexicon", "Nonterminal", "Rule"],
    "pipeline": ["Model", "Parse"],
    "transform": ["transform"],
    "treebank": ["read_trees", "write_trees"],
    "trees": ["Node", "Token", "Tree"],
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
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
    "Rule",
    "Token",
    "Tree",
    "TreebankError",
    "binarize",
    "derivation_of",
    "draw",
    "extract",
    "read_trees",
    "rebuild",
    "restore",
    "score",
    "transform",
    "write_trees",
]


def __getattr__(name: str) -> object:
    """Import a public name from its home on first use."""
    if name not in _HOME_OF:
        raise AttributeError(f"module 'plcfrs' has no attribute {name!r}")
    return getattr(import_module(f"plcfrs.{_HOME_OF[name]}"), name)
