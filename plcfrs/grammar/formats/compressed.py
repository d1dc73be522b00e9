"""The compressed form: a JSON header on one line, the rules, an empty line, the lexicon.

If the lexicon has signatures, they follow after another empty line. If there are examples, they
come last, after a line ``examples:``.
"""

from __future__ import annotations

import json
from itertools import takewhile

from plcfrs.grammar.formats.lines import (
    example_lines,
    header_of,
    lexicon_lines,
    parse_examples,
    parse_header,
    parse_lexicon,
    parse_rules,
    rule_lines,
    signature_lines,
)
from plcfrs.grammar.grammar import Grammar

# The line above the examples, which come last.
_EXAMPLES = "examples:"


def dumps(grammar: Grammar) -> str:
    """Return the grammar as text, not yet compressed."""
    header = json.dumps(header_of(grammar), ensure_ascii=False)
    lines = [header, *rule_lines(grammar), "", *lexicon_lines(grammar)]
    if grammar.lexicon.signatures:
        lines += ["", *signature_lines(grammar)]
    if grammar.examples:
        lines += ["", _EXAMPLES, *example_lines(grammar)]
    return "\n".join([*lines, ""])


def loads(text: str) -> Grammar:
    """Read a grammar, the inverse of `dumps`."""
    text, _, examples = text.partition(f"\n{_EXAMPLES}\n")
    lines = iter(text.split("\n"))
    first, *rules = takewhile(bool, lines)
    lexicon = takewhile(bool, lines)
    try:
        header = json.loads(first)
    except (ValueError, RecursionError):
        header = None
    grammar, undefined = parse_header(header)
    grammar.rules = parse_rules(rules, undefined)
    grammar.lexicon = parse_lexicon(lexicon, lines, {rule.lhs for rule in grammar.rules})
    grammar.examples = parse_examples(examples.split("\n"), grammar.rules)
    grammar.check()
    return grammar
