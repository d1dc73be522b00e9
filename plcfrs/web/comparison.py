"""The scores and kinds of errors of one or two systems, and the sentences with errors."""

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
from plcfrs.web import routes
from plcfrs.web.evaluation import (
    ScoreParameters,
    ScoreTable,
    SystemAnswer,
    SystemReport,
    check_number,
)
from plcfrs.web.limits import RefusedError

_MOST = 10_000  # sentences: the tests take too long for more
_MEASURES = "LF1", "LF1 discontinuous", comparison.EXACT_MATCH
_OTHER = "other-"  # before the key of a second system

Right = Literal["all", "first", "second", "both", "neither"]
"""Which systems have an exact match of all labelled constituents of a sentence."""

Row = tuple[Scored, ...]
"""The parses of a sentence by each system, with their scores."""

api = APIRouter()


class ScoredParse(BaseModel):
    """The scores of a parse."""

    f1: float = Field(description="F1 of labelled constituents in percent.")
    exact: bool = Field(description="Whether all labelled constituents are right.")
    missed: int = Field(description="Number of labelled constituents that only the gold tree has.")
    spurious: int = Field(description="Number of labelled constituents that only the parse has.")
    wrong_tags: int = Field(description="Number of wrong tags.")
    parsed: bool = Field(description="Whether there is a parse.")
    errors: list[routes.ErrorOfKind]


class ScoredSentence(routes.Answer):
    """A sentence with the scores of its parses."""

    number: int = Field(description="The number of the sentence, from 1.")
    id: str = Field(description="The identifier of the gold tree.")
    words: str = Field(description="The words, separated by blanks.")
    length: int = Field(description="Number of words, as the settings count them.")
    gap_degree: int = Field(description="The gap degree of the gold tree.")
    parses: list[ScoredParse]


class ReportAnswer(BaseModel):
    """The scores and kinds of errors of one or two systems, and a page of sentences."""

    systems: list[SystemAnswer]
    differences: ScoreTable | None = Field(
        description="For two systems: differences and tests, as plcfrs compare prints them."
    )
    right: dict[Right, int] = Field(
        description="Number of sentences that are an exact match for these systems; 0 is left out."
    )
    total: int = Field(description="Number of chosen sentences.")
    sentences: list[ScoredSentence]


class PairAnswer(BaseModel):
    """A gold tree and its parses, with missed and spurious constituents and wrong tags in red."""

    sentence: ScoredSentence
    gold: routes.TreeAnswer
    parses: list[routes.TreeAnswer]


KEYS: dict[str, Callable[[Scored], float]] = {
    "wrong": lambda scored: -scored.wrong,
    "f1": lambda scored: scored.f1,
    "missed": lambda scored: -scored.sentence.wrong[0],
    "spurious": lambda scored: -scored.sentence.wrong[1],
    "tags": lambda scored: scored.scores.right_tags - scored.scores.words,
    "length": lambda scored: -scored.sentence.length,
    "gap-degree": lambda scored: -scored.sentence.gap_degree,
    "number": lambda scored: scored.sentence.number,
}
"""The keys to sort sentences by, the worst first."""


@api.get("/errors")
@routes.threaded
def errors(
    compare: Annotated[ScoreParameters, Depends()],
    kind: Annotated[
        str | None,
        Query(description=f"Only sentences with this kind of error: {', '.join(ERROR_TYPES)}."),
    ] = None,
    right: Annotated[
        Right, Query(description="Only sentences that are an exact match for these systems.")
    ] = "all",
    sort: Annotated[
        str,
        Query(
            description=f"Worst first by {', '.join(KEYS)}; {_OTHER}f1 etc. by the second system."
        ),
    ] = "wrong",
    offset: routes.Offset = 0,
    limit: routes.PageSize = routes.PAGE,
) -> ReportAnswer:
    """Score one or two systems, count kinds of errors, and list the worst sentences."""
    reports = compare.reports()
    if kind is not None and kind not in ERROR_TYPES:
        raise InputError(f"kind: expected one of {', '.join(ERROR_TYPES)}")
    rows = _rows(reports)
    chosen = [
        row
        for row in rows
        if right in ("all", _right(row))
        and (not kind or any(kind in scored.kinds for scored in row))
    ]
    page = sorted(chosen, key=_key(sort, len(reports)))[offset : offset + limit]
    outcomes: Counter[Right] = Counter(map(_right, rows))
    return ReportAnswer(
        systems=[report.system for report in reports],
        differences=_differences(*reports) if compare.other else None,
        right={"all": len(rows), **outcomes},
        total=len(chosen),
        sentences=[_describe_sentence(row, kind) for row in page],
    )


