"""Pictures of trees: drawn as asked for, as files, and of two trees with their differences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeVar

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from plcfrs.drawing.picture import Picture, collapse
from plcfrs.drawing.svg import render_pdf, render_png, render_svg
from plcfrs.drawing.tikz import render_tikz, tikz_document
from plcfrs.errors import InputError
from plcfrs.evaluation import differences, errors_of
from plcfrs.evaluation.alignment import align_sentences
from plcfrs.transformation import remove_splits, to_dependencies, transform
from plcfrs.treebank import FORMATS
from plcfrs.trees import Node, SecondaryEdge, Token, Tree, mark_heads
from plcfrs.trees.heads import read_head_rules
from plcfrs.web.limits import RefusedError
from plcfrs.web.requests import in_thread, store_of
from plcfrs.web.serializers import (
    EdgeAnswer,
    ErrorOfKind,
    TokenAnswer,
    TreeAnswer,
    describe_errors,
    describe_tree,
    read_tree,
    render_file,
    settings_named,
)

Item = TypeVar("Item")

_MEDIA = {
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
    "png": "image/png",
    "tikz": "application/x-tex",
}
_PER_TOKEN = 20  # the most constituents and tags of a tree

api = APIRouter()


class DrawRequest(BaseModel):
    """A tree, and how to draw it."""

    discbracket: str
    tokens: list[TokenAnswer] = Field(
        default=[], description="The tokens of the tree with more than the words and the tags."
    )
    secondary_edges: list[EdgeAnswer] = []
    marked: list[int] = Field(default=[], description="Constituents to mark, as in data-node.")
    marked_tokens: list[int] = Field(default=[], description="Positions of tokens to mark.")
    collapsed: list[int] = Field(
        default=[], description="Constituents that have only their words below them."
    )
    spacious: bool = Field(default=False, description="Whether there is more space.")
    gaps: bool = Field(
        default=False,
        description="Whether each discontinuous constituent has its own colour, and a line below "
        "the words that shows its parts and its gaps.",
    )
    below: list[Literal["function", "lemma", "morph"]] = Field(
        default=[], description="What is below the words, as far as there is any."
    )
    shades: list[float] = Field(
        default=[],
        description="How dark the paper behind the label of each constituent is, from 0 to 1, as "
        "by its posterior.",
    )


class FileRequest(DrawRequest):
    """A tree, how to draw it, and the kind of file."""

    format: Literal["svg", "pdf", "png", "tikz", "discbracket", "export", "conllu"] = Field(
        description="tikz is LaTeX source. The last three are the tree itself."
    )
    head_rules: Literal["collins", "negra"] = Field(
        default="collins", description="The heads of conllu, as for plcfrs convert."
    )


class DrawAnswer(BaseModel):
    """A picture of a tree."""

    svg: str
    nodes: list[int] = Field(description="The constituent in the tree for each in the picture.")
    parts: list[list[int]] = Field(
        description="Positions in the sentence for each token in the picture: several if it is "
        "collapsed."
    )


class CompareRequest(BaseModel):
    """Two trees of a sentence."""

    first: str = Field(description="In the format discbracket; the gold tree, if there is one.")
    second: str = Field(description="In the format discbracket.")
    transform: bool = Field(
        default=False, description="Whether to turn their traces into crossing branches first."
    )
    settings: str = Field(default="all", description="What counts, as for plcfrs eval: all, field.")


class CompareAnswer(BaseModel):
    """Two trees, with the constituents and tags in red that only one of them has."""

    same: bool = Field(description="Whether nothing is red.")
    first: TreeAnswer
    second: TreeAnswer
    errors: list[ErrorOfKind] = Field(description="What is wrong if the first tree is right.")


@api.post("/draw")
async def draw(request: Request, wanted: DrawRequest) -> DrawAnswer:
    """Draw a tree again, with other constituents collapsed or more space."""
    _check_size(request, wanted.discbracket)
    return await in_thread(request, _redraw, wanted)


@api.post("/draw/file", response_class=Response)
async def file(request: Request, wanted: FileRequest) -> Response:
    """Give a tree, or its picture as it is shown, as a file."""
    _check_size(request, wanted.discbracket)
    content = await in_thread(request, _draw_file, wanted)
    return Response(content, media_type=_MEDIA.get(wanted.format, "text/plain"))


@api.post("/compare")
async def compare(request: Request, wanted: CompareRequest) -> CompareAnswer:
    """Compare two trees of a sentence, such as the parses by two models."""
    _check_size(request, wanted.first, wanted.second)
    return await in_thread(request, _compare, wanted)


def _check_size(request: Request, *trees: str) -> None:
    limits = store_of(request).limits
    for tree in trees:
        brackets = tree.count("(")
        if len(tree) > 10 * limits.max_characters or brackets > _PER_TOKEN * limits.max_length:
            raise RefusedError(413, "the tree is too large")


def _redraw(wanted: DrawRequest) -> DrawAnswer:
    nodes, parts, picture = _picture(wanted)
    return DrawAnswer(svg=render_svg([[picture]]), nodes=nodes, parts=parts)


def _draw_file(wanted: FileRequest) -> bytes:
    if wanted.format in FORMATS:
        return _tree_file(wanted).encode()
    _, _, picture = _picture(wanted)
    if wanted.format == "tikz":
        return f"{tikz_document([render_tikz([picture])])}\n".encode()
    if wanted.format == "svg":
        return render_svg([[picture]]).encode()
    return (render_pdf if wanted.format == "pdf" else render_png)([[picture]])


def _tree_file(wanted: FileRequest) -> str:
    tree, form = _tree(wanted), FORMATS[wanted.format]
    if form.render_dependencies is None:
        return render_file([tree], form)
    with_heads = mark_heads(tree, read_head_rules(wanted.head_rules))
    return form.render_dependencies(to_dependencies(with_heads, unaries="labels"))


def _picture(wanted: DrawRequest) -> tuple[list[int], list[list[int]], Picture]:
    """Return which constituents and tokens of the tree are in the picture, and the picture."""
    tree = _tree(wanted)
    nodes = tree.nodes()
    if wanted.shades and len(wanted.shades) != len(nodes):
        raise InputError(f"shades: expected {len(nodes)}, as many as there are constituents")
    shut, red, red_tokens = map(set, (wanted.collapsed, wanted.marked, wanted.marked_tokens))
    collapsed = collapse(tree, [node for i, node in enumerate(nodes) if i in shut])
    number_of = {node: number for number, node in enumerate(nodes)}
    numbers = [number_of[node] for node in collapsed.nodes]
    drawn = zip(collapsed.tree.nodes(), numbers, strict=True)
    marked: list[Node | int] = [node for node, number in drawn if number in red]
    marked += [i for i, part in enumerate(collapsed.parts) if red_tokens.intersection(part)]
    picture = Picture(
        collapsed.tree,
        marked,
        gaps=wanted.gaps,
        spacious=wanted.spacious,
        shades=[min(1.0, max(0.0, wanted.shades[i])) for i in numbers if wanted.shades],
        below=wanted.below,
    )
    return numbers, collapsed.parts, picture


def _tree(wanted: DrawRequest) -> Tree:
    """Return the tree of a request with its tokens and secondary edges."""
    tree = read_tree(wanted.discbracket)
    tokens = [Token(**token.model_dump()) for token in wanted.tokens] or tree.tokens
    if len(tokens) != len(tree.tokens):
        raise InputError(f"tokens: expected {len(tree.tokens)}, as many as the tree has")
    nodes, places = tree.nodes(), range(len(tokens))
    edges = [
        SecondaryEdge(
            edge.label,
            _at(places, edge.token) if edge.node is None else _at(nodes, edge.node),
            _at(nodes, edge.mother),
        )
        for edge in wanted.secondary_edges
    ]
    return Tree(tree.root, tokens, tree.id, edges)


def _at(items: Sequence[Item], place: int | None) -> Item:
    if place is None or not 0 <= place < len(items):
        expected = "numbers of constituents and positions of tokens"
        raise InputError(f"secondary_edges: expected {expected}")
    return items[place]


def _compare(wanted: CompareRequest) -> CompareAnswer:
    settings = settings_named(wanted.settings)
    first, second = (_prepared(text, wanted.transform) for text in (wanted.first, wanted.second))
    sources = {"first tree": [first], "second tree": [second]}
    ((_, (first, second)),) = align_sentences(sources, settings)
    missed, spurious = differences(first, second, settings)
    return CompareAnswer(
        same=not missed and not spurious,
        first=describe_tree(first, missed),
        second=describe_tree(second, spurious),
        errors=describe_errors(errors_of("", first, second, settings)),
    )


def _prepared(discbracket: str, transformed: bool) -> Tree:
    tree = read_tree(discbracket)
    if any(token.is_null for token in tree.tokens):
        if not transformed:
            raise InputError("a tree has traces: turn them into crossing branches (transform)")
        tree = transform(tree)
    return remove_splits(tree)
