"""Rules in the notation of the papers: ``SQ(XYZU) -> VP(X,U) MD(Y) NP(Z)``."""

from __future__ import annotations

from collections.abc import Sequence

from plcfrs.grammar.grammar import Rule
from plcfrs.grammar.nonterminal import Nonterminal

_LETTERS = "XYZUVW"


def in_paper_notation(rule: Rule) -> str:
    """Return a rule with variables, named from left to right; X1, X2 and so on if there are many.

    >>> vp, md, np = Nonterminal("VP", 2), Nonterminal("MD"), Nonterminal("NP")
    >>> in_paper_notation(Rule(Nonterminal("SQ"), (vp, md, np), ((0, 1, 2, 0),)))
    'SQ(XYZU) -> VP(X,U) MD(Y) NP(Z)'
    """
    total = sum(map(len, rule.yield_function))
    letters = _LETTERS if total <= len(_LETTERS) else [f"X{n}" for n in range(1, total + 1)]
    names = iter(letters)
    children: list[list[str]] = [[] for _ in rule.rhs]
    left = []
    for component in rule.yield_function:
        variables = [next(names) for _ in component]
        left.append("".join(variables))
        for child, variable in zip(component, variables, strict=True):
            children[child].append(variable)
    right = " ".join(map(_predicate, rule.rhs, children))
    return f"{_predicate(rule.lhs, left)} -> {right}"


def _predicate(symbol: Nonterminal, arguments: Sequence[str]) -> str:
    return f"{symbol._replace(fanout=1)}({','.join(arguments)})"
