"""Trees as answers and as files, and what the answers of all routes share."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from math import isfinite
from operator import add
from typing import Annotated, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from typing_extensions import Self

from plcfrs.drawing.picture import Picture, SecondaryArrow, secondary_arrows
from plcfrs.drawing.svg import render_svg
from plcfrs.errors import InputError
from plcfrs.evaluation import BracketError, Settings, load_settings
from plcfrs.evaluation.prm import PACKAGED
from plcfrs.stopping import until_stopped
from plcfrs.text.spelling import as_typed
from plcfrs.treebank import FORMATS, Chunk
from plcfrs.treebank.format import DISCBRACKET, Format
from plcfrs.treebank.registry import WRITABLE
from plcfrs.trees import Node, Tree, render_label

Item = TypeVar("Item")


def finite(number: float | None) -> float | None:
    """Return null instead of infinity, which JSON does not have."""
    return number if number is not None and isfinite(number) else None


Finite = Annotated[float | None, BeforeValidator(finite)]
Printed = Annotated[str, BeforeValidator(str)]
"""Rules and symbols, as they are printed."""


class Answer(BaseModel):
    """An answer or a part of one: it takes its fields from an object that has them."""

    model_config = ConfigDict(from_attributes=True)

    @classmethod
    def of(cls, source: object, **others: object) -> Self:
        """Return an answer with some fields, and the others from an object."""
        found = {name: getattr(source, name) for name in cls.model_fields.keys() - others.keys()}
        return cls.model_validate({**found, **others})


class TokenAnswer(Answer):
    """A word and its tag, and what the treebank says of it."""

    form: str = Field(description="The word, as it is in running text if it comes from there.")
    tag: str
    lemma: str = Field(default="", description="Empty if there is none, as for the following.")
    morph: str = ""
    function: str = Field(default="", description="The edge label.")
    start: int | None = Field(
        default=None, description="Its first character in running text; null if unknown."
    )
    end: int | None = Field(default=None, description="The character after it.")


class EdgeAnswer(Answer):
    """A secondary edge, from a constituent or a token to a second mother."""

    label: str
    node: int | None = Field(default=None, description="The constituent, as in data-node.")
    token: int | None = Field(default=None, description="Or the position of the token.")
    mother: int = Field(description="The second mother, as in data-node.")


class TreeAnswer(Answer):
    """A tree as a picture and in two formats."""

    id: str
    tokens: list[TokenAnswer]
    labels: list[str] = Field(
        description="The labels of the constituents, in the order of data-node in the picture."
    )
    functions: list[list[str]] = Field(description="The functions of each constituent.")
    secondary_edges: list[EdgeAnswer]
    details: list[str] = Field(description="More on each constituent, then each token, in words.")
    marked: list[int] = Field(description="The marked constituents, such as matches of a query.")
    marked_tokens: list[int] = Field(description="Positions of the marked tokens.")
    svg: str = Field(
        description="The picture; data-node, data-yield and data-token mark its elements."
    )
    gaps: bool = Field(description="Whether its discontinuous constituents have colours there.")
    discbracket: str
    export: str = Field(description="A whole file, with its header.")
    json_line: str = Field(description="The tree in the format json, which keeps everything.")


class ErrorOfKind(BaseModel):
    """An error of a parse."""

    kind: str
    text: str = Field(description="What is wrong, in words.")


def describe_tree(
    tree: Tree,
    marked: Collection[Node | int] = (),
    shades: Sequence[float] = (),
    *,
    gaps: bool = False,
) -> TreeAnswer:
    """Return a tree as a picture and in two formats."""
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
    """Return functions, lemmas, morphology and secondary edges in words."""
    names = [*map(render_label, nodes), *(token.form for token in tree.tokens)]
    found = [["function " + "-".join(node.functions)] * bool(node.functions) for node in nodes]
    for token in tree.tokens:
        known = {"function": token.function, "lemma": token.lemma, "morphology": token.morph}
        found.append([f"{name} {value}" for name, value in known.items() if value])
    for label, child, mother in arrows:
        found[child].append(f"secondary edge {label} to {names[mother]}")
        found[mother].append(f"secondary edge {label} from {names[child]}")
    return list(map(", ".join, found))


def read_tree(discbracket: str) -> Tree:
    """Return the tree of a request."""
    return FORMATS["discbracket"].parse(Chunk("the tree", 1, discbracket, 1))


def at_number(items: Sequence[Item], number: int | None, name: str = "secondary_edges") -> Item:
    """Return a constituent or a position that a request names by its number."""
    if number is None or not 0 <= number < len(items):
        raise InputError(f"{name}: expected numbers of constituents and positions of tokens")
    return items[number]


def render_file(trees: Iterable[Tree], form: Format) -> str:
    """Return a file of trees."""
    if form.render is None:
        raise InputError(f"{form.name}: expected one of {', '.join(WRITABLE)}")
    numbered = enumerate(until_stopped(trees), start=1)
    rendered = [form.render(tree, number) for number, tree in numbered]
    return "".join([form.header.format(encoding="utf-8"), *rendered, form.footer])


def render_text(trees: list[Tree]) -> str:
    """Return trees as a text for people, in a format that keeps everything.

    A tree has an identifier of its own unless it is that of its place, ``tree:1``.
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
    """Return errors of a parse."""
    return [ErrorOfKind(kind=error.type, text=str(error)) for error in errors]


def settings_named(name: str) -> Settings:
    """Return settings of scores by name: a request opens no file of the server."""
    if name not in PACKAGED:
        raise InputError(f"settings: expected one of {', '.join(PACKAGED)}")
    return load_settings(name)
