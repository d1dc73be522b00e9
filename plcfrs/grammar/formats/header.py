"""The header of both forms of plcfrs grammars."""

from __future__ import annotations

from plcfrs.errors import GrammarError
from plcfrs.grammar.grammar import Grammar
from plcfrs.grammar.nonterminal import Nonterminal, parse_nonterminal
from plcfrs.storage.files import check_version

VERSION = 1
KEYS = (
    *("plcfrs", "start", "weights", "options", "undefined", "rules", "lexicon", "signatures"),
    "examples",
)


def header_of(grammar: Grammar) -> dict[str, object]:
    """Return the version, start symbol, kind of weights, options and undefined symbols.

    Undefined are symbols without rules that are not tags, as in a selection of rules.
    """
    undefined = " ".join(map(str, _undefined(grammar)))
    return {
        "plcfrs": VERSION,
        "start": str(grammar.start),
        "weights": grammar.weights,
        "options": grammar.options,
        **({"undefined": undefined} if undefined else {}),
    }


def parse_header(header: object) -> tuple[Grammar, set[Nonterminal]]:
    """Return a grammar without rules, and the undefined symbols; see `header_of`."""
    if not isinstance(header, dict) or "plcfrs" not in header:
        raise GrammarError("not a plcfrs grammar: it does not begin with 'plcfrs: 1'")
    check_version(header["plcfrs"], VERSION)
    for key in header:
        if key not in KEYS:
            raise GrammarError(f"unknown key {key!r}; the keys are {', '.join(KEYS)}")
    weights = header.get("weights", "counts")
    if weights not in ("counts", "probabilities"):
        raise GrammarError(f"weights must be counts or probabilities, not {weights!r}")
    options = header.get("options") or {}
    if not isinstance(options, dict):
        raise GrammarError("options must be names with values")
    grammar = Grammar(
        start=parse_nonterminal(str(header.get("start", "ROOT"))),
        weights=weights,
        options={str(name): str(value) for name, value in options.items()},
    )
    undefined = str(header.get("undefined") or "").split()
    return grammar, set(map(parse_nonterminal, undefined))


def _undefined(grammar: Grammar) -> list[Nonterminal]:
    defined = {rule.lhs for rule in grammar.rules}
    children = dict.fromkeys(child for rule in grammar.rules for child in rule.rhs)
    return [child for child in children if child.kind != "tag" and child not in defined]
