"""The table that notebooks show for a grammar, and some rules as a YAML grammar."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import nlargest

from plcfrs.grammar.formats import yaml
from plcfrs.grammar.grammar import Grammar, Lexicon
from plcfrs.grammar.selection import ListedRule, in_paper_notation
from plcfrs.wording import escape

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


def dump(grammar: Grammar, listed: Sequence[ListedRule]) -> str:
    """Return rules as YAML, in their order; with the words if they are the whole grammar."""
    is_whole = len(listed) == len(grammar.rules)
    selected = Grammar(
        {one.rule: grammar.rules[one.rule] for one in listed},
        grammar.lexicon if is_whole else Lexicon(),
        grammar.start,
        grammar.weights,
        grammar.options,
        {one.rule: one.examples for one in listed if one.examples},
    )
    # Counts give the probabilities of a symbol's rules only if all of these rules are written.
    comments = {
        one.rule: one.clause if is_whole else f"{one.clause}  p = {one.probability:.4g}"
        for one in listed
    }
    return yaml.dumps(selected, comments)
