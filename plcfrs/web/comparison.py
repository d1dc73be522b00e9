"""The scores of one or two systems, kinds of errors, and the sentences that have them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel, Field

from plcfrs.errors import InputError
from plcfrs.evaluation import ERROR_TYPES, ErrorSummary, comparison, differences, tables
from plcfrs.evaluation.scoring import Scored
from plcfrs.transformation import remove_splits
from plcfrs.web.evaluation import Compare, Parses, Report
from plcfrs.web.limits import RefusedError
from plcfrs.web.requests import PAGE, Offset, PageSize, threaded
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

Right = Literal["all", "first", "second", "both", "neither"]
"""Which systems are right about a sentence: all its labelled constituents are."""

Row = tuple[Scored, ...]
"""A sentence, as each of the systems has parsed it."""

api = APIRouter()


class ScoreTable(Answer):
    """A table of scores, as plcfrs eval or plcfrs compare prints it."""

    title: str
    columns: list[str]
    rows: dict[str, list[int | float | str | None]] = Field(
        description="Counts, and percentages; null if there is nothing to score."
    )


class KindAnswer(BaseModel):
    """A kind of error, as plcfrs eval --errors counts it."""

    kind: str
    missed: int = Field(description="Constituents that the parses lack.")
    spurious: int = Field(description="Constituents that the gold trees lack.")
    sentences: int = Field(description="How many sentences have such errors.")


class SystemAnswer(BaseModel):
    """The scores of a model or of the parses of a treebank."""

    name: str
    is_model: bool
    trained_on: int | None = Field(
        description="How many of the sentences the model has learned from; null if not known."
    )
    tables: list[ScoreTable]
    kinds: list[KindAnswer]


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
    differences: ScoreTable | None = Field(description="Of two systems, as plcfrs compare tests.")
    right: dict[Right, int] = Field(
        description="How many sentences are an exact match for which systems; 0 is left out."
    )
    total: int = Field(description="Sentences that were asked for.")
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

_OTHER = "other-"  # before the key of a second system


@api.get("/errors")
@threaded
def errors(
    compare: Annotated[Compare, Depends()],
    kind: Annotated[
        str | None, Query(description=f"Only sentences with such errors: {', '.join(ERROR_TYPES)}.")
    ] = None,
    right: Annotated[Right, Query(description="Only sentences that these have right.")] = "all",
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
        systems=list(map(_describe_system, compare.names, reports)),
        differences=_differences(*compare.names, *reports) if compare.other else None,
        right={"all": len(rows), **outcomes},
        total=len(chosen),
        sentences=[_describe_sentence(row, kind) for row in page],
    )


@api.get("/errors.tsv", response_class=PlainTextResponse, name="table")
@threaded
def errors_table(compare: Annotated[Compare, Depends()]) -> PlainTextResponse:
    """Give the scores of all sentences as a table with tabs."""
    scores = [f"{what} {name}" for name in compare.names for what in ("F1", "exact match")]
    lines = [["number", "id", "length", *scores]]
    for row in _rows(compare.reports()):
        sentence = row[0].sentence
        found = [text for one in row for text in (f"{one.f1:.2f}", str(one.scores.exact))]
        lines.append([str(sentence.number), sentence.id, str(sentence.length), *found])
    return PlainTextResponse("".join("\t".join(line) + "\n" for line in lines))


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
        raise RefusedError(404, f"there is no sentence {number} among the {len(rows)} chosen ones")
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
def _differences(name: str, other: str, first: Report, second: Report) -> ScoreTable:
    """Return the differences of two systems, with the tests of plcfrs compare."""
    if len(first.sentences) > _MOST:
        raise RefusedError(400, f"choose at most {_MOST} sentences to compare, such as 1-{_MOST}")
    sentences = [
        comparison.ComparedSentence(row[0].name, tuple(one.scores for one in row))
        for row in _rows([first, second])
    ]
    table = comparison.difference_table(
        {measure: comparison.difference(sentences, measure) for measure in _MEASURES}
    )
    return ScoreTable.of(table, columns=[f"A: {name}", f"B: {other}", *table.columns[2:]])


def _describe_system(name: str, report: Report) -> SystemAnswer:
    summary = report.scoring.errors or ErrorSummary()
    return SystemAnswer(
        name=name,
        is_model=isinstance(report.system, Parses),
        trained_on=report.trained_on,
        tables=list(map(ScoreTable.model_validate, tables(report.scoring.evaluation))),
        kinds=[
            KindAnswer(
                kind=kind,
                missed=summary.missed[kind],
                spurious=summary.spurious[kind],
                sentences=sum(kind in one.kinds for one in report.sentences),
            )
            for kind in ERROR_TYPES
        ],
    )


def _describe_sentence(row: Row, kind: str | None) -> ScoredSentence:
    words = [token.form for token in row[0].gold.tokens if not token.is_null]
    return ScoredSentence.of(
        row[0].sentence,
        words=" ".join(words),
        parses=[_describe_parse(one, kind) for one in row],
    )


def _describe_parse(one: Scored, kind: str | None) -> ScoredParse:
    missed, spurious = one.sentence.wrong
    return ScoredParse(
        f1=one.scores.labelled.f1,
        exact=bool(one.scores.exact),
        missed=missed,
        spurious=spurious,
        wrong_tags=one.scores.words - one.scores.right_tags,
        parsed=one.sentence.parsed_at_all,
        errors=describe_errors(error for error in one.errors if kind in (None, error.type)),
    )
