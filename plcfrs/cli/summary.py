"""The figures of a grammar, as at the bottom of table 2 of Evang and Kallmeyer (2011)."""

from __future__ import annotations

from collections import Counter

from plcfrs.cli.improper import improper_sums
from plcfrs.grammar import Grammar, Nonterminal
from plcfrs.grammar.analysis import unary_cycles, useless_symbols

_SHOWN = 10


def figures(title: str, grammar: Grammar) -> str:
    """Return the number of rules, by fan-out and rank, and of symbols."""
    symbols = list(grammar.nonterminals())
    kinds = Counter(symbol.kind for symbol in symbols)
    return "\n".join(
        [
            f"{title}: {len(grammar.rules)} rules",
            f"  by fan-out: {_counts(grammar.count_by_fan_out())}",
            f"  by rank: {_counts(grammar.count_by_rank())}",
            f"  nonterminals: {kinds['category']} categories, "
            f"{kinds['intermediate']} intermediate, {kinds['tag']} tags",
            f"  lexicon: {len(grammar.lexicon.words)} words, "
            f"{sum(map(len, grammar.lexicon.words.values()))} lexical rules",
        ]
    )


def oddities(grammar: Grammar) -> list[str]:
    """Return a line each on improper sums, useless symbols, unary cycles, where there are any."""
    lines = [f"  {improper}"] if (improper := improper_sums(grammar)) else []
    useless = useless_symbols(grammar)
    if useless:
        lines.append(f"  useless symbols: {len(useless)} ({_some(useless)})")
    cycles = unary_cycles(grammar)
    if cycles:
        sets = "; ".join(_some(cycle) for cycle in cycles[:_SHOWN])
        lines.append(f"  cycles of unary rules: {len(cycles)} ({sets})")
    return lines


def _counts(counts: Counter[int]) -> str:
    return ", ".join(f"{number}: {count}" for number, count in sorted(counts.items()))


def _some(symbols: list[Nonterminal]) -> str:
    names = ", ".join(map(str, symbols[:_SHOWN]))
    return names + (", ..." if len(symbols) > _SHOWN else "")
