"""Search in the rules of a grammar, and comparison of the rules of two grammars."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from plcfrs.errors import InputError
from plcfrs.grammar import Grammar
from plcfrs.grammar.comparison import Comparison, RuleChange, compare
from plcfrs.grammar.selection import SORT_KEYS, ListedRule, RuleQuery, SortKey, select_rules
from plcfrs.web.answers.grammars import (
    ChangeAnswer,
    ChangesAnswer,
    DivergenceAnswer,
    RuleAnswer,
    RulesAnswer,
)
from plcfrs.web.store import NamedModel

Change = Literal["changed", "appeared", "disappeared"]

_DIVERGENCES = 20


def found_rules(grammar: Grammar, query: RuleQuery, text: str, sort: str) -> list[ListedRule]:
    """Return the rules that meet all conditions.

    Parameters
    ----------
    grammar : Grammar
    query : RuleQuery
    text : str
        A part of the rule as written, in upper or lower case.
    sort : str
        One of `SORT_KEYS`.

    Raises
    ------
    InputError
        If the grammar has no such symbol, or the sort key is unknown.
    """
    found = select_rules(grammar, query, _sort_key(sort))
    part = " ".join(text.split()).lower()
    if part:
        found = [listed for listed in found if part in f"{listed.rule}\n{listed.clause}".lower()]
    return found


def describe_rules(found: list[ListedRule], offset: int, limit: int) -> RulesAnswer:
    """Return a page of the rules that were found."""
    return RulesAnswer(total=len(found), rules=list(map(_describe, found[offset : offset + limit])))


def describe_changes(
    before: NamedModel, after: NamedModel, kind: Change, sort: SortKey, offset: int, limit: int
) -> ChangesAnswer:
    """Return a page of the changes from one grammar to another, as plcfrs inspect --diff."""
    found = _compare(before, after, sort)
    changes: dict[Change, list[RuleChange]] = {
        "changed": found.changed,
        "appeared": found.appeared,
        "disappeared": found.disappeared,
    }
    return ChangesAnswer(
        changed=len(found.changed),
        appeared=len(found.appeared),
        disappeared=len(found.disappeared),
        unchanged=found.unchanged,
        new_symbols=list(map(str, found.new_symbols)),
        lost_symbols=list(map(str, found.lost_symbols)),
        new_words=len(found.new_words),
        lost_words=len(found.lost_words),
        divergences=[
            DivergenceAnswer(symbol=str(symbol), bits=bits)
            for symbol, bits in list(found.divergences.items())[:_DIVERGENCES]
        ],
        changes=list(map(_describe_change, changes[kind][offset : offset + limit])),
    )


@lru_cache(4)
def _compare(before: NamedModel, after: NamedModel, sort: SortKey) -> Comparison:
    return compare(before.rules(restored=True), after.rules(restored=True), sort)


def _sort_key(name: str) -> SortKey:
    for key in SORT_KEYS:
        if key == name:
            return key
    raise InputError(f"sort: expected one of {', '.join(SORT_KEYS)}, not {name}")


def _describe(listed: ListedRule) -> RuleAnswer:
    return RuleAnswer(
        rule=str(listed.rule),
        clause=listed.clause,
        count=listed.count,
        probability=listed.probability,
        cost=listed.cost,
        fan_out=listed.rule.lhs.fanout,
        rank=listed.rule.rank,
        complexity=listed.complexity,
        examples=list(map(str, listed.examples)),
    )


def _describe_change(change: RuleChange) -> ChangeAnswer:
    return ChangeAnswer(
        rule=str(change.rule),
        clause=change.clause,
        before=change.before,
        after=change.after,
        change=change.change,
        count_before=change.count_before,
        count_after=change.count_after,
    )
