"""The parts of a parsed query."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from plcfrs.query.labels import Alternatives, Label


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
