"""The query language, and the matches of a query: listed with their context, or counted."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel, Field

from plcfrs.errors import InputError
from plcfrs.query import parse_query
from plcfrs.query.help import SECTIONS
from plcfrs.query.hits import KEYS, ORDERS, Hit, Hits
from plcfrs.query.translation import suggest
from plcfrs.web import routes
from plcfrs.web.searches import Counts, TreebankSearch
from plcfrs.web.store import NamedTreebank

_CONTEXT = 8  # words on each side
_KINDS = 100
_COUNT_ORDERS = ("-count", "count", "value", "-value")  # a hyphen: the highest first
_KEYS = f"{', '.join(KEYS)}; with n. before it, that of the node named n"
By = Annotated[
    str, Query(max_length=1000, description=f"One or more keys, separated by commas: {_KEYS}.")
]

api = APIRouter()


class HelpEntry(routes.Answer):
    """An element of the query language."""

    written: list[str] = Field(validation_alias="ways", description="The ways to write it.")
    meaning: str = Field(description="The meaning, with parts of queries in backquotes.")
    example: str = Field(description="A query with it.")


class HelpSection(routes.Answer):
    """Related elements, such as operators for gaps."""

    title: str
    about: str = Field(description="What these elements are for.")
    entries: list[HelpEntry]


class HelpAnswer(BaseModel):
    """The query language, and the keys to count hits by."""

    sections: list[HelpSection]
    keys: list[str] = Field(description="The keys of plcfrs find --count-by.")


class HitAnswer(routes.Answer):
    """A match of a query with its context."""

    number: int = Field(description="The number of its tree among those found, from 1.")
    id: str = Field(description="The identifier of the tree.")
    label: str = Field(description="The label of the constituent, or the tag of the token.")
    function: str = Field(description="The function of the constituent or token, or empty.")
    before: str = Field(description="The words before it.")
    words: str = Field(description="Its words, with dots for gaps.")
    parts: list[str] = Field(
        description="The words of each part, and between two parts the words in the gap."
    )
    after: str = Field(description="The words after it.")
    positions: list[int] = Field(description="Positions of its tokens, from 0.")
    gap_degree: int = Field(description="The number of its gaps.")


class HitsAnswer(BaseModel):
    """A page of the matches of a query."""

    total: int = Field(description="Number of matches.")
    hits: list[HitAnswer]


class CountAnswer(BaseModel):
    """The number of matches of one kind."""

    values: list[str] = Field(description="The value of each key.")
    count: int


class CountsAnswer(BaseModel):
    """The number of matches of each kind."""

    total: int = Field(description="Number of matches.")
    kinds: int = Field(description="Number of kinds, of which the first are listed.")
    counts: list[CountAnswer]


class TranslationAnswer(BaseModel):
    """A query of another tool in our query language."""

    query: str = Field(
        description="The query; empty if the text is not a query of tgrep2 or TIGERSearch."
    )


@dataclass
class SearchParameters:
    """The parameters of a search in a treebank."""

    store: routes.ServerStore
    treebank: routes.TreebankName
    query: Annotated[
        str, Query(max_length=1000, description="A query as for plcfrs find; all trees if empty.")
    ] = ""
    within: Annotated[
        str,
        Query(max_length=1000, description="Another query: search only trees that also match it."),
    ] = ""
    transform: Annotated[
        Literal["auto"] | bool,
        Query(
            description="Whether to turn traces into crossing branches; auto: if there are any, "
            "and the query is not about null elements."
        ),
    ] = False

    @cached_property
    def source(self) -> NamedTreebank:
        """The treebank."""
        return self.store.treebank(self.treebank)

    @property
    def search(self) -> TreebankSearch:
        """The search in the treebank."""
        query, transformed = self.query.strip(), self.transform
        if transformed == "auto":
            transformed = self.source.has_traces and not parse_query(query or "*").is_about_nulls
        return TreebankSearch(query, self.within.strip(), transformed)

    def counts(self, by: str) -> Counts:
        """Return the number of matches of each kind."""
        return self.source.counts(self.search, keys_of(by))


@dataclass
class HitParameters(SearchParameters):
    """The parameters of a search, and the kind and order of its matches."""

    kind: Annotated[
        str, Query(max_length=1000, description="List only hits with some values of these keys.")
    ] = ""
    value: Annotated[
        list[str], Query(description="The value of each key, as GET /counts lists it.")
    ] = ()  # type: ignore[assignment]
    sort: Annotated[
        str,
        Query(description=f"One of {', '.join(ORDERS)}; a hyphen before it reverses the order."),
    ] = "sentence"

    def hits(self) -> Hits:
        """Return the matches of the kind in their order."""
        keys = keys_of(self.kind)
        if len(keys) != len(self.value):
            raise InputError("value: expected a value for each key of kind")
        kind = tuple(zip(keys, self.value, strict=True))
        return self.source.listed(self.search, kind, self.sort)


def keys_of(by: str) -> tuple[str, ...]:
    """Split a text into keys.

    >>> keys_of("a.label, b.function")
    ('a.label', 'b.function')
    """
    return tuple(filter(None, map(str.strip, by.split(","))))


@api.get("/queries")
async def queries() -> HelpAnswer:
    """Explain the query language, and list the keys to count hits by."""
    return HelpAnswer(sections=list(map(HelpSection.model_validate, SECTIONS)), keys=list(KEYS))


@api.get("/queries/translation")
@routes.threaded
def translation(
    query: Annotated[str, Query(max_length=1000, description="A query of another tool.")],
) -> TranslationAnswer:
    """Translate a query of tgrep2 or TIGERSearch."""
    return TranslationAnswer(query=suggest(query))


@api.get("/hits")
@routes.threaded
def hits(
    wanted: Annotated[HitParameters, Depends()],
    offset: routes.Offset = 0,
    limit: routes.PageSize = routes.PAGE,
) -> HitsAnswer:
    """List the matches of a query with the words around them."""
    matches = wanted.hits()
    page = matches[offset : offset + limit]
    return HitsAnswer(total=len(matches), hits=list(map(describe_hit, page)))


@api.get("/hits.tsv", response_class=PlainTextResponse, name="table")
@routes.threaded
def hits_table(wanted: Annotated[HitParameters, Depends()]) -> PlainTextResponse:
    """Give all matches of a query as a tab-separated table."""
    rows = (
        (hit.id, hit.printed, hit.words, " ".join(map(str, hit.positions))) for hit in wanted.hits()
    )
    return routes.tabbed(("id", "label", "words", "positions"), *rows)


@api.get("/counts")
@routes.threaded
def counts(
    wanted: Annotated[SearchParameters, Depends()],
    by: By,
    sort: Annotated[str, Query(description=f"One of {', '.join(_COUNT_ORDERS)}.")] = "-count",
    limit: Annotated[int, Query(ge=1, le=1000, description="The most kinds to list.")] = _KINDS,
) -> CountsAnswer:
    """Count the matches of each kind, by default the most frequent kinds first."""
    counts = wanted.counts(by)
    kinds = list(counts.items())
    if sort not in _COUNT_ORDERS:
        raise InputError(f"{sort}: expected one of {', '.join(_COUNT_ORDERS)}")
    if sort.endswith("value"):
        kinds.sort(key=lambda item: item[0])
    if sort in ("count", "-value"):
        kinds.reverse()
    shown = [CountAnswer(values=list(map(str, kind)), count=count) for kind, count in kinds[:limit]]
    return CountsAnswer(total=counts.total(), kinds=len(kinds), counts=shown)


@api.get("/counts.tsv", response_class=PlainTextResponse, name="table")
@routes.threaded
def counts_table(wanted: Annotated[SearchParameters, Depends()], by: By) -> PlainTextResponse:
    """Give all counts as a tab-separated table."""
    kinds = wanted.counts(by).items()
    return routes.tabbed(
        ("count", *keys_of(by)), *((str(count), *map(str, kind)) for kind, count in kinds)
    )


def describe_hit(hit: Hit) -> HitAnswer:
    """Return a hit with its context."""
    before, after = map(" ".join, hit.context(_CONTEXT))
    return HitAnswer.of(hit, label=hit.printed, before=before, after=after)
