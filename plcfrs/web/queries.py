"""The language of queries, and the matches of a query: with the words around them, and counted."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel, Field

from plcfrs.errors import InputError
from plcfrs.query.help import SECTIONS
from plcfrs.query.hits import KEYS, ORDERS, Hit, Hits
from plcfrs.query.translation import suggest
from plcfrs.web.requests import PAGE, Offset, PageSize, ServerStore, tabbed, threaded
from plcfrs.web.searches import Counts, Search
from plcfrs.web.serializers import Answer
from plcfrs.web.store import Treebank

_CONTEXT = 8  # words on each side
_KINDS = 100
_COUNT_ORDERS = ("-count", "count", "value", "-value")  # a hyphen: the opposite one
_KEYS = f"{', '.join(KEYS)}; after n. that of the node with the name n"
By = Annotated[str, Query(max_length=1000, description=f"One or more with commas: {_KEYS}.")]

api = APIRouter()


class HelpEntry(Answer):
    """Something that can be written in a query."""

    written: list[str] = Field(validation_alias="ways", description="The ways to write it.")
    meaning: str = Field(description="Parts of queries are in backquotes.")
    example: str = Field(description="A query.")


class HelpSection(Answer):
    """Entries of a kind, such as operators for gaps."""

    title: str
    about: str
    entries: list[HelpEntry]


class HelpAnswer(BaseModel):
    """What can be written in queries, and by what hits are counted."""

    sections: list[HelpSection]
    keys: list[str] = Field(description="As for plcfrs find --count-by.")


class HitAnswer(Answer):
    """A match of a query, with its context."""

    number: int = Field(description="Of its tree among those found, from 1.")
    id: str = Field(description="The identifier of the tree.")
    label: str = Field(description="Of the constituent, or the tag of the token.")
    function: str = Field(description="Of the constituent or the token; perhaps empty.")
    before: str = Field(description="The words before it.")
    words: str = Field(description="Its words, with dots for gaps.")
    parts: list[str] = Field(
        description="The words of each of its parts, and between two of them those in the gap."
    )
    after: str = Field(description="The words after it.")
    positions: list[int] = Field(description="Of its tokens, from 0.")
    gap_degree: int = Field(description="The number of its gaps.")


class HitsAnswer(BaseModel):
    """A page of the matches of a query."""

    total: int
    hits: list[HitAnswer]


class CountAnswer(BaseModel):
    """How many matches there are of a kind."""

    values: list[str] = Field(description="One for each key.")
    count: int


class CountsAnswer(BaseModel):
    """How many matches there are of each kind."""

    total: int = Field(description="Number of matches.")
    kinds: int = Field(description="Number of kinds; those listed may be fewer.")
    counts: list[CountAnswer]


class TranslationAnswer(BaseModel):
    """A query of another tool in the language of queries."""

    query: str = Field(description="Empty if the text is no query of tgrep2 or TIGERSearch.")


@dataclass
class Searched:
    """A query in a treebank, as the parameters of a request."""

    store: ServerStore
    treebank: str
    query: Annotated[
        str, Query(max_length=1000, description="As for plcfrs find; without one, all trees.")
    ] = ""
    within: Annotated[
        str, Query(max_length=1000, description="Only in trees that also match this query.")
    ] = ""
    transform: Annotated[
        Literal["auto"] | bool,
        Query(description="As in POST /parses; auto: if there are traces."),
    ] = False

    @cached_property
    def source(self) -> Treebank:
        """The treebank."""
        return self.store.treebank(self.treebank)

    @property
    def search(self) -> Search:
        """What is searched for."""
        transformed = self.source.has_traces if self.transform == "auto" else self.transform
        return Search(self.query.strip(), self.within.strip(), transformed)

    def counts(self, by: str) -> Counts:
        """Return how many matches there are of each kind."""
        return self.source.counts(self.search, keys_of(by))


@dataclass
class Listed(Searched):
    """The same, and which of the matches are wanted, in which order."""

    kind: Annotated[
        str, Query(max_length=1000, description="Only hits of a kind: by as for GET /counts.")
    ] = ""
    value: Annotated[list[str], Query(description="Of each key, as GET /counts lists it.")] = ()  # type: ignore[assignment]
    sort: Annotated[
        str, Query(description=f"{', '.join(ORDERS)}; with a hyphen before it, the last first.")
    ] = "sentence"

    def hits(self) -> Hits:
        """Return the wanted matches, sorted."""
        keys = keys_of(self.kind)
        if len(keys) != len(self.value):
            raise InputError("value: expected a value for each key of kind")
        kind = tuple(zip(keys, self.value, strict=True))
        return self.source.listed(self.search, kind, self.sort)


def keys_of(by: str) -> tuple[str, ...]:
    """Return the keys in a text.

    >>> keys_of("a.label, b.function")
    ('a.label', 'b.function')
    """
    return tuple(filter(None, map(str.strip, by.split(","))))


@api.get("/queries")
async def queries() -> HelpAnswer:
    """Explain the language of queries, and list by what hits are counted."""
    return HelpAnswer(sections=list(map(HelpSection.model_validate, SECTIONS)), keys=list(KEYS))


@api.get("/queries/translation")
@threaded
def translation(query: Annotated[str, Query(max_length=1000)]) -> TranslationAnswer:
    """Translate a query of tgrep2 or TIGERSearch."""
    return TranslationAnswer(query=suggest(query))


@api.get("/hits")
@threaded
def hits(
    wanted: Annotated[Listed, Depends()], offset: Offset = 0, limit: PageSize = PAGE
) -> HitsAnswer:
    """List the matches of a query, with their words in context."""
    found = wanted.hits()
    page = found[offset : offset + limit]
    return HitsAnswer(total=len(found), hits=list(map(describe_hit, page)))


@api.get("/hits.tsv", response_class=PlainTextResponse, name="table")
@threaded
def hits_table(wanted: Annotated[Listed, Depends()]) -> PlainTextResponse:
    """Give all matches of a query as a table with tabs."""
    rows = (
        (hit.id, hit.printed, hit.words, " ".join(map(str, hit.positions))) for hit in wanted.hits()
    )
    return tabbed(("id", "label", "words", "positions"), *rows)


@api.get("/counts")
@threaded
def counts(
    wanted: Annotated[Searched, Depends()],
    by: By,
    sort: Annotated[str, Query(description=", ".join(_COUNT_ORDERS))] = "-count",
    limit: Annotated[int, Query(ge=1, le=1000, description="Of kinds.")] = _KINDS,
) -> CountsAnswer:
    """Count the matches of a query, the most frequent kinds first."""
    found = wanted.counts(by)
    kinds = list(found.items())
    if sort not in _COUNT_ORDERS:
        raise InputError(f"{sort}: expected one of {', '.join(_COUNT_ORDERS)}")
    if sort.endswith("value"):
        kinds.sort(key=lambda item: item[0])
    if sort in ("count", "-value"):
        kinds.reverse()
    shown = [CountAnswer(values=list(map(str, kind)), count=count) for kind, count in kinds[:limit]]
    return CountsAnswer(total=found.total(), kinds=len(kinds), counts=shown)


@api.get("/counts.tsv", response_class=PlainTextResponse, name="table")
@threaded
def counts_table(wanted: Annotated[Searched, Depends()], by: By) -> PlainTextResponse:
    """Give all counts as a table with tabs."""
    kinds = wanted.counts(by).items()
    return tabbed(
        ("count", *keys_of(by)), *((str(count), *map(str, kind)) for kind, count in kinds)
    )


def describe_hit(hit: Hit) -> HitAnswer:
    """Return a hit with its context."""
    before, after = map(" ".join, hit.context(_CONTEXT))
    return HitAnswer.of(hit, label=hit.printed, before=before, after=after)
