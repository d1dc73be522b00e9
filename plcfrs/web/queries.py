"""The language of queries, and the matches of a query: with the words around them, and counted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel, Field

from plcfrs.errors import InputError
from plcfrs.query.help import SECTIONS
from plcfrs.query.hits import KEYS, ORDERS, Hit, Hits
from plcfrs.web.requests import PAGE, WITHIN, Offset, PageSize, store_of, threaded
from plcfrs.web.serializers import Answer

_CONTEXT = 8  # words on each side
_KINDS = 100
_COUNT_ORDERS = ("-count", "count", "value", "-value")  # a hyphen: the opposite one
By = Annotated[str, Query(description=f"By what they are counted: {', '.join(KEYS)}.")]

api = APIRouter()


class HelpEntry(Answer):
    """Something that can be written in a query."""

    written: list[str] = Field(description="The ways to write it.")
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
    after: str = Field(description="The words after it.")
    positions: list[int] = Field(description="Of its tokens, from 0.")
    gap_degree: int = Field(description="The number of its gaps.")


class HitsAnswer(BaseModel):
    """A page of the matches of a query."""

    total: int
    hits: list[HitAnswer]


class CountAnswer(BaseModel):
    """How many matches there are of a kind."""

    value: str
    count: int


class CountsAnswer(BaseModel):
    """How many matches there are of each kind."""

    total: int = Field(description="Number of matches.")
    kinds: int = Field(description="Number of kinds; those listed may be fewer.")
    counts: list[CountAnswer]


@dataclass
class Search:
    """A query in a treebank, as the parameters of a request."""

    treebank: str
    query: Annotated[str, Query(max_length=1000, description="As for plcfrs find.")]
    within: Annotated[str, Query(max_length=1000, description=WITHIN)] = ""
    transform: bool = False

    def hits(self, request: Request) -> Hits:
        """Return all matches."""
        treebank = store_of(request).treebank(self.treebank)
        return treebank.hits(self.query, self.within, transformed=self.transform)


@dataclass
class SearchOfKind(Search):
    """The same, and which of the matches are wanted."""

    kind: Annotated[
        str, Query(description=f"Only hits of a kind, with value: one of {', '.join(KEYS)}.")
    ] = ""
    value: Annotated[str, Query(description="As GET /counts lists it.")] = ""
    sort: Annotated[
        str, Query(description=f"{', '.join(ORDERS)}; with a hyphen before it, the last first.")
    ] = "sentence"

    def hits(self, request: Request) -> Hits:
        """Return the wanted matches, sorted."""
        found = super().hits(request)
        if self.kind:
            found = found.having(self.kind, self.value)
        return found if self.sort == "sentence" else found.sorted(self.sort)


@api.get("/queries")
async def queries() -> HelpAnswer:
    """Explain the language of queries, and list by what hits are counted."""
    sections = [
        HelpSection.of(
            section,
            entries=[HelpEntry.of(entry, written=entry.ways) for entry in section.entries],
        )
        for section in SECTIONS
    ]
    return HelpAnswer(sections=sections, keys=list(KEYS))


@api.get("/hits")
@threaded
def hits(
    request: Request,
    search: Annotated[SearchOfKind, Depends()],
    offset: Offset = 0,
    limit: PageSize = PAGE,
) -> HitsAnswer:
    """List the matches of a query, with their words in context."""
    found = search.hits(request)
    page = found[offset : offset + limit]
    return HitsAnswer(total=len(found), hits=list(map(describe_hit, page)))


@api.get("/hits.tsv", response_class=PlainTextResponse, name="table")
@threaded
def hits_table(request: Request, search: Annotated[SearchOfKind, Depends()]) -> PlainTextResponse:
    """Give all matches of a query as a table with tabs."""
    rows = (
        (hit.id, hit.printed, hit.words, " ".join(map(str, hit.positions)))
        for hit in search.hits(request)
    )
    return _table(("id", "label", "words", "positions"), rows)


@api.get("/counts")
@threaded
def counts(
    request: Request,
    search: Annotated[Search, Depends()],
    by: By,
    sort: Annotated[str, Query(description=", ".join(_COUNT_ORDERS))] = "-count",
    limit: Annotated[int, Query(ge=1, le=1000, description="Of kinds.")] = _KINDS,
) -> CountsAnswer:
    """Count the matches of a query, the most frequent kinds first."""
    found = search.hits(request)
    kinds = [(value, count) for (value,), count in found.counts(by).items()]
    if sort not in _COUNT_ORDERS:
        raise InputError(f"{sort}: expected one of {', '.join(_COUNT_ORDERS)}")
    if sort.endswith("value"):
        kinds.sort(key=lambda item: item[0])
    if sort in ("count", "-value"):
        kinds.reverse()
    shown = [CountAnswer(value=str(value), count=count) for value, count in kinds[:limit]]
    return CountsAnswer(total=len(found), kinds=len(kinds), counts=shown)


@api.get("/counts.tsv", response_class=PlainTextResponse, name="table")
@threaded
def counts_table(
    request: Request, search: Annotated[Search, Depends()], by: By
) -> PlainTextResponse:
    """Give all counts as a table with tabs."""
    kinds = search.hits(request).counts(by).items()
    return _table(("count", by), ((str(count), str(value)) for (value,), count in kinds))


def describe_hit(hit: Hit) -> HitAnswer:
    """Return a hit with its context."""
    before, after = map(" ".join, hit.context(_CONTEXT))
    return HitAnswer.of(hit, label=hit.printed, before=before, after=after)


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> PlainTextResponse:
    return PlainTextResponse("".join("\t".join(row) + "\n" for row in (head, *rows)))
