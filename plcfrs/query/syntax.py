"""The parts of a parsed query: labels, conditions, tests of attributes, and names.

NP matches every NP, with any functions; NP-SBJ matches an NP with the function SBJ and any others.
Tags and words must be equal. Regular expressions search the printed label without its split. A tag
and its word have the attributes of their token. A name is known after its node, within the same
negation, and after a disjunction if all alternatives give it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from plcfrs.errors import InputError
from plcfrs.query.expressions import Expression
from plcfrs.treebank.compiled import NodeKind
from plcfrs.trees import Label, parse_label

_ANYTHING = {"*", "__"}


@dataclass(frozen=True, eq=False)
class Alternatives:
    """Several texts and regular expressions, one of which must match."""

    texts: tuple[str, ...]
    expressions: tuple[Expression, ...] = ()


class QueryLabel(Alternatives):
    """The label of a node in a query; the texts are names."""

    def __str__(self) -> str:
        return "|".join([*self.texts, *(f"/{each.pattern}/" for each in self.expressions)])

    @property
    def fits_all(self) -> bool:
        """Whether all elements match."""
        return not _ANYTHING.isdisjoint(self.texts)

    def names(self, label: Label) -> bool:
        """Whether one of the names describes a constituent with a label."""
        return any(_describes(description, label) for description in self._descriptions)

    @cached_property
    def _descriptions(self) -> list[Label]:
        return list(map(parse_label, self.texts))


def _describes(description: Label, label: Label) -> bool:
    optional = ("split", "index", "gap_index", "ancestors", "siblings")
    stated = {name: part for name in optional if (part := getattr(description, name)) or part == 0}
    return (
        description.category == label.category
        and description.intermediate == label.intermediate
        and set(description.functions) <= set(label.functions)
        and all(part == getattr(label, name) for name, part in stated.items())
    )


class Reference(NamedTuple):
    """``=name``: the node with that name. Its column is for messages."""

    name: str
    column: int


class Pattern(NamedTuple):
    """A node with a label, or a node found before, that meets all conditions."""

    label: QueryLabel | Reference
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


NODE_TEXTS: dict[str, Callable[[NodeKind], Sequence[str]]] = {
    "category": lambda node: (node.label.category,),
    "function": lambda node: node.label.functions,
    "split": lambda node: (node.label.split,),
    "moved": lambda node: (node.moved or "",),
}
"""Attributes of constituents whose values are texts; there may be several values, or none."""

TOKEN_TEXTS = {
    "function": "function",
    "word": "form",
    "tag": "tag",
    "lemma": "lemma",
    "morph": "morph",
}
"""Attributes of tags and words whose values are texts, each with the field of `Token`."""

NULL_TEXTS = ("null", "antecedent")
"""Attributes of null elements: the type, and the category of the antecedent."""

TEXTS = tuple(dict.fromkeys((*NODE_TEXTS, *TOKEN_TEXTS, *NULL_TEXTS)))
"""All attributes whose values are texts."""

NUMBERS = ("fanout", "length")
"""Attributes whose values are numbers: blocks, and tokens without null elements."""

COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
"""Comparisons of numbers, or of arrays of numbers."""


def known_names(pattern: Pattern) -> frozenset[str]:
    """Return the names that have a node in every match.

    An InputError is raised if a name is used before it is known, or is given twice.
    """
    return _names_after(pattern, frozenset())


def check_known(names: Iterable[str], pattern: Pattern) -> None:
    """Raise an InputError if a match of a query may lack a node with one of the names."""
    known = known_names(pattern)
    for name in names:
        if name not in known:
            raise InputError(f"query: no node has the name {name} in all alternatives")


def _names_after(pattern: Pattern, known: frozenset[str]) -> frozenset[str]:
    if isinstance(pattern.label, Reference):
        _check_reference(pattern.label, known)
    if pattern.name in known:
        raise InputError(f"query: two nodes have the name {pattern.name}")
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


def needed_labels(pattern: Pattern) -> Iterator[QueryLabel]:
    """Yield the labels that every match needs, the label of the pattern first."""
    if isinstance(pattern.label, QueryLabel):
        yield pattern.label
    needed = list(pattern.conditions)
    while needed:
        match needed.pop():
            case Relation(pattern=other):
                if isinstance(other.label, QueryLabel):
                    yield other.label
                needed += other.conditions
            case AllOf(conditions=conditions) | Elsewhere(conditions=conditions):
                needed += conditions
