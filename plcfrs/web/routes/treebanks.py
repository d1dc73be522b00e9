"""Routes for treebanks: their trees, and files of trees."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Body, Query, Request
from fastapi.responses import PlainTextResponse

from plcfrs.treebank.registry import WRITABLE, format_named
from plcfrs.trees import Node, Tree
from plcfrs.web.answers.treebanks import FoundTree, TreebankAnswer, TreesAnswer
from plcfrs.web.answers.trees import TreeAnswer
from plcfrs.web.limits import Workers
from plcfrs.web.presentation import describe_tree, render_file
from plcfrs.web.store import Store
from plcfrs.web.treebanks import Treebank

_PAGE = 50


def add_treebanks(router: APIRouter, store: Store, workers: Workers) -> None:
    """Add the routes to a router."""

    @router.get("/treebanks")
    async def treebanks() -> list[TreebankAnswer]:
        """List the treebanks: those given when the server was started, and uploaded ones."""
        return [TreebankAnswer(name=name) for name in list(store.treebanks)]

    @router.post("/treebanks", status_code=201)
    async def upload(
        request: Request,
        name: Annotated[
            str, Query(description="The name of the file; its extension tells the format.")
        ],
        content: Annotated[bytes, Body(media_type="application/octet-stream")] = b"",
    ) -> TreebankAnswer:
        """Upload a treebank: the body is the file."""
        job = partial(store.upload, name, content)
        treebank = await workers.run(job, request.is_disconnected)
        return TreebankAnswer(name=treebank.name)

    @router.get("/trees")
    async def trees(
        request: Request,
        treebank: str,
        query: Annotated[
            str, Query(max_length=1000, description="As for plcfrs find; all trees without one.")
        ] = "",
        transform: Annotated[
            bool, Query(description="Whether to turn traces into crossing branches first.")
        ] = False,
        offset: Annotated[int, Query(ge=0)] = 0,
        limit: Annotated[int, Query(ge=1, le=_PAGE)] = 1,
        marked: Annotated[
            list[int], Query(description="Constituents to mark, too, as in data-node.")
        ] = [],  # noqa: B006 (FastAPI copies it)
    ) -> TreesAnswer:
        """Page through the trees of a treebank, or through those that match a query."""
        job = partial(_trees, store, treebank, query, transform, offset, limit, marked)
        return await workers.run(job, request.is_disconnected)

    @router.get("/trees/file", response_class=PlainTextResponse)
    async def file(
        request: Request,
        treebank: str,
        query: Annotated[str, Query(max_length=1000, description="As for /trees.")] = "",
        transform: bool = False,
        format: Annotated[str, Query(description=", ".join(WRITABLE))] = "discbracket",
    ) -> PlainTextResponse:
        """Give all trees of a treebank, or all that match a query, as a file."""
        form = format_named(format)

        def job() -> str:
            found = store.treebank(treebank).search(query, transformed=transform)
            return render_file((tree for tree, _ in found), form)

        text = await workers.run(job, request.is_disconnected)
        name = f'attachment; filename="trees{form.extensions[0]}"'
        return PlainTextResponse(text, headers={"Content-Disposition": name})


def _trees(
    store: Store,
    treebank: str,
    query: str,
    transform: bool,
    offset: int,
    limit: int,
    marked: list[int],
) -> TreesAnswer:
    source = store.treebank(treebank)
    found = source.search(query, transformed=transform)
    return TreesAnswer(
        total=len(found),
        matches=sum(len(matches) for _, matches in found),
        message="" if found else _no_match(source, transform),
        traces=source.has_traces,
        trees=[
            FoundTree(number=number, matches=len(matches), tree=_marked(tree, matches, marked))
            for number, (tree, matches) in enumerate(
                found[offset : offset + limit], start=offset + 1
            )
        ],
    )


def _marked(tree: Tree, matches: list[Node | int], marked: list[int]) -> TreeAnswer:
    more = [node for number, node in enumerate(tree.nodes()) if number in marked]
    return describe_tree(tree, [*matches, *more])


def _no_match(source: Treebank, transformed: bool) -> str:
    if source.has_traces and not transformed:
        return "No tree matches. The trees have traces: turn them into crossing branches."
    return "No tree matches."
