"""Treebanks, found trees and matches as answers."""

from __future__ import annotations

from pydantic import BaseModel, Field

from plcfrs.web.answers.trees import TreeAnswer


class TreebankAnswer(BaseModel):
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


class HitAnswer(BaseModel):
    """A match of a query, with its context."""

    number: int = Field(description="Of its tree among those found, from 1.")
    id: str = Field(description="The identifier of the tree.")
    label: str = Field(description="Of the constituent, or the tag of the token.")
    function: str = Field(description="Of the constituent or the token; perhaps empty.")
    before: str = Field(description="The words before it.")
    words: str = Field(description="Its words, with dots for gaps.")
    after: str = Field(description="The words after it.")
    positions: list[int] = Field(description="Of its tokens, from 0.")
    gap_degree: int = Field(description="The number of its gaps.")


class HitsAnswer(BaseModel):
    """A page of the matches of a query."""

    total: int
    hits: list[HitAnswer]


class CountAnswer(BaseModel):
    """How many matches there are of a kind."""

    value: str
    count: int


class CountsAnswer(BaseModel):
    """How many matches there are of each kind."""

    total: int = Field(description="Number of matches.")
    kinds: int = Field(description="Number of kinds; those listed may be fewer.")
    counts: list[CountAnswer]
