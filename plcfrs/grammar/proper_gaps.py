"""The normal form in which all gaps are real, for a chart whose items are bitsets.

In the paper the ranges of one item may touch: ``S(XY) -> A(X,Y)`` is a rule. A bitset has
maximal runs, so there touching ranges are one. `proper_gaps` makes a variant of a nonterminal
for each way in which its neighbouring ranges touch, found top-down from the start symbol: two
ranges of a child touch if their variables are adjacent in the yield function, or if they meet
at a boundary between components at which the mother touches. Each variant has all rules of
its nonterminal, with their probabilities.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from typing import NamedTuple

from plcfrs.grammar.derivation import Derivation
from plcfrs.grammar.grammar import Grammar, Rule
from plcfrs.grammar.nonterminal import Nonterminal
from plcfrs.grammar.yield_function import YieldFunction

Touching = tuple[bool, ...]  # for each range but the last: does it touch the next one?


class ProperGaps(NamedTuple):
    """A grammar whose items have real gaps, and the way back.

    Parameters
    ----------
    grammar : Grammar
        Its best derivation has the cost of the original's best derivation. Where two rules become
        one, the more probable stands for both.
    originals : dict of Rule to Rule
        The rule of the original grammar behind each rule that was changed.
    """

    grammar: Grammar
    originals: dict[Rule, Rule]

    def restore(self, derivation: Derivation) -> Derivation:
        """Return the derivation of the original grammar, the inverse of `proper_gaps`."""
        if not self.originals:
            return derivation

        def restored(derivation: Derivation, children: list[Derivation]) -> Derivation:
            rule = self.originals.get(derivation.rule)
            if rule is None:
                return derivation._replace(children=tuple(children))
            return Derivation(rule.lhs, rule.yield_function, tuple(children))

        return derivation.fold(restored)


def proper_gaps(grammar: Grammar) -> ProperGaps:
    """Bring a grammar into the form in which no two ranges of an item touch.

    A grammar without adjacent variables of one child, such as every extracted grammar, is returned
    as it is.

    Parameters
    ----------
    grammar : Grammar

    Returns
    -------
    ProperGaps

    Examples
    --------
    >>> s, a = Nonterminal("S"), Nonterminal("A", 2)
    >>> grammar = Grammar({Rule(s, (a,), ((0, 0),)): 1}, start=s)
    >>> print(*proper_gaps(grammar).grammar.rules)
    S -> A(1+2) [0]
    """
    if not any(_has_adjacent_variables(rule.yield_function) for rule in grammar.rules):
        return ProperGaps(grammar, {})
    rules_of = defaultdict(list)
    for rule, probability in grammar.probabilities().items():
        rules_of[rule.lhs].append((rule, probability))
    proper = Grammar({}, grammar.lexicon, grammar.start, "probabilities", grammar.options)
    originals: dict[Rule, Rule] = {}
    start: tuple[Nonterminal, Touching] = (grammar.start, ())
    agenda = [start]
    seen = {start}
    while agenda:
        nonterminal, touching = agenda.pop()
        for rule, probability in rules_of[nonterminal]:
            variant, children = _specialise(rule, touching)
            if probability > proper.rules.get(variant, 0):
                proper.rules[variant] = probability
                originals[variant] = rule
            new = [child for child in zip(rule.rhs, children, strict=True) if child not in seen]
            seen.update(new)
            agenda.extend(dict.fromkeys(new))
    return ProperGaps(proper, originals)


def _has_adjacent_variables(yield_function: YieldFunction) -> bool:
    return any(left == right for component in yield_function for left, right in pairwise(component))


def _specialise(rule: Rule, touching: Touching) -> tuple[Rule, list[Touching]]:
    """Return the variant of a rule where its mother touches so, and how its children touch."""
    components: list[list[int]] = []
    children: list[list[bool]] = [[] for _ in rule.rhs]
    seen: set[int] = set()
    previous = -1
    for component, attached in zip(rule.yield_function, (False, *touching), strict=True):
        for place, child in enumerate(component):
            joined = attached or place > 0
            if child in seen:
                children[child].append(joined and child == previous)
            seen.add(child)
            if not joined:
                components.append([child])
            elif child != previous:
                components[-1].append(child)
            previous = child
    ways = [tuple(way) for way in children]
    rhs = tuple(_variant(child, way) for child, way in zip(rule.rhs, ways, strict=True))
    return Rule(_variant(rule.lhs, touching), rhs, tuple(map(tuple, components))), ways


def _variant(nonterminal: Nonterminal, touching: Touching) -> Nonterminal:
    if not any(touching):
        return nonterminal
    ranges = "1"
    for number, touches in enumerate(touching, start=2):
        ranges += f"+{number}" if touches else f",{number}"
    return nonterminal._replace(
        category=f"{nonterminal.category}({ranges})",
        fanout=nonterminal.fanout - sum(touching),
    )
