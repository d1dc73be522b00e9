"""The figures of a grammar, as at the bottom of table 2 of Evang and Kallmeyer (2011)."""

from __future__ import annotations

from collections.abc import Sequence

from plcfrs.grammar.analysis import unary_cycles, useless_symbols
from plcfrs.grammar.grammar import Grammar
from plcfrs.grammar.improper import improper_sums
from plcfrs.grammar.nonterminal import Nonterminal

_SHOWN = 10


def oddities(grammar: Grammar) -> list[str]:
    """Return lines about improper sums, useless symbols, tags without words and unary cycles."""
    return oddity_lines(grammar, useless_symbols(grammar), unary_cycles(grammar))


def oddity_lines(
    grammar: Grammar, useless: list[Nonterminal], cycles: list[list[Nonterminal]]
) -> list[str]:
    """Return the lines of `oddities`, given the useless symbols and unary cycles."""
    lines = [f"  {improper}"] if (improper := improper_sums(grammar)) else []
    if useless:
        lines.append(f"  useless symbols: {len(useless)} ({some(useless)})")
    if wordless := tags_without_words(grammar):
        lines.append(f"  tags without words: {len(wordless)} ({some(wordless)})")
    if cycles:
        sets = "; ".join(some(cycle) for cycle in cycles[:_SHOWN])
        lines.append(f"  cycles of unary rules: {len(cycles)} ({sets})")
    return lines


def tags_without_words(grammar: Grammar) -> list[Nonterminal]:
    """Return the symbols with neither rules nor words, perhaps misspelt, if there is a lexicon."""
    if not grammar.lexicon.words:
        return []
    others = grammar.lexicon.totals().keys() | {rule.lhs for rule in grammar.rules}
    return [symbol for symbol in grammar.nonterminals() if symbol not in others]


def some(symbols: Sequence[object]) -> str:
    """Return the first few symbols as text."""
    names = ", ".join(map(str, symbols[:_SHOWN]))
    return names + (", ..." if len(symbols) > _SHOWN else "")
