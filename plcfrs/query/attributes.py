"""The attributes that ``[...]`` tests in queries; a tag and its word have those of their token."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence

from plcfrs.query.syntax import NumberTest, TextTest
from plcfrs.query.view import Element, View, position
from plcfrs.trees import Node, Token
from plcfrs.trees.spans import fan_out

Check = Callable[[View, Element], bool]


def _of_node(values: Callable[[Node], Sequence[str]]) -> Callable[[View, Element], Sequence[str]]:
    return lambda _, element: values(element) if isinstance(element, Node) else ()


def _of_token(value: Callable[[Token], str]) -> Callable[[View, Element], Sequence[str]]:
    return lambda view, element: (
        () if isinstance(element, Node) else (value(view.tree.tokens[position(element)]),)
    )


def _functions(view: View, element: Element) -> Sequence[str]:
    if isinstance(element, Node):
        return element.functions
    return (view.tree.tokens[position(element)].function,)


TEXTS: dict[str, Callable[[View, Element], Sequence[str]]] = {
    "category": _of_node(lambda node: (node.category,)),
    "function": _functions,
    "split": _of_node(lambda node: (node.split,)),
    "moved": _of_node(lambda node: (node.moved or "",)),
    "word": _of_token(lambda token: token.form),
    "tag": _of_token(lambda token: token.tag),
    "lemma": _of_token(lambda token: token.lemma),
    "morph": _of_token(lambda token: token.morph),
}
"""Attributes with texts as values; an element may have several values, or none."""

NUMBERS: dict[str, Callable[[View, Element], int]] = {
    "fanout": lambda view, element: fan_out(view.spans[element]),
    "length": lambda view, element: (view.spans[element] & view.overt).bit_count(),
}
"""Attributes with numbers as values: of blocks; of tokens without null elements."""

_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def compile_text_test(test: TextTest) -> Check:
    """Return a function that tests an attribute of an element."""
    values, fit = TEXTS[test.attribute], test.values.fit
    return lambda view, element: any(map(fit, values(view, element)))


def compile_number_test(test: NumberTest) -> Check:
    """Return a function that tests an attribute of an element."""
    number_of, holds = NUMBERS[test.attribute], _COMPARISONS[test.comparison]
    return lambda view, element: holds(number_of(view, element), test.number)
