"""Probabilistic LCFRS: symbols and rules, from trees to grammars and back, and binarization."""

from plcfrs.grammar.binarization import binarize, unbinarize_grammar
from plcfrs.grammar.derivation import Derivation, ProperGaps, proper_gaps, rebuild, unbinarize
from plcfrs.grammar.extraction import PRESETS, Preset, Recipe, derivation_of, extract
from plcfrs.grammar.grammar import Grammar, Lexicon, Rule, cost
from plcfrs.grammar.markovization import (
    Markovization,
    Order,
    annotate_ancestors,
    binarize_tree,
    unbinarize_tree,
)
from plcfrs.grammar.nonterminal import (
    Kind,
    Nonterminal,
    YieldFunction,
    parse_nonterminal,
    parse_yield_function,
    render_yield_function,
    tag,
)
from plcfrs.grammar.probabilities import factored, interpolated

__all__ = [
    "PRESETS",
    "Derivation",
    "Grammar",
    "Kind",
    "Lexicon",
    "Markovization",
    "Nonterminal",
    "Order",
    "Preset",
    "ProperGaps",
    "Recipe",
    "Rule",
    "YieldFunction",
    "annotate_ancestors",
    "binarize",
    "binarize_tree",
    "cost",
    "derivation_of",
    "extract",
    "factored",
    "interpolated",
    "parse_nonterminal",
    "parse_yield_function",
    "proper_gaps",
    "rebuild",
    "render_yield_function",
    "tag",
    "unbinarize",
    "unbinarize_grammar",
    "unbinarize_tree",
]
