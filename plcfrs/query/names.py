"""Checks that every reference in a query is to a name given before.

A name is known after its node, within the same negation, and after a disjunction if all
alternatives give it.
"""

from __future__ import annotations

from plcfrs.errors import InputError
from plcfrs.query.syntax import (
    AnyOf,
    Condition,
    Elsewhere,
    Not,
    Pattern,
    Reference,
    Relation,
    parts,
)


def check_names(pattern: Pattern) -> None:
    """Raise an InputError if a name is unknown where it is used, or is given twice."""
    _names_after(pattern, frozenset())


def _names_after(pattern: Pattern, known: frozenset[str]) -> frozenset[str]:
    if isinstance(pattern.label, Reference):
        _check(pattern.label, known)
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
            _check(reference, known)
    for part in parts(condition):
        known = _names_after_condition(part, known)
    return known


def _check(reference: Reference, known: frozenset[str]) -> None:
    if reference.name not in known:
        raise InputError(
            f"query, column {reference.column}: no node before ={reference.name} has the name "
            f"{reference.name} in all alternatives: give it as in NP={reference.name}"
        )
