"""Whether the derivations of each symbol have a total probability of 1, and how to get there."""

from __future__ import annotations

import numpy as np

from plcfrs.errors import GrammarError
from plcfrs.grammar import Grammar, Nonterminal, Rule

_TOLERANCE = 1e-9  # of totals
_SWEEPS = 10_000
_ENDLESS = 1e9


def normalised(grammar: Grammar) -> tuple[dict[Rule, float], bool]:
    """Return rules whose derivations of each symbol sum to 1, and whether any rule has changed.

    ``p(A -> B C)`` becomes ``p(A -> B C) Z(B) Z(C) / Z(A)``, where Z is the total of a symbol, 1
    for tags; derivations keep their probability given their symbol (Nederhof and Satta 2003,
    section 4). Symbols without derivations lose their rules. If a total is infinite, a GrammarError
    is raised.

    >>> from plcfrs.grammar import tag
    >>> s, a = Nonterminal("S"), tag("a")
    >>> rules = {Rule(s, (s, s), ((0, 1),)): 2, Rule(s, (a,), ((0,),)): 1}
    >>> [round(p, 6) for p in normalised(Grammar(rules, start=s))[0].values()]
    [0.333333, 0.666667]
    """
    rules = grammar.probabilities()
    total = totals(rules)
    if all(abs(total[rule.lhs] - 1) < _TOLERANCE for rule in rules):
        return rules, False
    changed = {}
    for rule, probability in rules.items():
        for child in rule.rhs:
            probability *= total[child]
        if probability:
            changed[rule] = probability / total[rule.lhs]
    return changed, True


def totals(rules: dict[Rule, float]) -> dict[Nonterminal, float]:
    """Return the sum of the probabilities of all derivations of each symbol, if all are finite."""
    tags = {child: 1.0 for rule in rules for child in rule.rhs if child.kind == "tag"}
    symbols = {symbol: number for number, symbol in enumerate({rule.lhs: 0.0 for rule in rules})}
    total = np.zeros(len(symbols) + 2)
    total[-2:] = 0.0, 1.0  # symbols without rules, and tags or no child
    children = np.array([[*_numbers(rule, symbols), -1][:2] for rule in rules])
    mothers = np.array([symbols[rule.lhs] for rule in rules])
    weights = np.array(list(rules.values()))
    for _ in range(_SWEEPS):
        products = weights * total[children].prod(axis=1)
        sums = np.bincount(mothers, products, minlength=len(symbols))
        change = np.abs(sums - total[:-2]).max()
        total[:-2] = sums
        if change < _TOLERANCE / 1000 or sums.max() > _ENDLESS:
            break
    if change > _TOLERANCE:
        largest = list(symbols)[int(sums.argmax())]
        raise GrammarError(
            f"the probabilities of the derivations of {largest} have no finite sum: "
            "the probabilities of the rules of one symbol must add up to 1"
        )
    others = {child: 0.0 for rule in rules for child in rule.rhs}
    return others | tags | dict(zip(symbols, sums.tolist(), strict=True))


def _numbers(rule: Rule, symbols: dict[Nonterminal, int]) -> list[int]:
    """Return where the total of each child is."""
    return [-1 if child.kind == "tag" else symbols.get(child, -2) for child in rule.rhs]
