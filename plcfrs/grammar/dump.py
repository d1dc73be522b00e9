"""Some rules of a grammar as YAML, which is a grammar that can be read again."""

from __future__ import annotations

from collections.abc import Sequence

from plcfrs.grammar.formats import yaml
from plcfrs.grammar.grammar import Grammar, Lexicon
from plcfrs.grammar.selection import ListedRule


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
