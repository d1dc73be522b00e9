"""Parses of treebanks by models of the server, and their scores, which are cached."""

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
from plcfrs.evaluation import ERROR_TYPES, ErrorSummary, Table, tables
from plcfrs.evaluation.scoring import Scored, Scoring
from plcfrs.parsing.sentence import Sentence
from plcfrs.stopping import until_stopped
from plcfrs.treebank import Selection
from plcfrs.treebank.compiled import CompiledTrees
from plcfrs.treebank.reading import chosen_ranges
from plcfrs.trees import Tree
from plcfrs.trees.training_set import sentence_hash
from plcfrs.web.limits import RefusedError
from plcfrs.web.routes import Answer, ServerStore, Transform, parsing, settings_named
from plcfrs.web.store import NamedModel, NamedTreebank
from plcfrs.wording import counted

_SECONDS = 1.0  # of parsing for one answer
_MOST = 1000  # sentences to parse with a model
_SENTENCES = "Numbers of sentences, as for plcfrs eval --sentences: 1-500,600; all if empty."
_RANGES = 1000  # the most characters
_WORDS = {"D": "Discontinuous", "C": "Continuous"}  # for columns of scores
_BY = "by "  # comes before the name of a model

api = APIRouter()


class ParsesRequest(BaseModel):
    """Sentences of a treebank, and the model to parse them with."""

    treebank: str = Field(description="The name of the treebank.")
    transform: Transform = False
    model: str | None = Field(
        default=None, description="The name of the model; by default the first one."
    )
    own_tags: bool = Field(
        default=False,
        description="Whether the parser finds the tags itself instead of using those of the trees.",
    )
    sentences: str = Field(
        default="", max_length=_RANGES, description=f"{_SENTENCES} Up to {_MOST} sentences."
    )


class ParsesAnswer(BaseModel):
    """The progress of parsing. Ask again until all sentences are parsed."""

    parsed: int = Field(description="Number of sentences parsed by now.")
    total: int = Field(description="Number of sentences.")


class ScoreTable(Answer):
    """A table of scores, as plcfrs eval or plcfrs compare prints it."""

    title: str
    columns: list[str] = Field(description="The headings of the columns.")
    rows: dict[str, list[int | float | str | None]] = Field(
        description="Counts and percentages by name; null if there is nothing to score."
    )
    lines: list[list[str]] = Field(description="The table as texts, the headings first.")

    @classmethod
    def of_table(cls, table: Table) -> ScoreTable:
        """Return a table with its texts, and whole words as headings."""
        columns = [_WORDS.get(name, name) for name in table.columns]
        return cls.of(table, lines=replace(table, columns=columns).lines())


class KindAnswer(BaseModel):
    """A kind of error, as plcfrs eval --errors counts it."""

    kind: str = Field(description="The name of the kind.")
    missed: int = Field(description="Number of constituents that only the gold trees have.")
    spurious: int = Field(description="Number of constituents that only the parses have.")
    sentences: int = Field(description="Number of sentences with such errors.")


class SystemAnswer(BaseModel):
    """The scores of a system: a model, or a treebank with parses."""

    name: str = Field(description="The name of the model or treebank.")
    is_model: bool = Field(description="Whether the system is a model.")
    trained_on: int | None = Field(
        description="Number of these sentences that the model was trained on; null if not known."
    )
    doubt: str = Field(description="Why the scores may say little; otherwise empty.")
    tables: list[ScoreTable] = Field(description="The tables of plcfrs eval --breakdown.")
    kinds: list[KindAnswer] = Field(description="The kinds of errors.")


class GoldSentences(NamedTuple):
    """Chosen sentences of a treebank, perhaps with crossing branches for traces."""

    treebank: NamedTreebank
    transformed: bool
    ranges: str

    @property
    def trees(self) -> CompiledTrees:
        """All trees of the treebank."""
        return self.treebank.trees(transformed=self.transformed)

    @property
    def selection(self) -> Selection:
        """The chosen sentences."""
        return Selection(chosen_ranges(self.ranges))

    def numbers(self) -> list[int]:
        """Return the numbers of the chosen sentences that exist."""
        numbers = range(1, len(self.trees) + 1)
        return list(filter(self.selection.names, self.selection.until_last(numbers)))


class ModelParses:
    """The parses of some sentences by a model, which become more with each request."""

    def __init__(self, named: NamedModel, gold: GoldSentences, own_tags: bool) -> None:
        self.name, self.model = named.name, named.model
        self.gold, self.own_tags = gold, own_tags
        self.numbers = gold.numbers()
        self.trees: dict[int, Tree] = {}
        self._lock = Lock()
        check_number(self.numbers, _MOST, "parse")

    def go_on(self) -> int:
        """Parse for a second, at least one sentence; return how many are parsed by now."""
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
        """Yield a parse, or None if it was not asked for, for each sentence of the treebank."""
        if first > len(self.trees):
            raise RefusedError(
                400,
                f"{len(self.trees)} sentences are parsed with {self.name}, not {first}: "
                "parse more with POST /api/v1/parses",
            )
        return map(self.trees.get, count(1))


