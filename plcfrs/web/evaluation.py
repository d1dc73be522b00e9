"""Parses of treebanks by the models of the server, and the scores of all sentences, which stay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sized
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import count, islice
from threading import Lock
from time import perf_counter
from typing import Annotated, NamedTuple

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from plcfrs.errors import InputError
from plcfrs.evaluation import ERROR_TYPES, ErrorSummary, tables
from plcfrs.evaluation.report import Table
from plcfrs.evaluation.scoring import Scored, Scoring
from plcfrs.parsing.sentence import Sentence
from plcfrs.stopping import until_stopped
from plcfrs.treebank import Selection
from plcfrs.treebank.compiled import CompiledTrees
from plcfrs.treebank.reading import chosen_ranges
from plcfrs.trees import Tree
from plcfrs.trees.training_set import sentence_hash
from plcfrs.web.limits import RefusedError
from plcfrs.web.requests import ServerStore, Transform, parsing
from plcfrs.web.serializers import Answer, settings_named
from plcfrs.web.store import NamedModel, Treebank
from plcfrs.wording import counted

_SECONDS = 1.0  # of parsing, before a request is answered
_MOST = 1000  # sentences that are parsed for one comparison
_SENTENCES = "Their numbers, as for plcfrs eval --sentences: 1-500,600; all if it is empty."
_RANGES = 1000  # characters
_WORDS = {"D": "Discontinuous", "C": "Continuous"}  # sentences
_BY = "by "  # before the name of a model

api = APIRouter()


class ParsesRequest(BaseModel):
    """Some sentences of a treebank, to be parsed with a model."""

    treebank: str
    transform: Transform = False
    model: str | None = Field(default=None, description="By default, the first one.")
    own_tags: bool = Field(
        default=False, description="Whether the parser finds the tags, instead of those given."
    )
    sentences: str = Field(
        default="", max_length=_RANGES, description=f"At most {_MOST}. {_SENTENCES}"
    )


class ParsesAnswer(BaseModel):
    """How many sentences are parsed by now: ask again until they are all."""

    parsed: int
    total: int = Field(description="Number of sentences.")


class ScoreTable(Answer):
    """A table of scores, as plcfrs eval or plcfrs compare prints it."""

    title: str
    columns: list[str]
    rows: dict[str, list[int | float | str | None]] = Field(
        description="Counts, and percentages; null if there is nothing to score."
    )
    lines: list[list[str]] = Field(description="The same as texts, the headings first.")

    @classmethod
    def of_table(cls, table: Table) -> ScoreTable:
        """Return a table with its texts, which have room for whole words."""
        columns = [_WORDS.get(name, name) for name in table.columns]
        return cls.of(table, lines=replace(table, columns=columns).lines())


class KindAnswer(BaseModel):
    """A kind of error, as plcfrs eval --errors counts it."""

    kind: str
    missed: int = Field(description="Constituents that the parses lack.")
    spurious: int = Field(description="Constituents that the gold trees lack.")
    sentences: int = Field(description="Number of sentences with such errors.")


class SystemAnswer(BaseModel):
    """The scores of a model or of the parses of a treebank."""

    name: str
    is_model: bool
    trained_on: int | None = Field(
        description="Number of sentences that the model was trained on; null if not known."
    )
    doubt: str = Field(description="Why its scores may say little; otherwise empty.")
    tables: list[ScoreTable]
    kinds: list[KindAnswer]


class Chosen(NamedTuple):
    """Some sentences of a treebank, by their ranges; perhaps with crossing branches for traces."""

    treebank: Treebank
    transformed: bool
    ranges: str

    @property
    def trees(self) -> CompiledTrees:
        """All trees of the treebank."""
        return self.treebank.trees(transformed=self.transformed)

    @property
    def selection(self) -> Selection:
        """What is chosen."""
        return Selection(chosen_ranges(self.ranges))

    def numbers(self) -> list[int]:
        """Return the numbers of the sentences that are there."""
        numbers = range(1, len(self.trees) + 1)
        return list(filter(self.selection.names, self.selection.until_last(numbers)))


class Parses:
    """The parses of some sentences by a model, as many as there are by now."""

    def __init__(self, named: NamedModel, gold: Chosen, own_tags: bool) -> None:
        self.name, self.model = named.name, named.model
        self.gold, self.own_tags = gold, own_tags
        self.numbers = gold.numbers()
        self.trees: dict[int, Tree] = {}
        self._lock = Lock()
        check_number(self.numbers, _MOST, "parse")

    def go_on(self) -> int:
        """Parse for a second, or one sentence; return how many are parsed by now."""
        gold, end = self.gold.trees, perf_counter() + _SECONDS
        with self._lock:
            for number in self.numbers[len(self.trees) :]:
                if perf_counter() >= end:
                    break
                sentence = Sentence.of(gold[number - 1])
                if self.own_tags:
                    sentence = replace(sentence, tags=None)
                self.trees[number] = self.model.parse(sentence).tree
            return len(self.trees)

    def in_place(self, first: int) -> Iterator[Tree | None]:
        """Yield the first parses, and None for sentences that were not asked for."""
        if first > len(self.trees):
            raise RefusedError(
                400,
                f"{len(self.trees)} sentences are parsed with {self.name}, not {first}: "
                "parse more with POST /api/v1/parses",
            )
        return map(self.trees.get, count(1))


parses_of = lru_cache(8)(Parses)
"""Return the parses of a treebank by a model; the last few are kept."""


@dataclass(eq=False)
class Report:
    """The scores of one system, and each of its sentences."""

    system: SystemAnswer
    sentences: list[Scored]


@lru_cache(4)
def report_of(
    chosen: Chosen, system: Treebank | Parses, settings: str, first: int | None
) -> Report:
    """Return the scores and errors of some sentences, or of the `first` of them."""
    numbers = chosen.numbers()[:first]
    if not numbers:
        raise InputError(f"{chosen.treebank.name} has no sentences {chosen.ranges}")
    model = None
    parses: Iterable[Tree | None]
    if isinstance(system, Parses):
        model, parses = system.model, system.in_place(len(numbers))
    else:
        parses = system.trees(transformed=False)
    # If all trees are scored, there must be as many parses.
    last = numbers[-1] if model or first or chosen.ranges else None
    gold = _traceless(islice(chosen.trees, last), "gold trees", "turn them into crossing branches")
    summary = ErrorSummary()
    scoring = Scoring(settings_named(settings), errors=summary)
    found = list(
        scoring.run(
            until_stopped(gold),
            _traceless(islice(parses, last), "parses", "choose trees without"),
            selection=chosen.selection,
        )
    )
    known = model and model.training_set
    seen = sum(sentence_hash(one.gold) in known for one in found) if known else None
    answer = SystemAnswer(
        name=system.name,
        is_model=model is not None,
        trained_on=seen,
        doubt=_doubt(system.name, seen, len(found)) if model else "",
        tables=list(map(ScoreTable.of_table, tables(scoring.evaluation))),
        kinds=_count_kinds(summary, found),
    )
    return Report(answer, found)


def _doubt(name: str, seen: int | None, total: int) -> str:
    """Say how many of the sentences a model has learned from, or that this is not known."""
    if seen is None:
        return f"The training set of {name} is not known."
    if not seen:
        return ""
    verb, whose = ("is", "its score says") if seen == 1 else ("are", "their scores say")
    sentences = counted(total, "sentence")
    return f"{seen} of {sentences} {verb} in the training set of {name}: {whose} little."


def _count_kinds(summary: ErrorSummary, sentences: list[Scored]) -> list[KindAnswer]:
    return [
        KindAnswer(
            kind=kind,
            missed=summary.missed[kind],
            spurious=summary.spurious[kind],
            sentences=sum(kind in one.kinds for one in sentences),
        )
        for kind in ERROR_TYPES
    ]


def check_number(sentences: Sized, most: int, to_do: str) -> None:
    """Raise if there are more sentences than a server has time for."""
    if len(sentences) > most:
        raise RefusedError(400, f"choose at most {most} sentences to {to_do}, such as 1-{most}")


def _traceless(trees: Iterable[Tree | None], what: str, advice: str) -> Iterator[Tree | None]:
    """Yield trees, unless one has traces."""
    for tree in trees:
        if tree is not None and any(token.is_null for token in tree.tokens):
            raise InputError(f"the {what} have traces: {advice}")
        yield tree


@dataclass
class Compare:
    """Gold trees and the parses of one or two systems, as the parameters of a request."""

    store: ServerStore
    gold: Annotated[str, Query(description="The treebank with the gold trees.")]
    parses: Annotated[
        str, Query(description=f"The treebank with the parses; or {_BY}MODEL for those of a model.")
    ]
    other: Annotated[str, Query(description="A second treebank or model to compare with.")] = ""
    own_tags: Annotated[bool, Query(description="As in POST /parses.")] = False
    sentences: Annotated[str, Query(max_length=_RANGES, description=_SENTENCES)] = ""
    first: Annotated[
        int | None, Query(ge=1, description="Only the first sentences, if not all are parsed yet.")
    ] = None
    transform: Transform = False
    settings: Annotated[str, Query(description="What counts, as for plcfrs eval: field, all.")] = (
        "field"
    )

    def reports(self) -> list[Report]:
        """Return the scores of the parses, and of those that they are compared with."""
        gold = Chosen(self.store.treebank(self.gold), self.transform, self.sentences)

        def report(name: str) -> Report:
            system: Treebank | Parses
            if not name.startswith(_BY):
                system = self.store.treebank(name)
            else:
                system = parses_of(self.store.model(name.removeprefix(_BY)), gold, self.own_tags)
            return report_of(gold, system, self.settings, self.first)

        return [report(self.parses), *map(report, filter(None, [self.other]))]


@api.post("/parses")
@parsing
def parses(store: ServerStore, wanted: ParsesRequest) -> ParsesAnswer:
    """Parse some sentences of a treebank, for a second: ask again for the rest."""
    gold = Chosen(store.treebank(wanted.treebank), wanted.transform, wanted.sentences)
    found = parses_of(store.model(wanted.model), gold, wanted.own_tags)
    return ParsesAnswer(parsed=found.go_on(), total=len(found.numbers))
