"""The report of `plcfrs inspect` on the substates of refined grammars."""

from __future__ import annotations

from collections import defaultdict

from plcfrs.grammar import Nonterminal
from plcfrs.grammar.selection import find_symbols
from plcfrs.refinement import RefinedGrammar
from plcfrs.refinement.kernel.arrays import Refinement
from plcfrs.refinement.substates import substates

_SHOWN = 8


def numbers_of_substates(refined: RefinedGrammar) -> list[str]:
    """Return lines on each refinement: the categories and tags by their numbers of substates."""
    lines = [f"  refined grammars: {len(refined.refinements)}"]
    for number, refinement in enumerate(refined.refinements, start=1):
        lines.append(f"  substates of grammar {number}: {refinement.states.sum()}, by symbol")
        symbols = defaultdict(list)
        for symbol, states in zip(refined.symbols, refinement.states.tolist(), strict=True):
            if symbol.kind != "intermediate":
                symbols[states].append(str(symbol))
        for states in sorted(symbols, reverse=True):
            lines.append(f"    {states}: {' '.join(symbols[states])}")
    return lines


def substate_tables(refined: RefinedGrammar, name: str) -> list[str]:
    """Return a table of the substates of a symbol for each refinement."""
    wanted = find_symbols(refined.symbols, name)
    return [
        _table(f"{symbol} in grammar {number}", symbol, refined, refinement)
        for symbol in refined.symbols
        if symbol in wanted
        for number, refinement in enumerate(refined.refinements, start=1)
    ]


def _table(title: str, symbol: Nonterminal, refined: RefinedGrammar, refinement: Refinement) -> str:
    lines = [title]
    for substate in substates(refined, refinement, symbol, _SHOWN):
        lines.append(f"  {symbol}-{substate.number}: {100 * substate.share:.1f}%")
        lines.extend(f"    {choice.probability:.4f}  {choice}" for choice in substate.choices)
    return "\n".join(lines)
