"""What a query consists of once it has been parsed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from plcfrs.query.labels import Alternatives, Label


@dataclass(frozen=True, eq=False)
class Reference:
    """``=name``: the node that was given the name; the column is for messages."""

    name: str
    column: int


@dataclass(frozen=True, eq=False)
class Pattern:
    """A node that has a label (or is one found before) and meets all conditions.

    Parameters
    ----------
    label : Label or Reference
    name : str
        What the node is called from here on; empty for none.
    conditions : tuple of Condition
    """

    label: Label | Reference
    name: str = ""
    conditions: tuple[Condition, ...] = ()


@dataclass(frozen=True, eq=False)
class Relation:
    """The node is in a relation, such as ``<``, to one that matches a pattern."""

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
    """One of the conditions holds, at least."""

    conditions: tuple[Condition, ...]


@dataclass(frozen=True, eq=False)
class Elsewhere:
    """Conditions hold of another node, one found before."""

    reference: Reference
    conditions: tuple[Condition, ...]


Condition = Relation | TextTest | NumberTest | Not | AllOf | AnyOf | Elsewhere


def parts(condition: Condition) -> tuple[Condition, ...]:
    """Return the conditions of which a condition consists."""
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
    """Yield a condition and all of which it consists."""
    stack = [condition]
    while stack:
        part = stack.pop()
        yield part
        stack.extend(parts(part))
