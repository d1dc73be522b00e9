"""A warning about probabilities that do not sum to 1."""

from __future__ import annotations

from collections import defaultdict

from plcfrs.grammar.grammar import Grammar
from plcfrs.grammar.nonterminal import Nonterminal
from plcfrs.text import counted

_SHOWN = 5
_ROUNDING = 0.015  # people write 0.33 three times


def improper_sums(grammar: Grammar) -> str:
    """Return a warning about symbols whose probabilities do not sum to 1; empty if all do."""
    if grammar.weights == "counts":  # which are divided by their sums
        return ""
    totals: dict[Nonterminal, float] = defaultdict(float)
    for rule, probability in grammar.probabilities().items():
        totals[rule.lhs] += probability
    wrong = {symbol: total for symbol, total in totals.items() if abs(total - 1) > _ROUNDING}
    if not wrong:
        return ""
    shown = [f"{symbol}: {total:.4g}" for symbol, total in [*wrong.items()][:_SHOWN]]
    more = ", ..." if len(wrong) > _SHOWN else ""
    symbols = f"{counted(len(wrong), 'symbol')} ({', '.join(shown)}{more})"
    return f"probabilities do not sum to 1, and are used unchanged: {symbols}"
