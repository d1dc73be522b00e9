"""What all routes share: the store, threads, and sentences and trees in requests and answers."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from functools import partial, wraps
from inspect import Parameter, signature
from math import isfinite
from operator import add
from typing import Annotated, TypeVar

from fastapi import Depends, Query, Request
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from typing_extensions import Self

from plcfrs.drawing.picture import Picture, SecondaryArrow, secondary_arrows
from plcfrs.drawing.svg import render_svg
from plcfrs.errors import InputError, TreebankError
from plcfrs.evaluation import BracketError, Settings, load_settings
from plcfrs.evaluation.prm import PACKAGED
from plcfrs.parsing.sentence import Sentence
from plcfrs.stopping import until_stopped
from plcfrs.text.spelling import as_typed
from plcfrs.treebank import FORMATS, Chunk
from plcfrs.treebank.format import DISCBRACKET, Format
from plcfrs.treebank.registry import WRITABLE, parse_running_text
from plcfrs.trees import Node, Tree, render_label
from plcfrs.web.limits import PARSE_TIMES, Limits, RefusedError, Workers
from plcfrs.web.store import NamedModel, Store

Part = TypeVar("Part")
Result = TypeVar("Result")

PAGE = 50
"""The rows on a page of a table."""
ModelName = Annotated[
    str | None, Query(description="The name of the model; by default the first one.")
]
TreebankName = Annotated[str, Query(description="The name of the treebank.")]
Offset = Annotated[int, Query(ge=0, description="Number of results to skip.")]
PageSize = Annotated[int, Query(ge=1, le=500, description="The most results to list.")]
Transform = Annotated[
    bool, Field(description="Whether to turn traces into crossing branches first.")
]


class SentenceRequest(BaseModel):
    """A sentence and the model for it."""

    text: str = Field(description="The tokens, separated by blanks; word/TAG if tagged.")
    tagged: bool = Field(
        default=False, description="Whether the tokens have tags, which the parser then uses."
    )
    tokenize: bool = Field(
        default=False,
        description="Whether to split running text into words, as plcfrs parse --tokenize does; "
        "the tokens of the tree then have their places in the text.",
    )
    model: str | None = Field(
        default=None, description="The name of the model; by default the first one."
    )


async def _store_of(request: Request) -> Store:
    store: Store = request.app.state.store
    return store


ServerStore = Annotated[Store, Depends(_store_of)]
"""The models and treebanks of the server, for a route."""


def threaded(job: Callable[..., Result], times: int = 1) -> Callable[..., Awaitable[Result]]:
    """Return a route that runs a function in a thread as long as the client waits.

    Its time limit is `times` that of a search.
    """

    @wraps(job)
    async def route(request: Request, **parameters: object) -> Result:
        workers: Workers = request.app.state.workers
        return await workers.run(partial(job, **parameters), request.is_disconnected, times)

    given = signature(job, eval_str=True)
    own = Parameter("request", Parameter.KEYWORD_ONLY, annotation=Request)
    parameters = [*given.parameters.values(), own]
    route.__signature__ = given.replace(parameters=parameters)  # type: ignore[attr-defined]
    return route


parsing = partial(threaded, times=PARSE_TIMES)
"""Return a route that runs a function that parses in a thread."""


def check_text(wanted: SentenceRequest, text: str, limits: Limits) -> None:
    """Raise if the text is too long, or the request is contradictory."""
    if len(text) > limits.max_characters:
        raise RefusedError(
            413, f"the sentence is too long: the limit is {limits.max_characters} characters"
        )
    if wanted.tagged and wanted.tokenize:
        raise RefusedError(400, "tokenize is for words without tags: leave out tagged")


def sentence_of(wanted: SentenceRequest, named: NamedModel, limits: Limits) -> Sentence:
    """Return the sentence of a request, split into words by the model if asked for."""
    check_text(wanted, wanted.text, limits)
    chunk = Chunk("the sentence", 1, wanted.text, 1)
    try:
        if wanted.tokenize:
            tree = parse_running_text(chunk, named.model.splitter)
        else:
            on_a_line = chunk._replace(text=" ".join(wanted.text.split()))
            tree = FORMATS["tagged" if wanted.tagged else "tokens"].parse(on_a_line)
    except TreebankError as error:
        raise RefusedError(400, str(error).replace("the sentence:1:", "the sentence:")) from None
    return checked_sentence(tree, limits)


def checked_sentence(tree: Tree, limits: Limits) -> Sentence:
    """Return the sentence of a tree; raise if it has no words or too many."""
    if not tree.tokens:
        raise RefusedError(400, "there is no sentence: type one, with blanks between words")
    if len(tree.tokens) > limits.max_length:
        raise RefusedError(
            413, f"the sentence has {len(tree.tokens)} words: the limit is {limits.max_length}"
        )
    return Sentence.of(tree)


def tabbed(*rows: Iterable[str]) -> PlainTextResponse:
    """Return rows as a tab-separated table."""
    return PlainTextResponse("".join("\t".join(row) + "\n" for row in rows))


def finite(number: float | None) -> float | None:
    """Return null instead of infinity, which JSON does not have."""
    return number if number is not None and isfinite(number) else None


Finite = Annotated[float | None, BeforeValidator(finite)]
Printed = Annotated[str, BeforeValidator(str)]
"""A rule or a symbol as printed."""


class Answer(BaseModel):
    """An answer, or a part of one, whose fields can come from the attributes of an object."""

    model_config = ConfigDict(from_attributes=True)

    @classmethod
    def of(cls, source: object, **others: object) -> Self:
        """Return an answer with these fields, and all others from an object."""
        fields = {name: getattr(source, name) for name in cls.model_fields.keys() - others.keys()}
        return cls.model_validate({**fields, **others})


class TokenAnswer(Answer):
    """A word, its tag, and its annotation in the treebank."""

    form: str = Field(description="The word, spelled as in the running text if there was one.")
    tag: str
    lemma: str = Field(default="", description="The lemma, or empty.")
    morph: str = Field(default="", description="The morphology, or empty.")
    function: str = Field(default="", description="The edge label, or empty.")
    start: int | None = Field(
        default=None, description="Where it starts in the running text; null if not known."
    )
    end: int | None = Field(default=None, description="Where it ends in the running text.")


class EdgeAnswer(Answer):
    """A secondary edge, from a constituent or a token to a second mother."""

    label: str
    node: int | None = Field(
        default=None, description="The constituent, by its data-node in the picture."
    )
    token: int | None = Field(default=None, description="Instead of node: position of the token.")
    mother: int = Field(description="The second mother, by its data-node in the picture.")


class TreeAnswer(Answer):
    """A tree as a picture and in three formats."""

    id: str
    tokens: list[TokenAnswer]
    labels: list[str] = Field(
        description="The labels of the constituents, in the order of data-node in the picture."
    )
    functions: list[list[str]] = Field(description="The functions of each constituent.")
    secondary_edges: list[EdgeAnswer]
    details: list[str] = Field(
        description="Further annotation in words, of each constituent and then each token."
    )
    marked: list[int] = Field(description="The red constituents, such as matches of a query.")
    marked_tokens: list[int] = Field(description="Positions of the red tokens.")
    svg: str = Field(
        description="The picture; data-node, data-yield and data-token identify its parts."
    )
    gaps: bool = Field(
        description="Whether the picture has a colour for each discontinuous constituent."
    )
    discbracket: str = Field(description="The tree in the format discbracket.")
    export: str = Field(description="The tree as a file in the format export, with its header.")
    json_line: str = Field(description="The tree in the format json, which keeps everything.")


class ErrorOfKind(BaseModel):
    """An error of a parse."""

    kind: str = Field(description="The kind of error.")
    text: str = Field(description="The error in words.")


def describe_tree(
    tree: Tree,
    marked: Collection[Node | int] = (),
    shades: Sequence[float] = (),
    *,
    gaps: bool = False,
) -> TreeAnswer:
    """Return a tree as a picture and in three formats."""
    nodes = tree.nodes()
    parts = [*nodes, *range(len(tree.tokens))]
    arrows = secondary_arrows(tree, {part: number for number, part in enumerate(parts)})
    return TreeAnswer.of(
        tree,
        tokens=[TokenAnswer.of(token, form=as_typed(token)) for token in tree.tokens],
        labels=list(map(render_label, nodes)),
        functions=[node.functions for node in nodes],
        secondary_edges=[_describe_edge(arrow, len(nodes)) for arrow in arrows],
        details=_details(tree, nodes, arrows),
        marked=[number for number, node in enumerate(nodes) if node in marked],
        marked_tokens=[position for position in marked if isinstance(position, int)],
        svg=render_svg([[Picture(tree, marked, gaps=gaps, shades=shades)]]),
        gaps=gaps,
        discbracket=render_file([tree], FORMATS["discbracket"]),
        export=render_file([tree], FORMATS["export"]),
        json_line=render_file([tree], FORMATS["json"]),
    )


def _describe_edge(arrow: SecondaryArrow, first_token: int) -> EdgeAnswer:
    if arrow.child < first_token:
        return EdgeAnswer(label=arrow.label, node=arrow.child, mother=arrow.mother)
    return EdgeAnswer(label=arrow.label, token=arrow.child - first_token, mother=arrow.mother)


def _details(tree: Tree, nodes: list[Node], arrows: Iterable[SecondaryArrow]) -> list[str]:
    """Return the functions, lemmas, morphology and secondary edges of each part in words."""
    names = [*map(render_label, nodes), *(token.form for token in tree.tokens)]
    details = [["function " + "-".join(node.functions)] * bool(node.functions) for node in nodes]
    for token in tree.tokens:
        annotation = {"function": token.function, "lemma": token.lemma, "morphology": token.morph}
        details.append([f"{name} {value}" for name, value in annotation.items() if value])
    for label, child, mother in arrows:
        details[child].append(f"secondary edge {label} to {names[mother]}")
        details[mother].append(f"secondary edge {label} from {names[child]}")
    return list(map(", ".join, details))


def read_tree(discbracket: str) -> Tree:
    """Return the tree of a request."""
    return FORMATS["discbracket"].parse(Chunk("the tree", 1, discbracket, 1))


def at_number(items: Sequence[Part], number: int | None, name: str = "secondary_edges") -> Part:
    """Return the constituent or position with a number from a request."""
    if number is None or not 0 <= number < len(items):
        raise InputError(f"{name}: expected numbers of constituents and positions of tokens")
    return items[number]


def render_file(trees: Iterable[Tree], form: Format) -> str:
    """Return trees as the text of a file."""
    if form.render is None:
        raise InputError(f"{form.name}: expected one of {', '.join(WRITABLE)}")
    numbered = enumerate(until_stopped(trees), start=1)
    rendered = [form.render(tree, number) for number, tree in numbered]
    return "".join([form.header.format(encoding="utf-8"), *rendered, form.footer])


def render_text(trees: list[Tree]) -> str:
    """Return trees as text, in the most readable format that loses nothing.

    An identifier that only says the place of the tree, such as ``tree:1``, is left out.
    """
    names = [tree.id != f"tree:{number}" and tree.id for number, tree in enumerate(trees, 1)]
    is_short = not any(name and re.search(r'[\s<>"]', name) for name in names)
    if is_short and not any(lost for tree in trees for lost in DISCBRACKET.lost(tree)):
        lines = [render_file([tree], DISCBRACKET) for tree in trees]
        starts = [f"<S ID={name}>\n" if name else "" for name in names]
        return "".join(map(add, starts, lines))
    export = FORMATS["export"]
    is_lost = any(lost for tree in trees for lost in export.lost(tree))
    return render_file(trees, FORMATS["json"] if is_lost else export)


def describe_errors(errors: Iterable[BracketError]) -> list[ErrorOfKind]:
    """Return the errors of a parse as answers."""
    return [ErrorOfKind(kind=error.type, text=str(error)) for error in errors]


def settings_named(name: str) -> Settings:
    """Return included settings of scores. A request must not open files of the server."""
    if name not in PACKAGED:
        raise InputError(f"settings: expected one of {', '.join(PACKAGED)}")
    return load_settings(name)
