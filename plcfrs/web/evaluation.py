"""Parses of treebanks, their scores, kinds of errors, and the sentences that have them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from threading import Lock
from time import perf_counter
from typing import Annotated, NamedTuple

from fastapi import APIRouter, Depends, Query, Request
from pydantic import BaseModel, Field

from plcfrs.errors import InputError
from plcfrs.evaluation import ERROR_TYPES, ErrorSummary, differences, tables
from plcfrs.evaluation.scoring import Scored, Scoring
from plcfrs.parsing.sentence import Sentence
from plcfrs.transformation import remove_splits
from plcfrs.trees import Tree
from plcfrs.web.limits import RefusedError
from plcfrs.web.requests import PAGE, ModelName, Offset, PageSize, in_thread, store_of, threaded
from plcfrs.web.serializers import (
    Answer,
    ErrorOfKind,
    TreeAnswer,
    describe_errors,
    describe_tree,
    settings_named,
)
from plcfrs.web.store import NamedModel, Treebank

_SECONDS = 1.0  # of parsing, before a request is answered

api = APIRouter()


class ParsesRequest(BaseModel):
    """The first sentences of a treebank, to be parsed with a model."""

    treebank: str
    transform: bool = Field(
        default=False, description="Whether to turn traces into crossing branches first."
    )
    model: str | None = Field(default=None, description="By default, the first one.")
    own_tags: bool = Field(
        default=False, description="Whether the parser finds the tags, instead of those given."
    )
    first: int = Field(ge=1, le=1000, description="How many sentences.")


class ParsesAnswer(BaseModel):
    """How many sentences are parsed by now: ask again until they are all."""

    parsed: int
    total: int = Field(description="The sentences asked for, or all if the treebank has fewer.")


class ScoreTable(Answer):
    """A table of scores, as plcfrs eval prints it."""

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


class ScoredSentence(Answer):
    """A sentence with its scores."""

    number: int = Field(description="From 1.")
    id: str = Field(description="The identifier of the gold tree.")
    words: str
    length: int = Field(description="In words, as the settings count them.")
    gap_degree: int = Field(description="Of the gold tree.")
    f1: float = Field(description="Of labelled constituents, a percentage.")
    missed: int = Field(description="Labelled constituents that the parse lacks.")
    spurious: int = Field(description="Labelled constituents that the gold tree lacks.")
    wrong_tags: int
    parsed: bool = Field(description="Whether there is a parse.")
    errors: list[ErrorOfKind]


class ReportAnswer(BaseModel):
    """Scores, kinds of errors, and a page of the sentences."""

    tables: list[ScoreTable]
    kinds: list[KindAnswer]
    total: int = Field(description="Sentences of the kind that was asked for, or all.")
    sentences: list[ScoredSentence]


class PairAnswer(BaseModel):
    """A gold tree and its parse; missed and spurious constituents and wrong tags are marked."""

    sentence: ScoredSentence
    gold: TreeAnswer
    parse: TreeAnswer


@dataclass(eq=False)
class Parses:
    """The parses of the first sentences of a treebank, as many as were asked for."""

    named: NamedModel
    treebank: Treebank
    transformed: bool
    own_tags: bool
    trees: list[Tree] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock)

    def go_on(self, first: int) -> int:
        """Parse for a second, or one sentence; return how many there will be in the end."""
        gold = self.treebank.trees(transformed=self.transformed)[:first]
        end = perf_counter() + _SECONDS
        with self._lock:
            while len(self.trees) < len(gold) and perf_counter() < end:
                sentence = Sentence.of(gold[len(self.trees)])
                if self.own_tags:
                    sentence = replace(sentence, tags=None)
                self.trees.append(self.named.model.parse(sentence).tree)
        return len(gold)


parses_of = lru_cache(8)(Parses)
"""Return the parses of a treebank by a model; the last few are kept."""


class Report(NamedTuple):
    """The scores of all sentences, and each sentence."""

    scoring: Scoring
    sentences: list[Scored]


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


@lru_cache(4)
def report_of(
    gold_bank: Treebank,
    parsed: Treebank | Parses,
    transformed: bool,
    settings_name: str,
    first: int | None,
) -> Report:
    """Return the scores and errors of the first sentences, or of all.

    `transformed` says whether traces of the gold trees become crossing branches.
    """
    settings = settings_named(settings_name)
    gold = gold_bank.trees(transformed=transformed)[:first]
    parses = parsed.trees if isinstance(parsed, Parses) else parsed.trees(transformed=False)
    parses = parses[:first]
    for name, trees, advice in (
        ("gold trees", gold, "turn them into crossing branches (transform)"),
        ("parses", parses, "choose trees without"),
    ):
        if any(token.is_null for tree in trees for token in tree.tokens):
            raise InputError(f"the {name} have traces: {advice}")
    scoring = Scoring(settings, errors=ErrorSummary())
    return Report(scoring, list(scoring.run(gold_bank.in_time(gold), parses)))


@dataclass
class Compare:
    """Gold trees and parses, as the parameters of a request."""

    gold: Annotated[str, Query(description="The treebank with the gold trees.")]
    parses: Annotated[
        str | None, Query(description="The treebank with the parses; else those by a model.")
    ] = None
    model: ModelName = None
    own_tags: Annotated[bool, Query(description="As in POST /parses.")] = False
    first: Annotated[
        int, Query(ge=1, description="How many sentences, parsed before with POST /parses.")
    ] = 1
    transform: Annotated[
        bool, Query(description="Whether to turn traces of the gold trees into crossing branches.")
    ] = False
    settings: Annotated[str, Query(description="What counts, as for plcfrs eval: field, all.")] = (
        "field"
    )

    def report(self, request: Request) -> Report:
        """Return the scores of all sentences, and each sentence."""
        store = store_of(request)
        gold = store.treebank(self.gold)
        if self.parses is not None:
            parses = store.treebank(self.parses)
            return report_of(gold, parses, self.transform, self.settings, None)
        found = parses_of(store.model(self.model), gold, self.transform, self.own_tags)
        if len(found.trees) < self.first:
            raise RefusedError(
                400,
                f"{len(found.trees)} sentences are parsed, not {self.first}: "
                "parse more with POST /api/v1/parses",
            )
        return report_of(gold, found, self.transform, self.settings, self.first)


@api.post("/parses")
async def parses(request: Request, wanted: ParsesRequest) -> ParsesAnswer:
    """Parse the first sentences of a treebank, for a second: ask again for the rest."""
    store = store_of(request)
    treebank, named = store.treebank(wanted.treebank), store.model(wanted.model)
    found = parses_of(named, treebank, wanted.transform, wanted.own_tags)
    total = await in_thread(request, found.go_on, wanted.first)
    return ParsesAnswer(parsed=min(len(found.trees), total), total=total)


@api.get("/errors")
@threaded
def errors(
    request: Request,
    compare: Annotated[Compare, Depends()],
    kind: Annotated[
        str | None, Query(description=f"Only sentences with such errors: {', '.join(ERROR_TYPES)}.")
    ] = None,
    sort: Annotated[str, Query(description=f"Worst first by {', '.join(KEYS)}.")] = "wrong",
    offset: Offset = 0,
    limit: PageSize = PAGE,
) -> ReportAnswer:
    """Score parses, count kinds of errors, and list the sentences, the worst first."""
    report = compare.report(request)
    for name, value, known in (("kind", kind, ERROR_TYPES), ("sort", sort, KEYS)):
        if value is not None and value not in known:
            raise InputError(f"{name}: expected one of {', '.join(known)}")
    chosen = [one for one in report.sentences if kind in (None, *one.kinds)]
    page = sorted(chosen, key=KEYS[sort])[offset : offset + limit]
    return ReportAnswer(
        tables=list(map(ScoreTable.model_validate, tables(report.scoring.evaluation))),
        kinds=_count_kinds(report),
        total=len(chosen),
        sentences=[_describe_sentence(one, kind) for one in page],
    )


@api.get("/errors/sentence")
@threaded
def sentence(
    request: Request,
    compare: Annotated[Compare, Depends()],
    number: Annotated[int, Query(description="Of the sentence, from 1.")],
) -> PairAnswer:
    """Show a gold tree and its parse, their differences marked."""
    sentences = compare.report(request).sentences
    if not 1 <= number <= len(sentences):
        raise RefusedError(404, f"there is no sentence {number}, only {len(sentences)}")
    one = sentences[number - 1]
    gold, parse = remove_splits(one.gold), remove_splits(one.parse)
    missed, spurious = differences(gold, parse, settings_named(compare.settings))
    return PairAnswer(
        sentence=_describe_sentence(one, None),
        gold=describe_tree(gold, missed),
        parse=describe_tree(parse, spurious),
    )


def _count_kinds(report: Report) -> list[KindAnswer]:
    summary = report.scoring.errors or ErrorSummary()
    return [
        KindAnswer(
            kind=kind,
            missed=summary.missed[kind],
            spurious=summary.spurious[kind],
            sentences=sum(kind in one.kinds for one in report.sentences),
        )
        for kind in ERROR_TYPES
    ]


def _describe_sentence(one: Scored, kind: str | None) -> ScoredSentence:
    missed, spurious = one.sentence.wrong
    return ScoredSentence.of(
        one.sentence,
        words=" ".join(token.form for token in one.gold.tokens if not token.is_null),
        f1=one.scores.labelled.f1,
        missed=missed,
        spurious=spurious,
        wrong_tags=one.scores.words - one.scores.right_tags,
        parsed=one.sentence.parsed_at_all,
        errors=describe_errors(error for error in one.errors if kind in (None, error.type)),
    )
