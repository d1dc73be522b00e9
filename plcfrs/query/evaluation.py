"""Evaluating queries over arrays: all elements of a segment at once.

A condition without names is a test of each element. With names, there are *rows*: a row holds the
tested element and the named elements. A condition that names nodes turns each row into one row for
each way to meet it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count

import numpy as np

from plcfrs.query.joins import join_of
from plcfrs.query.segment import Elements, Lookup, Mask, Segment
from plcfrs.query.syntax import (
    AllOf,
    AnyOf,
    Condition,
    Elsewhere,
    Not,
    NumberTest,
    Pattern,
    QueryLabel,
    Reference,
    Relation,
    TextTest,
    all_parts,
    parts,
)
from plcfrs.stopping import check_stopped
from plcfrs.treebank.compiled import Integers

Rows = dict[str, Integers]
"""Columns of elements by name, or by a number as text (names are not numbers); also row numbers."""

_PORTION = 1 << 15  # elements

MATCH = "0"
"""The column of the matches."""


class QueryEvaluation:
    """A query, evaluated in one segment.

    Parameters
    ----------
    pattern : Pattern
    segment : Segment
    lookup : Lookup
        For the treebank of the segment.
    names : iterable of str
        The names of nodes to return with each match.
    """

    def __init__(
        self,
        pattern: Pattern,
        segment: Segment,
        lookup: Lookup,
        names: Iterable[str] = (),
    ) -> None:
        self._pattern = pattern
        self._segment = segment
        self._lookup = lookup
        self._wanted = (MATCH, *names)
        self._used = referred_names(AllOf(pattern.conditions)).union(names)
        self._columns = count(1)
        self._having: dict[QueryLabel, Elements] = {}
        self._matching: dict[int, Elements] = {}

    def having(self, label: QueryLabel) -> Elements:
        """Return the elements with a label."""
        if label not in self._having:
            self._having[label] = self._segment.having(label, self._lookup)
        return self._having[label]

    def rows(self) -> Rows:
        """Return all ways to match, each once, with the named nodes to return.

        With names, there may be far more rows than matches. So few elements are tested at a time,
        and memory suffices for a treebank of long sentences.
        """
        assert isinstance(self._pattern.label, QueryLabel)
        elements = self.having(self._pattern.label)
        if not self._used:
            return self._described({MATCH: elements}, self._pattern, MATCH)
        portions = []
        for portion in np.array_split(elements, len(elements) // _PORTION + 1):
            rows = self._described({MATCH: portion}, self._pattern, MATCH)
            check_stopped()
            columns = different([rows[name] for name in self._wanted])
            portions.append(dict(zip(self._wanted, columns, strict=True)))
        return _joined(portions)

    def _described(self, rows: Rows, pattern: Pattern, at: str) -> Rows:
        """Return the rows in which an element meets the conditions of a pattern."""
        if pattern.name in self._used:
            rows = rows | {pattern.name: rows[at]}
        return self._all(rows, pattern.conditions, at)

    def _all(self, rows: Rows, conditions: Iterable[Condition], at: str) -> Rows:
        for condition in conditions:
            check_stopped()
            rows = self._select(rows, condition, at)
        return rows

    def _select(self, rows: Rows, condition: Condition, at: str) -> Rows:
        """Return the rows that meet a condition, or one for each way to meet it."""
        if not self._names(condition):
            return _taken(rows, self._mask(rows, condition, at))
        return _joined([*self._ways(rows, condition, at)])

    def _mask(self, rows: Rows, condition: Condition, at: str) -> Mask:
        """Return which rows meet a condition that does not name nodes."""
        elements = rows[at]
        match condition:
            case TextTest():
                return self._segment.has_text(condition, elements, self._lookup)
            case NumberTest():
                return self._segment.has_number(condition, elements)
            case Relation(operator=operator, pattern=pattern) if self._is_closed(condition):
                others = self._matching_elements(pattern)
                join, is_inverse = join_of(operator)
                if is_inverse:
                    return join.right(self._segment, others, elements)
                return join.left(self._segment, elements, others)
        number = self._new_column()
        numbered = rows | {number: np.arange(len(elements))}
        is_met = np.zeros(len(elements), bool)
        for ways in self._ways(numbered, condition, at):
            is_met[ways[number]] = True
        return ~is_met if isinstance(condition, Not) else is_met

    def _ways(self, rows: Rows, condition: Condition, at: str) -> Iterable[Rows]:
        """Yield the rows that meet one part of a condition, or the part that a negation denies."""
        match condition:
            case Not(condition=denied):
                yield self._select(rows, denied, at)
            case AnyOf(conditions=conditions):
                yield from (self._select(rows, alternative, at) for alternative in conditions)
            case AllOf(conditions=conditions):
                yield self._all(rows, conditions, at)
            case Elsewhere(reference=reference, conditions=conditions):
                yield self._all(rows, conditions, reference.name)
            case Relation():
                yield from self._related(rows, condition, at)

    def _related(self, rows: Rows, relation: Relation, at: str) -> Iterable[Rows]:
        """Yield rows with the related elements that match."""
        pattern, (join, is_inverse) = relation.pattern, join_of(relation.operator)
        if isinstance(pattern.label, Reference):
            name = pattern.label.name
            left, right = (rows[name], rows[at]) if is_inverse else (rows[at], rows[name])
            related = _taken(rows, join.holds(self._segment, left, right))
            yield self._described(related, pattern, name)
            return
        others = self.having(pattern.label)
        left, right = (others, rows[at]) if is_inverse else (rows[at], others)
        place = self._new_column()
        for pairs in join.pairs(self._segment, left, right):
            check_stopped()
            row_numbers, other_numbers = reversed(pairs) if is_inverse else pairs
            related = _taken(rows, row_numbers) | {place: others[other_numbers]}
            yield self._described(related, pattern, place)

    def _matching_elements(self, pattern: Pattern) -> Elements:
        """Return the elements that match a pattern without names."""
        if id(pattern) not in self._matching:
            assert isinstance(pattern.label, QueryLabel)
            rows = {MATCH: self.having(pattern.label)}
            self._matching[id(pattern)] = self._described(rows, pattern, MATCH)[MATCH]
        return self._matching[id(pattern)]

    def _new_column(self) -> str:
        return str(next(self._columns))

    def _names(self, condition: Condition) -> bool:
        """Whether a condition names nodes for later ones; a negation does not."""
        if isinstance(condition, Not):
            return False
        names_other = isinstance(condition, Relation) and condition.pattern.name in self._used
        return names_other or any(map(self._names, parts(condition)))

    def _is_closed(self, relation: Relation) -> bool:
        """Whether a relation can be tested without rows."""
        names = {part.pattern.name for part in all_parts(relation) if isinstance(part, Relation)}
        return self._used.isdisjoint(names) and not referred_names(relation)


def referred_names(condition: Condition) -> set[str]:
    """Return the names that a condition refers to."""
    names = set()
    for part in all_parts(condition):
        if isinstance(part, Elsewhere):
            names.add(part.reference.name)
        elif isinstance(part, Relation) and isinstance(part.pattern.label, Reference):
            names.add(part.pattern.label.name)
    return names


def _taken(rows: Rows, which: Integers | Mask) -> Rows:
    return {name: column[which] for name, column in rows.items()}


def different(columns: Sequence[Integers]) -> Integers:
    """Return each row once, sorted by the first column, then by the second one."""
    ordered = np.stack(columns)[:, np.lexsort(columns[::-1])]
    is_new = np.append(True, (ordered[:, 1:] != ordered[:, :-1]).any(axis=0))
    return ordered.compress(is_new[: ordered.shape[1]], axis=1)


def _joined(parts: Sequence[Rows]) -> Rows:
    """Return the rows of all parts, with the columns that all have."""
    if len(parts) == 1:
        return parts[0]
    names = [name for name in parts[0] if all(name in part for part in parts)]
    return {name: np.concatenate([part[name] for part in parts]) for name in names}