@api.get("/errors.tsv", response_class=PlainTextResponse, name="table")
@routes.threaded
def errors_table(compare: Annotated[ScoreParameters, Depends()]) -> PlainTextResponse:
    """Give the scores of all sentences as a tab-separated table."""
    reports = compare.reports()
    names = [report.system.name for report in reports]
    scores = [f"{what} {name}" for name in names for what in ("F1", "exact match")]
    table = [["number", "id", "length", *scores]]
    for row in _rows(reports):
        sentence = row[0].sentence
        cells = [text for scored in row for text in (f"{scored.f1:.2f}", str(scored.scores.exact))]
        table.append([str(sentence.number), sentence.id, str(sentence.length), *cells])
    return routes.tabbed(*table)


@api.get("/errors/sentence")
@routes.threaded
def sentence(
    compare: Annotated[ScoreParameters, Depends()],
    number: Annotated[int, Query(description="The number of the sentence, from 1.")],
) -> PairAnswer:
    """Show a gold tree and its parses, with differences in red."""
    rows = _rows(compare.reports())
    row = next((row for row in rows if row[0].sentence.number == number), None)
    if row is None:
        raise RefusedError(404, f"there is no sentence {number}: expected 1 to {len(rows)}")
    gold = remove_splits(row[0].gold)
    settings = routes.settings_named(compare.settings)
    parses = [remove_splits(scored.parse) for scored in row]
    marked = [differences(gold, parse, settings) for parse in parses]
    return PairAnswer(
        sentence=_describe_sentence(row, None),
        gold=routes.describe_tree(gold, set().union(*(missed for missed, _ in marked))),
        parses=[
            routes.describe_tree(parse, spurious)
            for parse, (_, spurious) in zip(parses, marked, strict=True)
        ],
    )


def _rows(reports: Sequence[SystemReport]) -> list[Row]:
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
def _differences(first: SystemReport, second: SystemReport) -> ScoreTable:
    """Return the differences of two systems, with the tests of plcfrs compare."""
    check_number(first.sentences, _MOST, "compare")
    sentences = [
        comparison.ComparedSentence(row[0].name, tuple(scored.scores for scored in row))
        for row in _rows([first, second])
    ]
    tests = {
        measure: comparison.difference(sentences, measure, watched=until_stopped)
        for measure in _MEASURES
    }
    table = comparison.difference_table(tests)
    names = [f"A: {first.system.name}", f"B: {second.system.name}"]
    return ScoreTable.of_table(replace(table, columns=[*names, *table.columns[2:]]))


def _describe_sentence(row: Row, kind: str | None) -> ScoredSentence:
    parses = [_describe_parse(scored, kind) for scored in row]
    return ScoredSentence.of(row[0].sentence, words=" ".join(row[0].gold.words()), parses=parses)


def _describe_parse(scored: Scored, kind: str | None) -> ScoredParse:
    missed, spurious = scored.sentence.wrong
    return ScoredParse(
        f1=scored.f1,
        exact=bool(scored.scores.exact),
        missed=missed,
        spurious=spurious,
        wrong_tags=scored.scores.words - scored.scores.right_tags,
        parsed=scored.sentence.parsed_at_all,
        errors=routes.describe_errors(
            error for error in scored.errors if kind in (None, error.type)
        ),
    )
