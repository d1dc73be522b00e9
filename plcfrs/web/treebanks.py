"""Treebanks, their trees, and files of trees."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Query, Request
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel, Field

from plcfrs.treebank.registry import WRITABLE, format_named
from plcfrs.web.requests import PAGE, WITHIN, Offset, in_thread, store_of, threaded
from plcfrs.web.serializers import Answer, TreeAnswer, describe_tree, render_file

api = APIRouter()


class TreebankAnswer(Answer):
    """A treebank to browse."""

    name: str


class FoundTree(BaseModel):
    """A tree of a treebank, with the matches in red."""

    number: int = Field(description="Among those found, from 1.")
    matches: int
    tree: TreeAnswer


class TreesAnswer(BaseModel):
    """A page of the trees that were found."""

    total: int
    matches: int = Field(description="Number of matches in all trees.")
    message: str = Field(description="A hint if there are no trees; otherwise empty.")
    traces: bool = Field(description="Whether the treebank has traces, without transform.")
    trees: list[FoundTree]


@api.get("/treebanks")
async def treebanks(request: Request) -> list[TreebankAnswer]:
    """List the treebanks: those given at the start, uploaded ones, and all of them in one."""
    return [TreebankAnswer(name=name) for name in store_of(request).names]


@api.post("/treebanks", status_code=201)
@threaded
def upload(
    request: Request,
    name: Annotated[
        str, Query(description="The name of the file; its extension tells the format.")
    ],
    content: Annotated[bytes, Body(media_type="application/octet-stream")] = b"",
) -> TreebankAnswer:
    """Upload a treebank: the body is the file."""
    return TreebankAnswer(name=store_of(request).upload(name, content).name)


@api.get("/trees")
@threaded
def trees(
    request: Request,
    treebank: str,
    query: Annotated[
        str, Query(max_length=1000, description="As for plcfrs find; all trees without one.")
    ] = "",
    within: Annotated[str, Query(max_length=1000, description=WITHIN)] = "",
    transform: Annotated[
        bool, Query(description="Whether to turn traces into crossing branches first.")
    ] = False,
    offset: Offset = 0,
    limit: Annotated[int, Query(ge=1, le=PAGE)] = 1,
    marked: Annotated[
        list[int], Query(description="Constituents to mark, too, as in data-node.")
    ] = [],  # noqa: B006 (FastAPI copies it)
) -> TreesAnswer:
    """Page through the trees of a treebank, or through those that match a query."""
    source = store_of(request).treebank(treebank)
    hits, found = source.found(query, within, transformed=transform)
    message = "" if found else "No tree matches."
    if message and source.has_traces and not transform:
        message += " The trees have traces: turn them into crossing branches."
    shown = []
    for number, place in enumerate(found[offset : offset + limit], start=offset + 1):
        tree, matches = hits.marked_tree(place)
        more = [node for place, node in enumerate(tree.nodes()) if place in marked]
        described = describe_tree(tree, [*matches, *more])
        shown.append(FoundTree(number=number, matches=len(matches), tree=described))
    return TreesAnswer(
        total=len(found),
        matches=len(hits),
        message=message,
        traces=source.has_traces,
        trees=shown,
    )


@api.get("/trees/file", response_class=PlainTextResponse)
async def file(
    request: Request,
    treebank: str,
    query: Annotated[str, Query(max_length=1000, description="As for /trees.")] = "",
    within: Annotated[str, Query(max_length=1000, description=WITHIN)] = "",
    transform: bool = False,
    format: Annotated[str, Query(description=", ".join(WRITABLE))] = "discbracket",
) -> PlainTextResponse:
    """Give all trees of a treebank, or all that match a query, as a file."""
    form = format_named(format)

    def job() -> str:
        source = store_of(request).treebank(treebank)
        hits, found = source.found(query, within, transformed=transform)
        return render_file((hits.trees[number] for number in found), form)

    text = await in_thread(request, job)
    name = f'attachment; filename="trees{form.extensions[0]}"'
    return PlainTextResponse(text, headers={"Content-Disposition": name})
