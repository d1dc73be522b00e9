"""Pictures of trees: of the trees of a text, edited trees, files, and pairs that differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse, Response
from pydantic import BaseModel, Field

from plcfrs.drawing import render_pdf, render_png, render_svg, render_tikz, tikz_document
from plcfrs.drawing.picture import Picture, collapse
from plcfrs.errors import InputError, TreebankError
from plcfrs.evaluation import differences, errors_of
from plcfrs.evaluation.alignment import align_sentences
from plcfrs.project import NamedTree, perform
from plcfrs.stopping import until_stopped
from plcfrs.text.spelling import as_spelled
from plcfrs.transformation import Options, remove_splits, to_dependencies, transform, transform_all
from plcfrs.treebank import FORMATS
from plcfrs.treebank.reading import trees_in_text
from plcfrs.trees import Node, SecondaryEdge, Token, Tree, mark_heads
from plcfrs.trees.heads import read_head_rules
from plcfrs.web import routes
from plcfrs.web.limits import RefusedError

_MEDIA: dict[str, tuple[str, Callable[[Sequence[list[Picture]]], str | bytes]]] = {
    "svg": ("image/svg+xml", render_svg),
    "pdf": ("application/pdf", render_pdf),
    "png": ("image/png", render_png),
    "tikz": ("application/x-tex", lambda rows: f"{tikz_document(map(render_tikz, rows))}\n"),
}
_PER_TOKEN = 20  # the most constituents and tags in a tree
_TREE = "(S (NP (PRP We)) (VP (VBP sing)))"

api = APIRouter()


class TreeRequest(BaseModel):
    """A tree."""

    discbracket: str = Field(default="", description="The tree in the format discbracket.")
    id: str = Field(default="", description="The identifier of the tree.")
    tokens: list[routes.TokenAnswer] = Field(
        default=[],
        description="The tokens with lemmas, morphology and functions, if the tree has any.",
    )
    secondary_edges: list[routes.EdgeAnswer] = Field(default=[], description="The secondary edges.")


class DrawRequest(TreeRequest):
    """A tree, and how to draw it."""

    marked: list[int] = Field(
        default=[], description="Constituents to draw in red, by their data-node in the picture."
    )
    marked_tokens: list[int] = Field(default=[], description="Positions of tokens to draw in red.")
    collapsed: list[int] = Field(
        default=[], description="Constituents to draw with only their words below them."
    )
    spacious: bool = Field(default=False, description="Whether to leave more space.")
    gaps: bool = Field(
        default=False,
        description="Whether to give each discontinuous constituent a colour, and a line below the "
        "words that shows its parts and gaps.",
    )
    below: list[Literal["function", "lemma", "morph"]] = Field(
        default=[], description="What to draw below the words, if the tree has it."
    )
    shades: list[float] = Field(
        default=[],
        description="The shade behind the label of each constituent, from 0 to 1, such as its "
        "posterior.",
    )


class FileRequest(DrawRequest):
    """A tree or a text with trees, how to draw it, and the kind of file."""

    text: str = Field(
        default="", description="A text instead of a tree; the file has all its trees."
    )
    transform: routes.Transform = False
    format: Literal["svg", "pdf", "png", "tikz", "discbracket", "export", "json", "conllu"] = Field(
        description="The kind of file; tikz is LaTeX source. The last four are the tree itself."
    )
    head_rules: Literal["collins", "negra"] = Field(
        default="collins", description="The rules for heads in conllu, as for plcfrs convert."
    )


class DrawAnswer(BaseModel):
    """A picture of a tree."""

    svg: str = Field(description="The picture.")
    nodes: list[int] = Field(
        description="For each constituent in the picture, its number in the tree."
    )
    parts: list[list[int]] = Field(
        description="For each token in the picture, its positions in the sentence: several if it "
        "stands for a collapsed constituent."
    )


class TextRequest(BaseModel):
    """A text with trees, and the number of the tree to draw."""

    text: str = Field(
        description="The text, in any format that plcfrs recognizes by its beginning."
    )
    number: int = Field(
        default=1,
        ge=1,
        description="The number of the tree, from 1; if there are fewer, the last one.",
    )
    transform: routes.Transform = False


class TextAnswer(BaseModel):
    """A tree of a text."""

    number: int = Field(description="The number of the drawn tree, from 1.")
    texts: list[str] = Field(description="All trees, in the format discbracket.")
    trees: list[str] = Field(description="All trees, in the format json, which keeps everything.")
    text: str = Field(
        description="All trees as one text, in the first of the formats discbracket, export and "
        "json that keeps everything."
    )
    traces: bool = Field(description="Whether the text has traces.")
    tree: routes.TreeAnswer


class EditRequest(TreeRequest):
    """A tree, and what to change."""

    operation: dict[str, Any] = Field(
        description='What to do, such as {"do": "attach", "parts": ["t3"], "mother": "n1"}: parts '
        "are n0 and so on by data-node in the picture, and t0 and so on by the positions of tokens."
    )


class EditAnswer(BaseModel):
    """A tree after an edit, and its parts that were moved, changed, added or freed."""

    tree: routes.TreeAnswer
    chosen: list[str] = Field(description="These parts, by their numbers in the new tree.")


class CompareRequest(BaseModel):
    """Two trees of a sentence."""

    first: str = Field(
        description="The first tree in the format discbracket; the gold tree, if there is one."
    )
    second: str = Field(description="The second tree in the format discbracket.")
    transform: routes.Transform = False
    settings: str = Field(
        default="all",
        description="Which words and constituents count, as for plcfrs eval: all or field.",
    )


class CompareAnswer(BaseModel):
    """Two trees, with constituents and tags in red that only one of them has."""

    same: bool = Field(description="Whether nothing is red.")
    first: routes.TreeAnswer
    second: routes.TreeAnswer
    errors: list[routes.ErrorOfKind] = Field(
        description="The errors of the second tree if the first one is right."
    )


@api.post("/draw")
@routes.threaded
def draw(store: routes.ServerStore, wanted: DrawRequest) -> DrawAnswer:
    """Draw a tree, perhaps with collapsed constituents or more space."""
    nodes, parts, picture = _picture(store, wanted)
    return DrawAnswer(svg=render_svg([[picture]]), nodes=nodes, parts=parts)


@api.post("/draw/text")
@routes.threaded
def text(store: routes.ServerStore, wanted: TextRequest) -> TextAnswer:
    """Draw a tree of a text."""
    trees, has_traces = _trees(store, wanted)
    texts = [routes.render_file([tree], FORMATS["discbracket"]) for tree in trees]
    number = min(wanted.number, len(trees))
    _check_size(store, *texts)
    return TextAnswer(
        number=number,
        texts=texts,
        trees=[routes.render_file([tree], FORMATS["json"]) for tree in trees],
        text=routes.render_text(trees),
        traces=has_traces,
        tree=routes.describe_tree(trees[number - 1], gaps=True),
    )


@api.post("/edit")
@routes.threaded
def edit(store: routes.ServerStore, wanted: EditRequest) -> EditAnswer:
    """Edit a tree: move, change, add or delete its parts."""
    after, changed = perform(NamedTree.new(_tree(store, wanted)), wanted.operation)
    numbered = NamedTree.new(after.tree).names
    return EditAnswer(
        tree=routes.describe_tree(after.tree, gaps=True),
        chosen=[numbered[after.part(name)] for name in changed],
    )


@api.post("/draw/file", response_class=Response)
@routes.threaded
def file(store: routes.ServerStore, wanted: FileRequest) -> Response:
    """Give a tree or its picture, or all trees of a text, as a file."""
    trees = _trees(store, wanted)[0] if wanted.text else [_tree(store, wanted)]
    if wanted.format in _MEDIA:
        kind, render = _MEDIA[wanted.format]
        plain = Picture(trees[0], gaps=wanted.gaps, spacious=wanted.spacious, below=wanted.below)
        pictures = [plain._replace(tree=tree, caption=tree.id) for tree in trees]
        shown = pictures if wanted.text else [_picture(store, wanted)[-1]]
        return Response(render([[picture] for picture in until_stopped(shown)]), media_type=kind)
    form = FORMATS[wanted.format]
    if form.render_dependencies is None:
        return PlainTextResponse(routes.render_file(trees, form))
    rules = read_head_rules(wanted.head_rules)
    heads = (mark_heads(tree, rules) for tree in until_stopped(trees))
    dependencies = (to_dependencies(tree, unaries="labels") for tree in heads)
    return PlainTextResponse("".join(map(form.render_dependencies, dependencies)))


@api.post("/compare")
@routes.threaded
def compare(store: routes.ServerStore, wanted: CompareRequest) -> CompareAnswer:
    """Compare two trees of a sentence, such as a gold tree and a parse."""
    _check_size(store, wanted.first, wanted.second)
    settings = routes.settings_named(wanted.settings)
    first, second = (_prepared(text, wanted.transform) for text in (wanted.first, wanted.second))
    sources = {"first tree": [first], "second tree": [second]}
    ((_, (first, second)),) = align_sentences(sources, settings)
    missed, spurious = differences(first, second, settings)
    return CompareAnswer(
        same=not missed and not spurious,
        first=routes.describe_tree(first, missed),
        second=routes.describe_tree(second, spurious),
        errors=routes.describe_errors(errors_of("", first, second, settings)),
    )


def _trees(store: routes.ServerStore, wanted: TextRequest | FileRequest) -> tuple[list[Tree], bool]:
    """Return the trees of a text, and whether it has traces."""
    if len(wanted.text) > 100 * store.limits.max_characters:
        raise RefusedError(413, "the text is too long: paste fewer trees")
    trees = list(until_stopped(_read(wanted.text)))
    has_traces = any(token.is_null for tree in trees for token in tree.tokens)
    if wanted.transform:
        trees = list(transform_all(trees, Options(splits=(), keep_sbar=True)))
    if not trees:
        raise InputError("the text has only traces and no words")
    return trees, has_traces


def _check_size(store: routes.ServerStore, *trees: str) -> None:
    limits = store.limits
    for tree in trees:
        brackets = tree.count("(")
        if len(tree) > 10 * limits.max_characters or brackets > _PER_TOKEN * limits.max_length:
            raise RefusedError(413, "the tree is too large")


def _read(text: str) -> Iterator[Tree]:
    if "\0" in text:
        raise InputError("the text contains a NUL character")
    try:
        yield from trees_in_text(text)
    except TreebankError as error:
        place = f"line {error.line}" if error.line else "the text"
        _, _, message = str(error).partition(": ")
        message = message.replace("give the format with --from", f"type a tree, such as {_TREE}")
        raise InputError(f"{place}: {message}") from None


def _picture(
    store: routes.ServerStore, wanted: DrawRequest
) -> tuple[list[int], list[list[int]], Picture]:
    """Return the constituents and tokens of the tree in the picture, and the picture."""
    tree = _tree(store, wanted)
    nodes = tree.nodes()
    if wanted.shades and len(wanted.shades) != len(nodes):
        raise InputError(f"shades: expected {len(nodes)}, one for each constituent")
    red, red_tokens = set(wanted.marked), set(wanted.marked_tokens)
    shut = set(wanted.collapsed)
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


def _tree(store: routes.ServerStore, wanted: TreeRequest) -> Tree:
    """Return the tree of a request with its annotation."""
    _check_size(store, wanted.discbracket)
    tree = routes.read_tree(wanted.discbracket)
    given, forms = wanted.tokens, [token.form for token in tree.tokens]
    if given and len(given) != len(forms):
        raise InputError(f"tokens: expected {len(forms)}, one for each token of the tree")
    tokens = [Token(**token.model_dump()) for token in given]
    tokens = list(map(as_spelled, tokens, forms)) or tree.tokens
    nodes, places = tree.nodes(), range(len(tokens))
    edges = [
        SecondaryEdge(
            edge.label,
            routes.at_number(places, edge.token)
            if edge.node is None
            else routes.at_number(nodes, edge.node),
            routes.at_number(nodes, edge.mother),
        )
        for edge in wanted.secondary_edges
    ]
    return Tree(tree.root, tokens, wanted.id or tree.id, edges)


def _prepared(discbracket: str, transformed: bool) -> Tree:
    tree = routes.read_tree(discbracket)
    if any(token.is_null for token in tree.tokens):
        if not transformed:
            raise InputError("a tree has traces: set transform to turn them into crossing branches")
        tree = transform(tree)
    return remove_splits(tree)
