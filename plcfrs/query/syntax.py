"""The parts of a parsed query: labels, conditions, tests of attributes, and names.

NP matches every NP, with any functions; NP-SBJ matches an NP with the function SBJ, perhaps among
others. Tags and words must be equal. Regular expressions are searched in the label as printed,
without its split. A tag and its word have the attributes of their token. A name is known after its
node, within the same negation, and after a disjunction if all alternatives give it.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

from plcfrs.errors import InputError
from plcfrs.query.relations import Element, Elements, View, position
from plcfrs.trees import Label as NodeLabel
from plcfrs.trees import Node, Token, parse_label, render_label
from plcfrs.trees.tree import fan_out

_ANYTHING = {"*", "__"}


@dataclass(frozen=True, eq=False)
class Alternatives:
    """Several texts and regular expressions, one of which must match."""

    texts: tuple[str, ...]
    expressions: tuple[re.Pattern[str], ...] = ()

    def fit(self, text: str) -> bool:
        """Whether a text matches."""
        return text in self.texts or any(e.search(text) for e in self.expressions)


class Label(Alternatives):
    """The label of a node in a query; the texts are names."""

    def __str__(self) -> str:
        return "|".join([*self.texts, *(f"/{each.pattern}/" for each in self.expressions)])

    def find(self, view: View) -> Elements:
        """Return the elements of a tree that match."""
        if _ANYTHING.intersection(self.texts):
            return dict.fromkeys(view.order)
        labelled = zip(view.nodes, view.labels, strict=True)
        tokens = view.tree.tokens
        found: list[Element] = [node for node, printed in labelled if self._fits_node(printed)]
        found += [place for place, token in enumerate(tokens) if self._fits_token(token.tag)]
        found += [~place for place, token in enumerate(tokens) if self._fits_token(token.form)]
        return dict.fromkeys(found)

    @cached_property
    def _fits_token(self) -> Callable[[str], bool]:
        return cache(self.fit)

    @cached_property
    def _fits_node(self) -> Callable[[str], bool]:
        descriptions = [parse_label(text) for text in self.texts]

        @cache
        def fits(printed: str) -> bool:
            label = parse_label(printed)
            if any(_describes(description, label) for description in descriptions):
                return True
            without_split = render_label(label._replace(split=""))
            return any(e.search(without_split) for e in self.expressions)

        return fits


def _describes(description: NodeLabel, label: NodeLabel) -> bool:
    optional = ("split", "index", "gap_index", "ancestors", "siblings")
    stated = {name: part for name in optional if (part := getattr(description, name)) or part == 0}
    return (
        description.category == label.category
        and description.intermediate == label.intermediate
        and set(description.functions) <= set(label.functions)
        and all(part == getattr(label, name) for name, part in stated.items())
    )


class Reference(NamedTuple):
    """``=name``: the node with that name; the column is for messages."""

    name: str
    column: int


class Pattern(NamedTuple):
    """A node with a label, or one found before, that meets all conditions."""

    label: Label | Reference
    name: str = ""  # the name that the node gets; empty for none
    conditions: tuple[Condition, ...] = ()


class Relation(NamedTuple):
    """The node is in a relation, such as ``<``, to a node that matches a pattern."""

    operator: str
    pattern: Pattern


class TextTest(NamedTuple):
    """A value of an attribute of the node is one of several texts."""

    attribute: str
    values: Alternatives


class NumberTest(NamedTuple):
    """An attribute of the node is equal to a number, or less, or more."""

    attribute: str
    comparison: str
    number: int


class Not(NamedTuple):
    """A condition does not hold."""

    condition: Condition


class AllOf(NamedTuple):
    """All of the conditions hold."""

    conditions: tuple[Condition, ...]


class AnyOf(NamedTuple):
    """At least one of the conditions holds."""

    conditions: tuple[Condition, ...]


class Elsewhere(NamedTuple):
    """Conditions hold for another node, which was found before."""

    reference: Reference
    conditions: tuple[Condition, ...]


Condition = Relation | TextTest | NumberTest | Not | AllOf | AnyOf | Elsewhere


def parts(condition: Condition) -> tuple[Condition, ...]:
    """Return the direct parts of a condition."""
    match condition:
        case Relation():
            return condition.pattern.conditions
        case Not():
            return (condition.condition,)
        case AllOf() | AnyOf() | Elsewhere():
            return condition.conditions
        case _:
            return ()


def all_parts(condition: Condition) -> Iterator[Condition]:
    """Yield a condition and all its parts."""
    stack = [condition]
    while stack:
        part = stack.pop()
        yield part
        stack.extend(parts(part))


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


def check_names(pattern: Pattern) -> None:
    """Raise an InputError if a name is unknown where it is used, or is given twice."""
    _names_after(pattern, frozenset())


def _names_after(pattern: Pattern, known: frozenset[str]) -> frozenset[str]:
    if isinstance(pattern.label, Reference):
        _check_reference(pattern.label, known)
    if pattern.name in known:
        raise InputError(f"query: the name {pattern.name} is given to two nodes")
    if pattern.name:
        known |= {pattern.name}
    for condition in pattern.conditions:
        known = _names_after_condition(condition, known)
    return known


def _names_after_condition(condition: Condition, known: frozenset[str]) -> frozenset[str]:
    match condition:
        case Relation(pattern=pattern):
            return _names_after(pattern, known)
        case Not(condition=denied):
            _names_after_condition(denied, known)
            return known
        case AnyOf(conditions=alternatives):
            return frozenset.intersection(
                *(_names_after_condition(alternative, known) for alternative in alternatives)
            )
        case Elsewhere(reference=reference):
            _check_reference(reference, known)
    for part in parts(condition):
        known = _names_after_condition(part, known)
    return known


def _check_reference(reference: Reference, known: frozenset[str]) -> None:
    if reference.name not in known:
        raise InputError(
            f"query, column {reference.column}: no node before ={reference.name} has the name "
            f"{reference.name} in all alternatives: give it as in NP={reference.name}"
        )
