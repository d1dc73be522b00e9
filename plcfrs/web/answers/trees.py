"""Trees and pictures as answers, and requests to draw them."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field


class TokenAnswer(BaseModel):
    """A word and its tag, and what the treebank says of it."""

    form: str
    tag: str
    lemma: str = Field(default="", description="Empty if there is none, as for the following.")
    morph: str = ""
    function: str = Field(default="", description="The edge label.")


class EdgeAnswer(BaseModel):
    """A secondary edge, from a constituent or a token to a second mother."""

    label: str
    node: int | None = Field(default=None, description="The constituent, as in data-node.")
    token: int | None = Field(default=None, description="Or the position of the token.")
    mother: int = Field(description="The second mother, as in data-node.")


class TreeAnswer(BaseModel):
    """A tree as a picture and in two formats."""

    id: str
    tokens: list[TokenAnswer]
    labels: list[str] = Field(
        description="The labels of the constituents, in the order of data-node in the picture."
    )
    functions: list[list[str]] = Field(description="The functions of each constituent.")
    secondary_edges: list[EdgeAnswer]
    marked: list[int] = Field(description="The marked constituents, such as matches of a query.")
    marked_tokens: list[int] = Field(description="Positions of the marked tokens.")
    svg: str = Field(
        description="The picture; data-node, data-yield and data-token mark its elements."
    )
    discbracket: str
    export: str = Field(description="A whole file, with its header.")


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
