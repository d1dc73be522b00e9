"""Derivations: the rules that derive a sentence, and the positions of its words."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import NamedTuple, TypeVar

from plcfrs.grammar.example import Range
from plcfrs.grammar.grammar import Rule
from plcfrs.grammar.nonterminal import Nonterminal
from plcfrs.grammar.yield_function import YieldFunction, apply
from plcfrs.trees import ROOT, Node, Token, Tree
from plcfrs.trees.notation import render_brackets

Value = TypeVar("Value")


class Derivation(NamedTuple):
    """A tree of rules; its leaves are tags.

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

    def __repr__(self) -> str:
        return f"<Derivation {self.nonterminal}: {len(self.rules())} rules>"

    def __str__(self) -> str:
        tree = self.tree()
        return render_brackets(tree, tree.root.category)

    def _repr_svg_(self) -> str:
        """Return the picture that a notebook shows."""
        from plcfrs.drawing import draw_svg

        return draw_svg(self.tree(), gaps=True)

    def tree(self) -> Tree:
        """Return the tree of grammar symbols over the positions of the words.

        >>> what, now, do = (Derivation(Nonterminal(name, kind="tag")) for name in "WRV")
        >>> vp = Derivation(Nonterminal("VP", 2), ((0,), (1,)), (what, do))
        >>> derivation = Derivation(Nonterminal("S"), ((0, 1, 0),), (vp, now))
        >>> derivation.tree().discontinuous_nodes(), str(derivation)
        ([<Node VP_2: 2 children>], '(S (VP_2 (W 0) (V 2)) (R 1))')
        """
        position_of = {leaf: position for position, leaf in enumerate(self.order())}
        leaves = count()
        tokens = [Token(str(position), "") for position in range(len(position_of))]

        def node_or_position(part: Derivation, children: list[Node | int]) -> Node | int:
            if part.children:
                return Node(str(part.nonterminal), children=children)
            position = position_of[next(leaves)]
            tokens[position].tag = str(part.nonterminal)
            return position

        root = self.fold(node_or_position)
        return Tree(root if isinstance(root, Node) else Node(ROOT, children=[root]), tokens)

    @property
    def rule(self) -> Rule:
        """The rule at the top of the derivation."""
        rhs = tuple(child.nonterminal for child in self.children)
        return Rule(self.nonterminal, rhs, self.yield_function)

    def bottom_up(self) -> list[Derivation]:
        """Return this derivation and all below it, children before mothers, from left to right."""
        found = []
        stack = [self]
        while stack:
            derivation = stack.pop()
            found.append(derivation)
            stack.extend(derivation.children)
        return found[::-1]

    def rules(self) -> list[Rule]:
        """Return the rules, children before mothers."""
        return [derivation.rule for derivation in self.bottom_up() if derivation.children]

    def fold(self, combine: Callable[[Derivation, list[Value]], Value]) -> Value:
        """Compute a value bottom-up, without recursion, from left to right.

        Each derivation gets a value by `combine`, from itself and the values of its children.
        """
        values: list[Value] = []
        for derivation in self.bottom_up():
            first = len(values) - len(derivation.children)
            children = values[first:]
            del values[first:]
            values.append(combine(derivation, children))
        return values[0]

    def order(self) -> list[int]:
        """Return the number of the leaf of each word; leaves are counted from left to right.

        >>> what, now, do = (Derivation(Nonterminal(name, kind="tag")) for name in "WRV")
        >>> vp = Derivation(Nonterminal("VP", 2), ((0,), (1,)), (what, do))
        >>> Derivation(Nonterminal("S"), ((0, 1, 0),), (vp, now)).order()
        [0, 2, 1]
        """
        *_, components = self._components()
        return [leaf for component in components for leaf in component]

    def ranges(self) -> list[tuple[Range, ...]]:
        """Return the ranges of this derivation and of all below it, in the order of `bottom_up`.

        >>> what, now, do = (Derivation(Nonterminal(name, kind="tag")) for name in "WRV")
        >>> vp = Derivation(Nonterminal("VP", 2), ((0,), (1,)), (what, do))
        >>> derivation = Derivation(Nonterminal("S"), ((0, 1, 0),), (vp, now))
        >>> for part, ranges in zip(derivation.bottom_up(), derivation.ranges()):
        ...     print(part.nonterminal, ranges)
        W ((0, 1),)
        V ((2, 3),)
        VP_2 ((0, 1), (2, 3))
        R ((1, 2),)
        S ((0, 3),)
        """
        found = self._components()
        order = (leaf for component in found[-1] for leaf in component)
        position_of = {leaf: position for position, leaf in enumerate(order)}
        return [
            tuple((position_of[part[0]], position_of[part[-1]] + 1) for part in components)
            for components in found
        ]

    def _components(self) -> list[list[list[int]]]:
        """Return the leaves of each component, for all derivations in the order of `bottom_up`."""
        leaves = count()
        found = []

        def components(derivation: Derivation, children: list[list[list[int]]]) -> list[list[int]]:
            of_children = apply(derivation.yield_function, children)
            found.append(of_children if derivation.children else [[next(leaves)]])
            return found[-1]

        self.fold(components)
        return found
