"""The parts of a parsed query."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from plcfrs.query.labels import Alternatives, Label


@dataclass(frozen=True, eq=False)
class Reference:
    """``=name``: the node with that name; the column is for messages."""

    name: str
    column: int


@dataclass(frozen=True, eq=False)
class Pattern:
    """A node with a label, or one found before, that meets all conditions."""

    label: Label | Reference
    name: str = ""  # the name that the node gets; empty for none
    conditions: tuple[Condition, ...] = ()


@dataclass(frozen=True, eq=False)
class Relation:
    """The node is in a relation, such as ``<``, to a node that matches a pattern."""

    operator: str
    pattern: Pattern


@dataclass(frozen=True, eq=False)
class TextTest:
    """A value of an attribute of the node is one of several texts."""

    attribute: str
    values: Alternatives


@dataclass(frozen=True, eq=False)
class NumberTest:
    """An attribute of the node is equal to a number, or less, or more."""

    attribute: str
    comparison: str
    number: int


@dataclass(frozen=True, eq=False)
class Not:
    """A condition does not hold."""

    condition: Condition


@dataclass(frozen=True, eq=False)
class AllOf:
    """All of the conditions hold."""

    conditions: tuple[Condition, ...]


@dataclass(frozen=True, eq=False)
class AnyOf:
    """At least one of the conditions holds."""

    conditions: tuple[Condition, ...]


@dataclass(frozen=True, eq=False)
class Elsewhere:
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
