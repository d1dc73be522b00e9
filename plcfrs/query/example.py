"""Queries from examples: describing chosen nodes of a tree and their relations."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from string import ascii_lowercase

import numpy as np

from plcfrs.errors import InputError
from plcfrs.query.joins import join_of
from plcfrs.query.segment import Lookup, Segment
from plcfrs.query.syntax import QueryLabel
from plcfrs.query.writing import quoted, write, write_below
from plcfrs.treebank.compilation import compile_part, elements_of
from plcfrs.trees import Node, Tree

_ABOVE = ("<", "<<")
_BESIDE = ("..", ",,", "<~", ">~", "><")


def example_query(tree: Tree, chosen: Iterable[Node | int], *, functions: bool = False) -> str:
    """Return a query that finds some constituents and tokens, and others like them.

    It states the category or tag of each, whether it has a gap, which of them are above others, and
    their order. It finds the first of them; mothers come before children.

    Parameters
    ----------
    tree : Tree
    chosen : iterable of Node or int
        Nodes of the tree, and positions of tokens.
    functions : bool, default: False
        Also state the functions of constituents: not only NP, but NP-SBJ.

    Examples
    --------
    >>> tree = Tree.from_string("(S (VP (WP 0=What) (VB 2=do)) (NP (PRP 1=we)))")
    >>> vp, np = tree.root.nodes[0].nodes
    >>> example_query(tree, [vp])
    'VP[discontinuous]'
    >>> example_query(tree, [vp, np, 2])
    'VP=a[discontinuous] < VB=b <~ NP=c'
    """
    elements = elements_of(tree)
    places = sorted({elements.index(element) for element in chosen})
    if not 0 < len(places) <= len(ascii_lowercase):
        raise InputError(f"choose 1 to {len(ascii_lowercase)} nodes")
    return _Example(tree, elements, places, functions).text()


class _Example:
    """Chosen places of a tree; each is described below the lowest chosen place above it."""

    def __init__(
        self, tree: Tree, elements: list[Node | int], places: list[int], functions: bool
    ) -> None:
        self.tree, self.elements, self.functions = tree, elements, functions
        self.compiled = compile_part([tree])
        self.segment = Segment(self.compiled, range(1))
        self.names = dict(zip(places, ascii_lowercase if len(places) > 1 else [""], strict=False))
        self.below: dict[int, list[int]] = {place: [] for place in (-1, *places)}
        for at, place in enumerate(places):
            above = (other for other in reversed(places[:at]) if self.holds("<<", other, place))
            self.below[next(above, -1)].append(place)

    def text(self) -> str:
        """Return the query: the first place with all others, then the order of sisters."""
        top, *others = self.below[-1]
        conditions = [self.related(_BESIDE, top, other) for other in others]
        query = write(*self.described(top, conditions))
        pairs = [
            pair for sisters in self.below.values() for pair in pairwise(sisters) if pair[0] != top
        ]
        order = (
            f" : ={self.names[one]} {operator} ={self.names[other]}"
            for one, other in pairs
            if (operator := self.relation(_BESIDE, one, other))
        )
        return query + "".join(order)

    def described(self, place: int, others: Iterable[str] = ()) -> tuple[str, str, list[str]]:
        """Return the label, the name and the conditions for a place."""
        label, *conditions = self.label(place)
        if len(self.compiled.runs(place)) > 1:
            conditions.append("[discontinuous]")
        conditions += (self.related(_ABOVE, place, lower) for lower in self.below[place])
        return label, self.names[place], [*conditions, *others]

    def related(self, operators: Iterable[str], place: int, other: int) -> str:
        """Return the condition that relates a place to another one, with its description."""
        operator = self.relation(operators, place, other)
        if not operator:
            raise InputError("a node without words has no relations: choose other nodes")
        return f"{operator} {write_below(*self.described(other))}"

    def relation(self, operators: Iterable[str], place: int, other: int) -> str | None:
        return next((name for name in operators if self.holds(name, place, other)), None)

    def holds(self, operator: str, place: int, other: int) -> bool:
        join, is_inverse = join_of(operator)
        pair = [np.array([2 * each], np.int32) for each in (place, other)]
        left, right = reversed(pair) if is_inverse else pair
        return bool(join.holds(self.segment, left, right)[0])

    def label(self, place: int) -> tuple[str, ...]:
        """Return the category or the tag of a place, perhaps with a condition."""
        element = self.elements[place]
        if isinstance(element, Node):
            text = "-".join([element.category, *(element.functions if self.functions else ())])
        elif not (text := self.tree.tokens[element].tag):
            return "*", f"[word={_written(self.tree.tokens[element].form)}]"
        matches = self.segment.having(QueryLabel((text,)), Lookup(self.compiled))
        return (_written(text) if 2 * place in matches else "*",)


def _written(text: str) -> str:
    return text if re.fullmatch(r"[A-Za-z][\w-]*", text) else quoted(text)
