"""The table that notebooks show for a grammar."""

from __future__ import annotations

from heapq import nlargest

from plcfrs.grammar.grammar import Grammar
from plcfrs.grammar.notation import in_paper_notation
from plcfrs.text import escape

_SHOWN = 10


def table_of_grammar(grammar: Grammar) -> str:
    """Return an HTML table with the figures of a grammar and its most frequent rules."""
    symbols = [symbol for symbol in grammar.nonterminals() if symbol.kind != "tag"]
    by_fan_out = sorted(grammar.count_by_fan_out().items())
    figures = [
        f"{len(grammar.rules)} rules",
        *(f"{rules} of fan-out {fan_out}" for fan_out, rules in by_fan_out),
        f"{len(symbols)} symbols",
        f"{len(grammar.lexicon.words)} words",
    ]
    probabilities = grammar.probabilities()
    rows = [
        f'<tr><td style="text-align: left">{escape(in_paper_notation(rule))}</td>'
        f"<td>{weight:g}</td><td>{probabilities[rule]:.4f}</td></tr>"
        for rule, weight in nlargest(_SHOWN, grammar.rules.items(), key=lambda item: item[1])
    ]
    return "\n".join(
        [
            f"<table><caption>{', '.join(figures)}; the {len(rows)} with the highest "
            f"{grammar.weights}:</caption>",
            '<tr><th style="text-align: left">rule</th>'
            f"<th>{grammar.weights.removesuffix('s')}</th><th>p</th></tr>",
            *rows,
            "</table>",
        ]
    )
