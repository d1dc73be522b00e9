"""Derivations: which rules make a sentence, and where its words go."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import NamedTuple, TypeVar

from plcfrs.grammar.grammar import Rule
from plcfrs.grammar.nonterminal import Nonterminal
from plcfrs.grammar.yield_function import YieldFunction, apply

Value = TypeVar("Value")


class Derivation(NamedTuple):
    """A tree of rules; a leaf is a tag, whose word the lexicon gives.

    Parameters
    ----------
    nonterminal : Nonterminal
    yield_function : YieldFunction
        Empty for a tag.
    children : tuple of Derivation
        Empty for a tag.
    """

    nonterminal: Nonterminal
    yield_function: YieldFunction = ()
    children: tuple[Derivation, ...] = ()

    @property
    def rule(self) -> Rule:
        """The rule at the top of the derivation."""
        rhs = tuple(child.nonterminal for child in self.children)
        return Rule(self.nonterminal, rhs, self.yield_function)

    def bottom_up(self) -> list[Derivation]:
        """Return this derivation and all below it, children before mothers, left before right."""
        found = []
        stack = [self]
        while stack:
            derivation = stack.pop()
            found.append(derivation)
            stack.extend(derivation.children)
        return found[::-1]

    def rules(self) -> list[Rule]:
        """Return the rules used, those of children before those of mothers."""
        return [derivation.rule for derivation in self.bottom_up() if derivation.children]

    def fold(self, combine: Callable[[Derivation, list[Value]], Value]) -> Value:
        """Compute a value bottom-up, without recursion.

        Parameters
        ----------
        combine : callable
            Gets a derivation and the values of its children, returns its value. Called from left
            to right, children before mothers.
        """
        values: list[Value] = []
        for derivation in self.bottom_up():
            first = len(values) - len(derivation.children)
            children = values[first:]
            del values[first:]
            values.append(combine(derivation, children))
        return values[0]

    def order(self) -> list[int]:
        """Return for each word of the sentence which leaf it is, leaves counted left to right.

        Examples
        --------
        >>> what, now, do = (Derivation(Nonterminal(name, kind="tag")) for name in "WRV")
        >>> vp = Derivation(Nonterminal("VP", 2), ((0,), (1,)), (what, do))
        >>> Derivation(Nonterminal("S"), ((0, 1, 0),), (vp, now)).order()
        [0, 2, 1]
        """
        leaves = count()

        def components(derivation: Derivation, children: list[list[list[int]]]) -> list[list[int]]:
            if not derivation.children:
                return [[next(leaves)]]
            return apply(derivation.yield_function, children)

        return [leaf for component in self.fold(components) for leaf in component]
