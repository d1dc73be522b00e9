"""Search in the rules of a grammar."""

from __future__ import annotations

from plcfrs.errors import InputError
from plcfrs.grammar import Grammar
from plcfrs.grammar.selection import SORT_KEYS, ListedRule, RuleQuery, SortKey, select_rules
from plcfrs.web.answers.models import RuleAnswer, RulesAnswer


def find_rules(
    grammar: Grammar, query: RuleQuery, text: str, sort: str, offset: int, limit: int
) -> RulesAnswer:
    """Return a page of the rules that meet all conditions.

    Parameters
    ----------
    grammar : Grammar
    query : RuleQuery
    text : str
        A part of the rule as written, in upper or lower case.
    sort : str
        One of `SORT_KEYS`.
    offset, limit : int

    Raises
    ------
    InputError
        If the grammar has no such symbol, or the sort key is unknown.
    """
    found = select_rules(grammar, query, _sort_key(sort))
    part = " ".join(text.split()).lower()
    if part:
        found = [listed for listed in found if part in f"{listed.rule}\n{listed.clause}".lower()]
    return RulesAnswer(total=len(found), rules=list(map(_describe, found[offset : offset + limit])))


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
