"""Treebanks, their trees, and files of trees."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from fastapi import APIRouter, Body, Depends, Query
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel, Field

from plcfrs import query
from plcfrs.errors import InputError
from plcfrs.query import parse_query
from plcfrs.query.example import example_query
from plcfrs.query.hits import Hits
from plcfrs.treebank.compilation import elements_of
from plcfrs.treebank.registry import WRITABLE, format_named
from plcfrs.trees import Node, Tree
from plcfrs.web.queries import Listed, Searched
from plcfrs.web.requests import PAGE, Offset, ServerStore, threaded
from plcfrs.web.serializers import Answer, TreeAnswer, at_number, describe_tree, render_file
from plcfrs.wording import counted

Number = Annotated[int, Field(ge=0)]

api = APIRouter()


class TreebankAnswer(Answer):
    """A treebank to browse."""

    name: str


class NamedAnswer(BaseModel):
    """Nodes of a tree that have a name in the query."""

    name: str
    nodes: list[int] = Field(description="As in data-node.")
    tokens: list[int] = Field(description="Positions.")


class FoundTree(BaseModel):
    """A tree of a treebank, with the matches marked."""

    number: int = Field(description="Among those found, from 1.")
    place: int = Field(description="In the treebank, from 1.")
    matches: int
    named: list[NamedAnswer] = Field(description="They are marked, too.")
    tree: TreeAnswer


class TreesAnswer(BaseModel):
    """A page of the trees that were found."""

    total: int
    matches: int = Field(description="Number of matches in all trees.")
    message: str = Field(description="Why there are no such trees; otherwise empty.")
    traces: bool = Field(description="Whether the treebank has traces, without transform.")
    transform: bool = Field(description="Whether traces were turned into crossing branches.")
    trees: list[FoundTree]


class ExampleAnswer(BaseModel):
    """A query that finds chosen nodes, and others like them."""

    query: str


@api.get("/treebanks")
async def treebanks(store: ServerStore) -> list[TreebankAnswer]:
    """List the treebanks: those given at the start, uploaded ones, and all of them in one."""
    return [TreebankAnswer(name=name) for name in store.names]


@api.post("/treebanks", status_code=201)
@threaded
def upload(
    store: ServerStore,
    name: Annotated[
        str, Query(description="The name of the file; its extension gives the format.")
    ],
    content: Annotated[bytes, Body(media_type="application/octet-stream")] = b"",
) -> TreebankAnswer:
    """Upload a treebank: the body is the file."""
    return TreebankAnswer(name=store.upload(name, content).name)


@api.get("/trees")
@threaded
def trees(
    wanted: Annotated[Listed, Depends()],
    offset: Offset = 0,
    limit: Annotated[int, Query(ge=1, le=PAGE)] = 1,
    marked: Annotated[
        list[Number], Query(description="Constituents to mark, too, as in data-node.")
    ] = [],  # noqa: B006 (FastAPI copies it)
) -> TreesAnswer:
    """Page through the trees of a treebank, or through those of the listed hits of a query."""
    source, search, hits = wanted.source, wanted.search, wanted.hits()
    found = source.trees_with(search, hits)
    message = "" if len(found) else "No tree matches."
    if message and source.has_traces and not search.transformed:
        message += " The trees have traces: turn them into crossing branches."
    if 0 < len(found) <= offset:
        message = f"There is no tree {offset + 1}: only {counted(len(found), 'tree')} found."
    page = enumerate(map(int, found[offset : offset + limit]), start=offset + 1)
    return TreesAnswer(
        total=len(found),
        matches=len(hits),
        message=message,
        traces=source.has_traces,
        transform=search.transformed,
        trees=[_found_tree(hits, search.text, place, number, marked) for number, place in page],
    )


@api.get("/trees/file", response_class=PlainTextResponse)
@threaded
def file(
    wanted: Annotated[Listed, Depends()],
    format: Annotated[str, Query(description=", ".join(WRITABLE))] = "discbracket",
) -> PlainTextResponse:
    """Give all trees of a treebank, or those of the listed hits of a query, as a file."""
    form, hits = format_named(format), wanted.hits()
    found = wanted.source.trees_with(wanted.search, hits)
    text = render_file((hits.trees[int(number)] for number in found), form)
    name = f'attachment; filename="trees{form.extensions[0]}"'
    return PlainTextResponse(text, headers={"Content-Disposition": name})


@api.get("/trees/example")
@threaded
def example(
    wanted: Annotated[Searched, Depends()],
    place: Annotated[int, Query(description="Of the tree in the treebank, from 1.")],
    node: Annotated[list[Number], Query(description="As in data-node.")] = [],  # noqa: B006
    token: Annotated[list[Number], Query(description="Positions.")] = [],  # noqa: B006
    functions: Annotated[
        bool, Query(description="Whether the query has the functions of constituents: NP-SBJ.")
    ] = False,
) -> ExampleAnswer:
    """Write a query that finds some constituents and tokens of a tree, and others like them."""
    found = wanted.source.trees(transformed=wanted.search.transformed)
    if not 0 < place <= len(found):
        raise InputError(f"place: expected 1 to {len(found)}")
    tree = found[place - 1]
    chosen: list[Node | int] = [at_number(tree.nodes(), each, "node") for each in node]
    chosen += [at_number(range(len(tree.tokens)), each, "token") for each in token]
    return ExampleAnswer(query=example_query(tree, chosen, functions=functions))


def _named_nodes(
    tree: Tree, text: str, matches: list[Node | int]
) -> Iterator[tuple[str, set[Node | int]]]:
    """Yield the names of a query, each with its nodes in a tree."""
    parsed = parse_query(text or "*")
    if not parsed.names:
        return
    elements, alone = elements_of(tree), query.Treebank([tree])
    for name in parsed.names:  # one by one: all combinations may be too many
        found = {
            elements[hit.named[name]]
            for hit in alone.find(parsed, [name])
            if elements[hit.place] in matches
        }
        yield name, found


def _found_tree(hits: Hits, text: str, place: int, number: int, marked: list[int]) -> FoundTree:
    """Return a tree in which matches, named nodes and the constituents `marked` are marked."""
    tree, matches = hits.marked_tree(place)
    nodes = tree.nodes()
    shown = {*matches, *(nodes[at] for at in marked if at < len(nodes))}
    named = []
    for name, found in _named_nodes(tree, text, matches):
        shown |= found
        places = [at for at, node in enumerate(nodes) if node in found]
        tokens = sorted(each for each in found if isinstance(each, int))
        named.append(NamedAnswer(name=name, nodes=places, tokens=tokens))
    return FoundTree(
        number=number,
        place=place + 1,
        matches=len(matches),
        named=named,
        tree=describe_tree(tree, shown, gaps=not shown),
    )
