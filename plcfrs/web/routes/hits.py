"""Routes for the matches of a query."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import PlainTextResponse

from plcfrs.web.answers.treebanks import CountAnswer, HitsAnswer
from plcfrs.web.hits import (
    KEYS,
    Hit,
    count_hits,
    describe_hit,
    hits_of,
    sort_hits,
    tab_separated,
)
from plcfrs.web.limits import Workers
from plcfrs.web.store import Store

_PAGE = 50


def add_hits(router: APIRouter, store: Store, workers: Workers) -> None:
    """Add the routes to a router."""

    def all_hits(treebank: str, query: str, transform: bool) -> list[Hit]:
        return list(hits_of(store.treebank(treebank).search(query, transformed=transform)))

    @router.get("/hits")
    async def hits(
        request: Request,
        treebank: str,
        query: Annotated[str, Query(max_length=1000, description="As for plcfrs find.")],
        transform: bool = False,
        sort: Annotated[str, Query(description=f"{', '.join(KEYS)}; else in order.")] = "",
        offset: Annotated[int, Query(ge=0)] = 0,
        limit: Annotated[int, Query(ge=1, le=500)] = _PAGE,
    ) -> HitsAnswer:
        """List the matches of a query, with their words in context."""

        def job() -> HitsAnswer:
            found = sort_hits(all_hits(treebank, query, transform), sort)
            page = found[offset : offset + limit]
            return HitsAnswer(total=len(found), hits=list(map(describe_hit, page)))

        return await workers.run(job, request.is_disconnected)

    @router.get("/counts")
    async def counts(
        request: Request,
        treebank: str,
        query: Annotated[str, Query(max_length=1000, description="As for plcfrs find.")],
        by: Annotated[str, Query(description=", ".join(KEYS))],
        transform: bool = False,
    ) -> list[CountAnswer]:
        """Count the matches of a query, the most frequent kind first."""

        def job() -> list[CountAnswer]:
            return count_hits(all_hits(treebank, query, transform), by)

        return await workers.run(job, request.is_disconnected)

    @router.get("/hits.tsv", response_class=PlainTextResponse)
    async def table(
        request: Request,
        treebank: str,
        query: Annotated[str, Query(max_length=1000, description="As for plcfrs find.")],
        transform: bool = False,
    ) -> PlainTextResponse:
        """Give all matches of a query as a table with tabs."""

        def job() -> str:
            return tab_separated(all_hits(treebank, query, transform))

        return PlainTextResponse(await workers.run(job, request.is_disconnected))
