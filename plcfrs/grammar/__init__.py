"""Probabilistic linear context-free rewriting systems: symbols, rules, grammars, derivations."""

from plcfrs.grammar.derivation import Derivation
from plcfrs.grammar.grammar import Grammar, Lexicon, Rule, cost
from plcfrs.grammar.nonterminal import Kind, Nonterminal, parse_nonterminal, tag
from plcfrs.grammar.proper_gaps import ProperGaps, proper_gaps
from plcfrs.grammar.yield_function import (
    YieldFunction,
    parse_yield_function,
    render_yield_function,
)

__all__ = [
    "Derivation",
    "Grammar",
    "Kind",
    "Lexicon",
    "Nonterminal",
    "ProperGaps",
    "Rule",
    "YieldFunction",
    "cost",
    "parse_nonterminal",
    "parse_yield_function",
    "proper_gaps",
    "render_yield_function",
    "tag",
]
