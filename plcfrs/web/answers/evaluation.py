"""Scores and errors of parses, as answers."""

from __future__ import annotations

from pydantic import BaseModel, Field

from plcfrs.web.answers.trees import TreeAnswer


class ParsesRequest(BaseModel):
    """The first sentences of a treebank, to be parsed with a model."""

    treebank: str
    transform: bool = Field(
        default=False, description="Whether to turn traces into crossing branches first."
    )
    model: str | None = Field(default=None, description="By default, the first one.")
    own_tags: bool = Field(
        default=False, description="Whether the parser finds the tags, instead of those given."
    )
    first: int = Field(ge=1, le=1000, description="How many sentences.")


class ParsesAnswer(BaseModel):
    """How many sentences are parsed by now: ask again until they are all."""

    parsed: int
    total: int = Field(description="The sentences asked for, or all if the treebank has fewer.")


class ScoreTable(BaseModel):
    """A table of scores, as plcfrs eval prints it."""

    title: str
    columns: list[str]
    rows: dict[str, list[int | float | str | None]] = Field(
        description="Counts, and percentages; null if there is nothing to score."
    )


class KindAnswer(BaseModel):
    """A kind of error, as plcfrs eval --errors counts it."""

    kind: str
    missed: int = Field(description="Constituents that the parses lack.")
    spurious: int = Field(description="Constituents that the gold trees lack.")
    sentences: int = Field(description="How many sentences have such errors.")


class ErrorOfKind(BaseModel):
    """An error of a parse."""

    kind: str
    text: str = Field(description="What is wrong, in words.")


class ScoredSentence(BaseModel):
    """A sentence with its scores."""

    number: int = Field(description="From 1.")
    id: str = Field(description="The identifier of the gold tree.")
    words: str
    length: int = Field(description="In words, as the settings count them.")
    gap_degree: int = Field(description="Of the gold tree.")
    f1: float = Field(description="Of labelled constituents, a percentage.")
    missed: int = Field(description="Labelled constituents that the parse lacks.")
    spurious: int = Field(description="Labelled constituents that the gold tree lacks.")
    wrong_tags: int
    parsed: bool = Field(description="Whether there is a parse.")
    errors: list[ErrorOfKind]


class ReportAnswer(BaseModel):
    """Scores, kinds of errors, and a page of the sentences."""

    tables: list[ScoreTable]
    kinds: list[KindAnswer]
    total: int = Field(description="Sentences of the kind that was asked for, or all.")
    sentences: list[ScoredSentence]


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


class PairAnswer(BaseModel):
    """A gold tree and its parse; missed and spurious constituents and wrong tags are marked."""

    sentence: ScoredSentence
    gold: TreeAnswer
    parse: TreeAnswer
