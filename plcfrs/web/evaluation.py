"""Parses of treebanks by the models of the server, and the scores of all sentences, which stay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import count, islice
from threading import Lock
from time import perf_counter
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from plcfrs.errors import InputError
from plcfrs.evaluation import ErrorSummary
from plcfrs.evaluation.scoring import Scored, Scoring
from plcfrs.parsing.sentence import Sentence
from plcfrs.treebank import Selection
from plcfrs.treebank.reading import chosen_ranges
from plcfrs.trees import Tree
from plcfrs.trees.training_set import sentence_hash
from plcfrs.web.limits import RefusedError
from plcfrs.web.requests import ServerStore, threaded
from plcfrs.web.serializers import settings_named
from plcfrs.web.store import NamedModel, Treebank

_SECONDS = 1.0  # of parsing, before a request is answered
_MOST = 1000  # sentences that are parsed for one comparison
_SENTENCES = "Their numbers, as for plcfrs eval --sentences: 1-500,600; all if it is empty."
_RANGES = 1000  # characters
_BY = "by "  # before the name of a model

api = APIRouter()


class ParsesRequest(BaseModel):
    """Some sentences of a treebank, to be parsed with a model."""

    treebank: str
    transform: bool = Field(
        default=False, description="Whether to turn traces into crossing branches first."
    )
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
    total: int = Field(description="The sentences that were asked for and are there.")


@dataclass(eq=False)
class Parses:
    """The parses of some sentences of a treebank by a model, as many as there are by now."""

    named: NamedModel
    gold: Treebank
    transformed: bool
    own_tags: bool
    sentences: str
    numbers: list[int] = field(init=False)
    trees: dict[int, Tree] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def __post_init__(self) -> None:
        self.numbers = numbers_of(self.gold, self.transformed, self.sentences)
        if len(self.numbers) > _MOST:
            raise RefusedError(400, f"choose at most {_MOST} sentences to parse, such as 1-{_MOST}")

    def go_on(self) -> int:
        """Parse for a second, or one sentence; return how many are parsed by now."""
        gold = self.gold.trees(transformed=self.transformed)
        end = perf_counter() + _SECONDS
        with self._lock:
            for number in self.numbers[len(self.trees) :]:
                if perf_counter() >= end:
                    break
                sentence = Sentence.of(gold[number - 1])
                if self.own_tags:
                    sentence = replace(sentence, tags=None)
                self.trees[number] = self.named.model.parse(sentence).tree
            return len(self.trees)

    def in_place(self, first: int) -> Iterator[Tree | None]:
        """Yield the first parses, and None for sentences that were not asked for."""
        if first > len(self.trees):
            raise RefusedError(
                400,
                f"{len(self.trees)} sentences are parsed with {self.named.name}, not {first}: "
                "parse more with POST /api/v1/parses",
            )
        return map(self.trees.get, count(1))


parses_of = lru_cache(8)(Parses)
"""Return the parses of a treebank by a model; the last few are kept."""

System = Treebank | Parses


@dataclass(eq=False)
class Report:
    """The scores of the sentences of one system, and each sentence."""

    system: System
    scoring: Scoring
    sentences: list[Scored]

    @cached_property
    def trained_on(self) -> int | None:
        """How many of the sentences the model has learned from; None if this is not known."""
        known = isinstance(self.system, Parses) and self.system.named.model.training_set
        return sum(sentence_hash(one.gold) in known for one in self.sentences) if known else None


@lru_cache(4)
def report_of(
    gold_bank: Treebank,
    system: System,
    transformed: bool,
    settings_name: str,
    sentences: str,
    first: int | None,
) -> Report:
    """Return the scores and errors of some sentences, or of the `first` of them.

    `transformed` says whether traces of the gold trees become crossing branches.
    """
    numbers = numbers_of(gold_bank, transformed, sentences)[:first]
    if not numbers:
        raise InputError(f"there are no sentences {sentences} in {gold_bank.name}")
    found: list[Iterable[Tree | None]] = [gold_bank.trees(transformed=transformed)]
    if isinstance(system, Parses):
        found.append(system.in_place(len(numbers)))
    else:
        found.append(system.trees(transformed=False))
    # If all trees are scored, there must be as many parses.
    is_part = sentences or first or isinstance(system, Parses)
    gold, parses = (islice(trees, numbers[-1] if is_part else None) for trees in found)
    scoring = Scoring(settings_named(settings_name), errors=ErrorSummary())
    scored = scoring.run(
        gold_bank.in_time(_traceless(gold, "gold trees", "turn them into crossing branches")),
        _traceless(parses, "parses", "choose trees without"),
        selection=Selection(chosen_ranges(sentences)),
    )
    return Report(system, scoring, list(scored))


def numbers_of(treebank: Treebank, transformed: bool, sentences: str) -> list[int]:
    """Return the numbers of some sentences of a treebank that are there."""
    chosen = Selection(chosen_ranges(sentences))
    numbers = range(1, len(treebank.trees(transformed=transformed)) + 1)
    return list(filter(chosen.names, chosen.until_last(numbers)))


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
    other: Annotated[str, Query(description="The same: what they are compared with.")] = ""
    own_tags: Annotated[bool, Query(description="As in POST /parses.")] = False
    sentences: Annotated[str, Query(max_length=_RANGES, description=_SENTENCES)] = ""
    first: Annotated[
        int | None,
        Query(ge=1, description="Only the first of them, if not all are parsed by now."),
    ] = None
    transform: Annotated[
        bool, Query(description="Whether to turn traces of the gold trees into crossing branches.")
    ] = False
    settings: Annotated[str, Query(description="What counts, as for plcfrs eval: field, all.")] = (
        "field"
    )

    @property
    def names(self) -> list[str]:
        """The names of the systems."""
        return [each.removeprefix(_BY) for each in (self.parses, self.other) if each]

    def reports(self) -> list[Report]:
        """Return the scores of the parses, and of those that they are compared with."""
        gold = self.store.treebank(self.gold)

        def report(name: str) -> Report:
            system: System
            if not name.startswith(_BY):
                system = self.store.treebank(name)
            else:
                model = self.store.model(name.removeprefix(_BY))
                system = parses_of(model, gold, self.transform, self.own_tags, self.sentences)
            scored = self.transform, self.settings, self.sentences, self.first
            return report_of(gold, system, *scored)

        return [report(self.parses), *([report(self.other)] if self.other else [])]


@api.post("/parses")
@threaded
def parses(store: ServerStore, wanted: ParsesRequest) -> ParsesAnswer:
    """Parse some sentences of a treebank, for a second: ask again for the rest."""
    found = parses_of(
        store.model(wanted.model),
        store.treebank(wanted.treebank),
        wanted.transform,
        wanted.own_tags,
        wanted.sentences,
    )
    return ParsesAnswer(parsed=found.go_on(), total=len(found.numbers))
