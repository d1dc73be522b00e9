"""The YAML form, for people: the header, and rules and lexicon as block scalars."""

from __future__ import annotations

from collections.abc import Iterable

from plcfrs.errors import GrammarError
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
    """Return the grammar as YAML."""
    import yaml

    header = yaml.safe_dump(header_of(grammar), sort_keys=False)
    text = header + _block("rules", rule_lines(grammar)) + _block("lexicon", lexicon_lines(grammar))
    if grammar.lexicon.signatures:
        text += _block("signatures", signature_lines(grammar))
    return text


def loads(text: str) -> Grammar:
    """Read a grammar from YAML.

    Raises
    ------
    GrammarError
        If it is not YAML, not a grammar, or has a wrong rule; with the line.
    """
    import yaml

    # All values are strings to this loader, so that a symbol can be called NO or 1.
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        _refuse_nesting(yaml.parse(text, Loader=loader))
        content = yaml.load(text, Loader=loader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else "?"
        raise GrammarError(f"not YAML: line {line}: {error.problem}") from None
    except yaml.YAMLError as error:
        problem = " ".join(str(error).split())
        raise GrammarError(f"not a plcfrs grammar: {problem}") from None
    grammar = parse_header(content)
    grammar.rules = parse_rules(_lines(content, "rules"))
    lexicon, signatures = _lines(content, "lexicon"), _lines(content, "signatures")
    defined = {rule.lhs for rule in grammar.rules}
    grammar.lexicon = parse_lexicon(lexicon, signatures, defined)
    grammar.check()
    return grammar


def _refuse_nesting(events: Iterable[object]) -> None:
    """Refuse deep nesting, which crashes libyaml, and aliases, by which small files get huge."""
    import yaml

    depth = 0
    for event in events:
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > 2 or isinstance(event, yaml.AliasEvent):
            raise GrammarError("not a plcfrs grammar: it has nested lists or references")


def _block(name: str, lines: Iterable[str]) -> str:
    content = "".join(f"  {line}\n" for line in lines)
    return f"{name}: |\n{content}" if content else f"{name}: ''\n"


def _lines(content: dict[str, object], name: str) -> list[str]:
    value = content.get(name)
    if value is None:
        return []
    if not isinstance(value, str):
        raise GrammarError(f"{name} must be a block of lines: write '{name}: |' above them")
    return value.split("\n")
