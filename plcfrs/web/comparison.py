"""The scores of one or two systems, kinds of errors, and the sentences that have them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel, Field

from plcfrs.errors import InputError
from plcfrs.evaluation import ERROR_TYPES, comparison, differences
from plcfrs.evaluation.scoring import Scored
from plcfrs.stopping import until_stopped
from plcfrs.transformation import remove_splits
from plcfrs.web.evaluation import Compare, Report, ScoreTable, SystemAnswer, check_number
from plcfrs.web.limits import RefusedError
from plcfrs.web.requests import PAGE, Offset, PageSize, tabbed, threaded
from plcfrs.web.serializers import (
    Answer,
    ErrorOfKind,
    TreeAnswer,
    describe_errors,
    describe_tree,
    settings_named,
)

_MOST = 10_000  # sentences of two systems: the tests of more take too long
_MEASURES = "LF1", "LF1 discontinuous", comparison.EXACT_MATCH
_OTHER = "other-"  # before the key of a second system

Right = Literal["all", "first", "second", "both", "neither"]
"""Which systems are right about a sentence: all its labelled constituents are."""

Row = tuple[Scored, ...]
"""A sentence, as each of the systems has parsed it."""

api = APIRouter()


class ScoredParse(BaseModel):
    """The scores of a parse."""

    f1: float = Field(description="Of labelled constituents, a percentage.")
    exact: bool = Field(description="Whether all labelled constituents are right.")
    missed: int = Field(description="Labelled constituents that the parse lacks.")
    spurious: int = Field(description="Labelled constituents that the gold tree lacks.")
    wrong_tags: int
    parsed: bool = Field(description="Whether there is a parse.")
    errors: list[ErrorOfKind]


class ScoredSentence(Answer):
    """A sentence with the scores of its parses."""

    number: int = Field(description="From 1.")
    id: str = Field(description="The identifier of the gold tree.")
    words: str
    length: int = Field(description="In words, as the settings count them.")
    gap_degree: int = Field(description="Of the gold tree.")
    parses: list[ScoredParse]


class ReportAnswer(BaseModel):
    """Scores and kinds of errors of one or two systems, and a page of the sentences."""

    systems: list[SystemAnswer]
    differences: ScoreTable | None = Field(
        description="For two systems: the tests of plcfrs compare."
    )
    right: dict[Right, int] = Field(
        description="How many sentences are an exact match for which systems; 0 is left out."
    )
    total: int = Field(description="Number of sentences.")
    sentences: list[ScoredSentence]


class PairAnswer(BaseModel):
    """A gold tree and its parses; missed and spurious constituents and wrong tags are marked."""

    sentence: ScoredSentence
    gold: TreeAnswer
    parses: list[TreeAnswer]


KEYS: dict[str, Callable[[Scored], float]] = {
    "wrong": lambda one: -one.wrong,
    "f1": lambda one: one.f1,
    "missed": lambda one: -one.sentence.wrong[0],
    "spurious": lambda one: -one.sentence.wrong[1],
    "tags": lambda one: one.scores.right_tags - one.scores.words,
    "length": lambda one: -one.sentence.length,
    "gap-degree": lambda one: -one.sentence.gap_degree,
    "number": lambda one: one.sentence.number,
}
"""The keys by which sentences are sorted, the worst first."""


@api.get("/errors")
@threaded
def errors(
    compare: Annotated[Compare, Depends()],
    kind: Annotated[
        str | None, Query(description=f"Only sentences with such errors: {', '.join(ERROR_TYPES)}.")
    ] = None,
    right: Annotated[
        Right, Query(description="Only sentences that these systems have right.")
    ] = "all",
    sort: Annotated[
        str, Query(description=f"Worst first by {', '.join(KEYS)}; {_OTHER}... of the other.")
    ] = "wrong",
    offset: Offset = 0,
    limit: PageSize = PAGE,
) -> ReportAnswer:
    """Score one or two systems, count kinds of errors, and list the sentences, the worst first."""
    reports = compare.reports()
    if kind is not None and kind not in ERROR_TYPES:
        raise InputError(f"kind: expected one of {', '.join(ERROR_TYPES)}")
    rows = _rows(reports)
    chosen = [
        row
        for row in rows
        if right in ("all", _right(row)) and (not kind or any(kind in one.kinds for one in row))
    ]
    page = sorted(chosen, key=_key(sort, len(reports)))[offset : offset + limit]
    outcomes: Counter[Right] = Counter(map(_right, rows))
    return ReportAnswer(
        systems=[each.system for each in reports],
        differences=_differences(*reports) if compare.other else None,
        right={"all": len(rows), **outcomes},
        total=len(chosen),
        sentences=[_describe_sentence(row, kind) for row in page],
    )


@api.get("/errors.tsv", response_class=PlainTextResponse, name="table")
@threaded
def errors_table(compare: Annotated[Compare, Depends()]) -> PlainTextResponse:
    """Give the scores of all sentences as a table with tabs."""
    reports = compare.reports()
    names = [each.system.name for each in reports]
    scores = [f"{what} {name}" for name in names for what in ("F1", "exact match")]
    lines = [["number", "id", "length", *scores]]
    for row in _rows(reports):
        sentence = row[0].sentence
        found = [text for one in row for text in (f"{one.f1:.2f}", str(one.scores.exact))]
        lines.append([str(sentence.number), sentence.id, str(sentence.length), *found])
    return tabbed(*lines)


@api.get("/errors/sentence")
@threaded
def sentence(
    compare: Annotated[Compare, Depends()],
    number: Annotated[int, Query(description="Of the sentence, from 1.")],
) -> PairAnswer:
    """Show a gold tree and its parses, their differences marked."""
    rows = _rows(compare.reports())
    row = next((row for row in rows if row[0].sentence.number == number), None)
    if row is None:
        raise RefusedError(404, f"there is no sentence {number}: expected 1 to {len(rows)}")
    gold = remove_splits(row[0].gold)
    settings = settings_named(compare.settings)
    parses = [remove_splits(one.parse) for one in row]
    marked = [differences(gold, parse, settings) for parse in parses]
    return PairAnswer(
        sentence=_describe_sentence(row, None),
        gold=describe_tree(gold, set().union(*(missed for missed, _ in marked))),
        parses=[
            describe_tree(parse, spurious)
            for parse, (_, spurious) in zip(parses, marked, strict=True)
        ],
    )


def _rows(reports: Sequence[Report]) -> list[Row]:
    return list(zip(*(report.sentences for report in reports), strict=True))


def _right(row: Row) -> Right:
    outcomes: tuple[Right, ...] = ("neither", "second", "first", "both")
    return outcomes[2 * row[0].scores.exact + row[-1].scores.exact]


def _key(sort: str, systems: int) -> Callable[[Row], float]:
    name = sort.removeprefix(_OTHER)
    place = int(name != sort)
    if name not in KEYS or place >= systems:
        raise InputError(f"sort: expected one of {', '.join(KEYS)}")
    return lambda row: KEYS[name](row[place])


@lru_cache(2)
def _differences(first: Report, second: Report) -> ScoreTable:
    """Return the differences of two systems, with the tests of plcfrs compare."""
    check_number(first.sentences, _MOST, "compare")
    sentences = [
        comparison.ComparedSentence(row[0].name, tuple(one.scores for one in row))
        for row in _rows([first, second])
    ]
    found = {
        measure: comparison.difference(sentences, measure, watched=until_stopped)
        for measure in _MEASURES
    }
    table = comparison.difference_table(found)
    names = [f"A: {first.system.name}", f"B: {second.system.name}"]
    return ScoreTable.of_table(replace(table, columns=[*names, *table.columns[2:]]))


def _describe_sentence(row: Row, kind: str | None) -> ScoredSentence:
    parses = [_describe_parse(one, kind) for one in row]
    return ScoredSentence.of(row[0].sentence, words=" ".join(row[0].gold.words()), parses=parses)


def _describe_parse(one: Scored, kind: str | None) -> ScoredParse:
    missed, spurious = one.sentence.wrong
    return ScoredParse(
        f1=one.f1,
        exact=bool(one.scores.exact),
        missed=missed,
        spurious=spurious,
        wrong_tags=one.scores.words - one.scores.right_tags,
        parsed=one.sentence.parsed_at_all,
        errors=describe_errors(error for error in one.errors if kind in (None, error.type)),
    )
