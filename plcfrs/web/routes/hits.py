"""Routes for the matches of a query."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import PlainTextResponse

from plcfrs.query.hits import KEYS, ORDERS, Hit, keep_hits, sort_hits
from plcfrs.web.answers.treebanks import CountsAnswer, HitsAnswer
from plcfrs.web.hits import COUNT_ORDERS, counts_table, describe_counts, describe_hit, hits_table
from plcfrs.web.limits import Workers
from plcfrs.web.store import Store

_PAGE = 50
_KINDS = 100
_BY = f"By what they are counted: {', '.join(KEYS)}."


@dataclass
class Search:
    """A query in a treebank, as the parameters of a request."""

    treebank: str
    query: Annotated[str, Query(max_length=1000, description="As for plcfrs find.")]
    transform: bool = False

    def hits(self, store: Store) -> list[Hit]:
        """Return all matches."""
        return store.treebank(self.treebank).hits(self.query, transformed=self.transform)


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

    def hits(self, store: Store) -> list[Hit]:
        """Return the wanted matches, sorted."""
        found = super().hits(store)
        if self.kind:
            found = keep_hits(found, self.kind, self.value)
        return sort_hits(found, self.sort)


def add_hits(router: APIRouter, store: Store, workers: Workers) -> None:
    """Add the routes to a router."""

    @router.get("/hits")
    async def hits(
        request: Request,
        search: Annotated[SearchOfKind, Depends()],
        offset: Annotated[int, Query(ge=0)] = 0,
        limit: Annotated[int, Query(ge=1, le=500)] = _PAGE,
    ) -> HitsAnswer:
        """List the matches of a query, with their words in context."""

        def job() -> HitsAnswer:
            found = search.hits(store)
            page = found[offset : offset + limit]
            return HitsAnswer(total=len(found), hits=list(map(describe_hit, page)))

        return await workers.run(job, request.is_disconnected)

    @router.get("/hits.tsv", response_class=PlainTextResponse)
    async def table(
        request: Request, search: Annotated[SearchOfKind, Depends()]
    ) -> PlainTextResponse:
        """Give all matches of a query as a table with tabs."""
        text = await workers.run(lambda: hits_table(search.hits(store)), request.is_disconnected)
        return PlainTextResponse(text)


def add_counts(router: APIRouter, store: Store, workers: Workers) -> None:
    """Add the routes to a router."""

    @router.get("/counts")
    async def counts(
        request: Request,
        search: Annotated[Search, Depends()],
        by: Annotated[str, Query(description=_BY)],
        sort: Annotated[str, Query(description=", ".join(COUNT_ORDERS))] = "-count",
        limit: Annotated[int, Query(ge=1, le=1000, description="Of kinds.")] = _KINDS,
    ) -> CountsAnswer:
        """Count the matches of a query, the most frequent kinds first."""

        def job() -> CountsAnswer:
            return describe_counts(search.hits(store), by, sort, limit)

        return await workers.run(job, request.is_disconnected)

    @router.get("/counts.tsv", response_class=PlainTextResponse)
    async def table(
        request: Request,
        search: Annotated[Search, Depends()],
        by: Annotated[str, Query(description=_BY)],
    ) -> PlainTextResponse:
        """Give all counts as a table with tabs."""

        def job() -> str:
            return counts_table(search.hits(store), by)

        return PlainTextResponse(await workers.run(job, request.is_disconnected))
