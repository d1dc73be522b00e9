"""Rules of an LCFRS, also in the notation of the papers: ``SQ(XYZU) -> VP(X,U) MD(Y) NP(Z)``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from math import log
from typing import NamedTuple

from plcfrs.errors import GrammarError
from plcfrs.grammar.nonterminal import (
    Nonterminal,
    YieldFunction,
    child_fan_outs,
    in_variables,
    render_yield_function,
)
from plcfrs.wording import counted


class Rule(NamedTuple):
    """A syntactic rule; terminals occur only in the lexicon.

    Parameters
    ----------
    lhs : Nonterminal
    rhs : tuple of Nonterminal
    yield_function : YieldFunction

    Examples
    --------
    >>> vp, md, np = Nonterminal("VP", 2), Nonterminal("MD"), Nonterminal("NP")
    >>> print(Rule(Nonterminal("SQ"), (vp, md, np), ((0, 1, 2, 0),)))
    SQ -> VP_2 MD NP [0 1 2 0]
    """

    lhs: Nonterminal
    rhs: tuple[Nonterminal, ...]
    yield_function: YieldFunction

    def __str__(self) -> str:
        children = " ".join(map(str, self.rhs))
        return f"{self.lhs} -> {children} {render_yield_function(self.yield_function)}"

    @property
    def rank(self) -> int:
        """The number of nonterminals on the right-hand side."""
        return len(self.rhs)

    def check(self) -> None:
        """Raise a GrammarError unless the yield function fits the symbols."""
        if not self.rhs or not all(self.yield_function):
            raise GrammarError(f"rule {self}: a component of the yield function is empty")
        if _fan_outs(self.yield_function) != [child.fanout for child in self.rhs]:
            raise GrammarError(f"rule {self}: {_misfit(self)}")
        if len(self.yield_function) != self.lhs.fanout:
            raise GrammarError(
                f"rule {self}: the yield function has {len(self.yield_function)} components, "
                f"the left-hand side has fan-out {self.lhs.fanout}"
            )


def _misfit(rule: Rule) -> str:
    """Say which child the yield function does not name as often as its fan-out says."""
    named = [child for component in rule.yield_function for child in component]
    wrong = f"{max(named, default=0)}, and the last one is {len(rule.rhs) - 1}"
    for number, child in enumerate(rule.rhs):
        if (times := named.count(number)) != child.fanout:
            wrong = f"{number}, {child}, {counted(times, 'time')}"
            break
    return (
        "the yield function must name every child as often as its fan-out says, "
        f"but names child {wrong}"
    )


@cache
def _fan_outs(yield_function: YieldFunction) -> list[int]:
    """Return the fan-out of each child; nothing if the numbers of children are not 0, 1, 2 ..."""
    named = {child for component in yield_function for child in component}
    return child_fan_outs(yield_function) if named == set(range(len(named))) and named else []


_LETTERS = "XYZUVW"


def in_paper_notation(rule: Rule) -> str:
    """Return a rule with variables, named from left to right; X1, X2 and so on if there are many.

    >>> vp, md, np = Nonterminal("VP", 2), Nonterminal("MD"), Nonterminal("NP")
    >>> in_paper_notation(Rule(Nonterminal("SQ"), (vp, md, np), ((0, 1, 2, 0),)))
    'SQ(XYZU) -> VP(X,U) MD(Y) NP(Z)'
    """
    total = sum(map(len, rule.yield_function))
    letters = _LETTERS if total <= len(_LETTERS) else [f"X{n}" for n in range(1, total + 1)]
    left, children = in_variables(rule.yield_function, letters)
    right = " ".join(map(_predicate, rule.rhs, children))
    return f"{_predicate(rule.lhs, left)} -> {right}"


def _predicate(symbol: Nonterminal, arguments: Sequence[str]) -> str:
    return f"{symbol._replace(fanout=1)}({','.join(arguments)})"


def parsing_complexity(rule: Rule) -> int:
    """Return the parsing complexity: time grows with sentence length to this power.

    It is the sum of the fan-outs of the left-hand side and of the children (Seki et al. 1991;
    Gildea 2010, section 2).

    >>> s, np, vp = Nonterminal("S"), Nonterminal("NP"), Nonterminal("VP", 2)
    >>> parsing_complexity(Rule(s, (np, np), ((0, 1),)))
    3
    >>> parsing_complexity(Rule(vp, (vp, np), ((0, 1), (0,))))
    5
    """
    return rule.lhs.fanout + sum(child.fanout for child in rule.rhs)


def with_tags(
    rules: Mapping[Rule, float], undefined: AbstractSet[Nonterminal] = frozenset()
) -> dict[Rule, float]:
    """Return rules in which symbols without rules are tags, except for the undefined ones."""
    defined = {rule.lhs for rule in rules} | undefined
    tags = {
        child: child if child in defined else child._replace(kind="tag")
        for child in {child for rule in rules for child in rule.rhs}
    }
    return {
        Rule(lhs, tuple([tags[child] for child in rhs]), yield_function): weight
        for (lhs, rhs, yield_function), weight in rules.items()
    }


def cost(probability: float) -> float:
    """Return ``-log p`` (natural logarithm), never below zero."""
    return max(0.0, -log(probability))
