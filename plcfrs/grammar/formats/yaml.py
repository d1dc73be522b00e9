"""The YAML form, for people: the header, and rules, lexicon and examples as block scalars."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from types import MappingProxyType

from plcfrs.errors import GrammarError
from plcfrs.grammar.formats import native
from plcfrs.grammar.grammar import Grammar
from plcfrs.grammar.rules import Rule

_NESTED = "not a plcfrs grammar: it has nested lists or references"


def dumps(grammar: Grammar, comments: Mapping[Rule, str] = MappingProxyType({})) -> str:
    """Return the grammar as YAML, with comments after rules, which `loads` ignores."""
    import yaml

    header = yaml.safe_dump(native.header_of(grammar), sort_keys=False)
    blocks = {
        "rules": native.rule_lines(grammar, comments),
        "lexicon": native.lexicon_lines(grammar),
    }
    if grammar.lexicon.signatures:
        blocks["signatures"] = native.signature_lines(grammar)
    if grammar.examples:
        blocks["examples"] = native.example_lines(grammar)
    return header + "".join(_block(name, lines) for name, lines in blocks.items())


def loads(text: str) -> Grammar:
    """Read a grammar from YAML; the message of a GrammarError names the line."""
    import yaml

    # All values are strings to this loader, so that a symbol can be called NO or 1.
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        _check_nesting(yaml.parse(text, Loader=loader))
        content = yaml.load(text, Loader=loader)
    except yaml.MarkedYAMLError as error:
        if "nesting depth" in str(error.problem):  # a limit of newer versions of libyaml
            raise GrammarError(_NESTED) from None
        line = error.problem_mark.line + 1 if error.problem_mark else "?"
        raise GrammarError(f"not YAML: line {line}: {error.problem}") from None
    except yaml.YAMLError as error:
        problem = " ".join(str(error).split())
        raise GrammarError(f"not a plcfrs grammar: {problem}") from None
    return native.parse_parts(content, partial(_lines, content))


def _check_nesting(events: Iterable[object]) -> None:
    """Raise an error for deep nesting, which crashes libyaml, and for aliases, which expand."""
    import yaml

    depth = 0
    for event in events:
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > 2 or isinstance(event, yaml.AliasEvent):
            raise GrammarError(_NESTED)


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
