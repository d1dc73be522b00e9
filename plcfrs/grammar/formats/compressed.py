"""The compressed form: a JSON header on one line, the rules, an empty line, the lexicon."""

from __future__ import annotations

import json

from plcfrs.grammar.formats.header import header_of, parse_header
from plcfrs.grammar.formats.lines import lexicon_lines, parse_lexicon, parse_rules, rule_lines
from plcfrs.grammar.grammar import Grammar


def dumps(grammar: Grammar) -> str:
    """Return the grammar as text, to be compressed."""
    header = json.dumps(header_of(grammar), ensure_ascii=False)
    return "\n".join([header, *rule_lines(grammar), "", *lexicon_lines(grammar), ""])


def loads(text: str) -> Grammar:
    """Read what `dumps` wrote.

    Raises
    ------
    GrammarError
    """
    top, _, lexicon = text.partition("\n\n")
    first, *rules = top.split("\n")
    try:
        header = json.loads(first)
    except (ValueError, RecursionError):
        header = None
    grammar = parse_header(header)
    grammar.rules = parse_rules(rules)
    grammar.lexicon = parse_lexicon(lexicon.split("\n"), {rule.lhs for rule in grammar.rules})
    grammar.check()
    return grammar
