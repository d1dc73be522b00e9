"""Treebanks, their trees, and files of their trees."""

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
from plcfrs.web import routes
from plcfrs.web.queries import HitParameters, SearchParameters
from plcfrs.wording import counted

Number = Annotated[int, Field(ge=0)]

api = APIRouter()


class TreebankAnswer(routes.Answer):
    """A treebank to browse."""

    name: str = Field(description="The name of the treebank in requests.")


class NamedNodes(BaseModel):
    """The nodes of a tree that have a name in the query."""

    name: str = Field(description="The name in the query.")
    nodes: list[int] = Field(description="Constituents, by their data-node in the picture.")
    tokens: list[int] = Field(description="Positions of tokens.")


class FoundTree(BaseModel):
    """A tree of a treebank, with matches in red."""

    number: int = Field(description="The number of the tree among those found, from 1.")
    place: int = Field(description="The number of the tree in the treebank, from 1.")
    matches: int = Field(description="Number of matches in the tree.")
    named: list[NamedNodes] = Field(description="The named nodes of the query, in red, too.")
    tree: routes.TreeAnswer


class TreesAnswer(BaseModel):
    """A page of the trees found."""

    total: int = Field(description="Number of trees found.")
    matches: int = Field(description="Number of matches in all trees.")
    message: str = Field(description="A possible reason if there are no trees; otherwise empty.")
    traces: bool = Field(
        description="Whether the treebank has traces, which transform turns into crossing branches."
    )
    transform: bool = Field(description="Whether traces were turned into crossing branches.")
    trees: list[FoundTree]


class ExampleQuery(BaseModel):
    """A query that finds some nodes, and others like them."""

    query: str


@api.get("/treebanks")
async def treebanks(store: routes.ServerStore) -> list[TreebankAnswer]:
    """List the treebanks: those of the server, uploaded ones, and one with the trees of all."""
    return [TreebankAnswer(name=name) for name in store.names]


@api.post("/treebanks", status_code=201)
@routes.threaded
def upload(
    store: routes.ServerStore,
    name: Annotated[
        str, Query(description="The name of the file; its extension gives the format.")
    ],
    content: Annotated[bytes, Body(media_type="application/octet-stream")] = b"",
) -> TreebankAnswer:
    """Upload a treebank. The body of the request is the file."""
    return TreebankAnswer(name=store.upload(name, content).name)


@api.get("/trees")
@routes.threaded
def trees(
    wanted: Annotated[HitParameters, Depends()],
    offset: routes.Offset = 0,
    limit: Annotated[int, Query(ge=1, le=routes.PAGE, description="The most trees to list.")] = 1,
    marked: Annotated[
        list[Number],
        Query(description="Further constituents to mark, by their data-node in the picture."),
    ] = [],  # noqa: B006 (FastAPI copies it)
) -> TreesAnswer:
    """Page through all trees of a treebank, or those with hits of a query."""
    source, search, hits = wanted.source, wanted.search, wanted.hits()
    found = source.trees_with(search, hits)
    message = "" if len(found) else "No tree matches."
    if message and source.has_traces and not search.transformed:
        message += " The trees have traces: turn them into crossing branches."
    if message and search.transformed and parse_query(search.text or "*").is_about_nulls:
        message += " Crossing branches have no null elements: leave the traces as they are."
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
@routes.threaded
def file(
    wanted: Annotated[HitParameters, Depends()],
    format: Annotated[str, Query(description=f"One of {', '.join(WRITABLE)}.")] = "discbracket",
) -> PlainTextResponse:
    """Give all trees of a treebank, or those with hits of a query, as a file."""
    form, hits = format_named(format), wanted.hits()
    found = wanted.source.trees_with(wanted.search, hits)
    text = routes.render_file((hits.trees[int(number)] for number in found), form)
    name = f'attachment; filename="trees{form.extensions[0]}"'
    return PlainTextResponse(text, headers={"Content-Disposition": name})


@api.get("/trees/example")
@routes.threaded
def example(
    wanted: Annotated[SearchParameters, Depends()],
    place: Annotated[int, Query(description="The number of the tree in the treebank, from 1.")],
    node: Annotated[
        list[Number], Query(description="Constituents, by their data-node in the picture.")
    ] = [],  # noqa: B006
    token: Annotated[list[Number], Query(description="Positions of tokens.")] = [],  # noqa: B006
    functions: Annotated[
        bool, Query(description="Whether the query has functions of constituents: NP-SBJ, not NP.")
    ] = False,
) -> ExampleQuery:
    """Write a query that finds some constituents and tokens of a tree, and others like them."""
    trees = wanted.source.trees(transformed=wanted.search.transformed)
    if not 0 < place <= len(trees):
        raise InputError(f"place: expected 1 to {len(trees)}")
    tree = trees[place - 1]
    nodes, positions = tree.nodes(), range(len(tree.tokens))
    chosen: list[Node | int] = [routes.at_number(nodes, number, "node") for number in node]
    chosen += [routes.at_number(positions, position, "token") for position in token]
    return ExampleQuery(query=example_query(tree, chosen, functions=functions))


def _named_nodes(
    tree: Tree, text: str, matches: list[Node | int]
) -> Iterator[tuple[str, set[Node | int]]]:
    """Yield each name in a query, with its nodes in a tree."""
    parsed = parse_query(text or "*")
    if not parsed.names:
        return
    elements, alone = elements_of(tree), query.Treebank([tree])
    for name in parsed.names:  # one at a time: there may be too many combinations
        found = {
            elements[hit.named[name]]
            for hit in alone.find(parsed, [name])
            if elements[hit.place] in matches
        }
        yield name, found


def _found_tree(hits: Hits, text: str, place: int, number: int, marked: list[int]) -> FoundTree:
    """Return a tree with matches, named nodes and the constituents `marked` in red."""
    tree, matches = hits.marked_tree(place)
    nodes = tree.nodes()
    shown = {*matches, *(nodes[at] for at in marked if at < len(nodes))}
    named = []
    for name, found in _named_nodes(tree, text, matches):
        shown |= found
        places = [at for at, node in enumerate(nodes) if node in found]
        tokens = sorted(each for each in found if isinstance(each, int))
        named.append(NamedNodes(name=name, nodes=places, tokens=tokens))
    return FoundTree(
        number=number,
        place=place + 1,
        matches=len(matches),
        named=named,
        tree=routes.describe_tree(tree, shown, gaps=not shown),
    )