parses_of = lru_cache(8)(ModelParses)
"""Return the parses of a treebank by a model, from a cache of the last few."""


@dataclass(eq=False)
class SystemReport:
    """The scores of a system, and of each sentence."""

    system: SystemAnswer
    sentences: list[Scored]


@lru_cache(4)
def report_of(
    chosen: GoldSentences, system: NamedTreebank | ModelParses, settings: str, first: int | None
) -> SystemReport:
    """Return the scores and errors of the chosen sentences, or of the `first` of them."""
    numbers = chosen.numbers()[:first]
    if not numbers:
        raise InputError(f"{chosen.treebank.name} has no sentences {chosen.ranges}")
    model = None
    parses: Iterable[Tree | None]
    if isinstance(system, ModelParses):
        model, parses = system.model, system.in_place(len(numbers))
    else:
        parses = system.trees(transformed=False)
    # Only if all trees are scored, the numbers of trees and parses must be the same.
    last = numbers[-1] if model or first or chosen.ranges else None
    gold = _traceless(islice(chosen.trees, last), "gold trees", "turn them into crossing branches")
    summary = ErrorSummary()
    scoring = Scoring(settings_named(settings), errors=summary)
    sentences = list(
        scoring.run(
            until_stopped(gold),
            _traceless(islice(parses, last), "parses", "choose trees without"),
            selection=chosen.selection,
        )
    )
    training_set = model and model.training_set
    seen = (
        sum(sentence_hash(sentence.gold) in training_set for sentence in sentences)
        if training_set
        else None
    )
    answer = SystemAnswer(
        name=system.name,
        is_model=model is not None,
        trained_on=seen,
        doubt=_doubt(system.name, seen, len(sentences)) if model else "",
        tables=list(map(ScoreTable.of_table, tables(scoring.evaluation))),
        kinds=_count_kinds(summary, sentences),
    )
    return SystemReport(answer, sentences)


def _doubt(name: str, seen: int | None, total: int) -> str:
    """Say how many of the sentences are in the training set, or that this is not known."""
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
            sentences=sum(kind in sentence.kinds for sentence in sentences),
        )
        for kind in ERROR_TYPES
    ]


def check_number(sentences: Sized, most: int, to_do: str) -> None:
    """Raise if there are too many sentences for a server."""
    if len(sentences) > most:
        raise RefusedError(400, f"choose up to {most} sentences to {to_do}, such as 1-{most}")


def _traceless(trees: Iterable[Tree | None], what: str, advice: str) -> Iterator[Tree | None]:
    """Yield trees; raise if one has traces."""
    for tree in trees:
        if tree is not None and any(token.is_null for token in tree.tokens):
            raise InputError(f"the {what} have traces: {advice}")
        yield tree


@dataclass
class ScoreParameters:
    """The parameters of requests for scores: gold trees, and the parses of one or two systems."""

    store: ServerStore
    gold: Annotated[str, Query(description="The treebank with the gold trees.")]
    parses: Annotated[
        str,
        Query(
            description=f"The treebank with the parses, or {_BY}MODEL for the parses by a model."
        ),
    ]
    other: Annotated[
        str, Query(description=f"Another treebank, or {_BY}MODEL, to compare with.")
    ] = ""
    own_tags: Annotated[
        bool, Query(description="Whether the model found the tags itself, as in POST /parses.")
    ] = False
    sentences: Annotated[str, Query(max_length=_RANGES, description=_SENTENCES)] = ""
    first: Annotated[
        int | None,
        Query(ge=1, description="Score only this many sentences, if not all are parsed yet."),
    ] = None
    transform: Transform = False
    settings: Annotated[
        str,
        Query(description="Which words and constituents count, as for plcfrs eval: field or all."),
    ] = "field"

    def reports(self) -> list[SystemReport]:
        """Return the scores of the parses, and of those to compare with if there are any."""
        gold = GoldSentences(self.store.treebank(self.gold), self.transform, self.sentences)

        def report(name: str) -> SystemReport:
            system: NamedTreebank | ModelParses
            if not name.startswith(_BY):
                system = self.store.treebank(name)
            else:
                system = parses_of(self.store.model(name.removeprefix(_BY)), gold, self.own_tags)
            return report_of(gold, system, self.settings, self.first)

        return [report(self.parses), *map(report, filter(None, [self.other]))]


@api.post("/parses")
@parsing
def parses(store: ServerStore, wanted: ParsesRequest) -> ParsesAnswer:
    """Parse sentences of a treebank for a second. Ask again for the rest."""
    gold = GoldSentences(store.treebank(wanted.treebank), wanted.transform, wanted.sentences)
    parses = parses_of(store.model(wanted.model), gold, wanted.own_tags)
    return ParsesAnswer(parsed=parses.go_on(), total=len(parses.numbers))
