"""The compressed form: a JSON header on one line, the rules, an empty line, the lexicon.

Behind another empty line are the signatures, if the lexicon has any.
"""

from __future__ import annotations

import json
from itertools import takewhile

from plcfrs.grammar.formats.header import header_of, parse_header
from plcfrs.grammar.formats.lines import (
    lexicon_lines,
    parse_lexicon,
    parse_rules,
    rule_lines,
    signature_lines,
)
from plcfrs.grammar.grammar import Grammar


def dumps(grammar: Grammar) -> str:
    """Return the grammar as text, to be compressed."""
    header = json.dumps(header_of(grammar), ensure_ascii=False)
    signatures = ["", *signature_lines(grammar)] if grammar.lexicon.signatures else []
    lexicon = [*lexicon_lines(grammar), *signatures]
    return "\n".join([header, *rule_lines(grammar), "", *lexicon, ""])


def loads(text: str) -> Grammar:
    """Read what `dumps` wrote.

    Raises
    ------
    GrammarError
    """
    lines = iter(text.split("\n"))
    first, *rules = takewhile(bool, lines)
    lexicon = takewhile(bool, lines)
    try:
        header = json.loads(first)
    except (ValueError, RecursionError):
        header = None
    grammar = parse_header(header)
    grammar.rules = parse_rules(rules)
    grammar.lexicon = parse_lexicon(lexicon, lines, {rule.lhs for rule in grammar.rules})
    grammar.check()
    return grammar
