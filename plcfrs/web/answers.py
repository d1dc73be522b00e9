"""The requests and answers of the API; the OpenAPI document is made from these types."""

from __future__ import annotations

from math import isfinite
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, Field


def _finite(number: float | None) -> float | None:
    """Return null instead of infinity, which JSON does not have."""
    return number if number is not None and isfinite(number) else None


Finite = Annotated[float | None, BeforeValidator(_finite)]


class Limit(BaseModel):
    """The limits of a request."""

    max_length: int = Field(description="Tokens of a sentence.")
    max_characters: int = Field(description="Characters of a sentence, tags included.")
    max_seconds: Finite = Field(description="Wall time of a parse or a search; null for no limit.")
    max_memory: Finite = Field(description="Arrays of a search, in GiB; null for no limit.")
    max_items: Annotated[int | None, BeforeValidator(_finite)] = Field(
        description="Items of a chart; null for no limit."
    )
    max_megabytes: int = Field(description="Size of an uploaded treebank.")
    nbest: int = Field(description="Number of parses.")


class ModelAnswer(BaseModel):
    """A model, and the choices that it offers."""

    name: str
    kind: str = Field(description="The family: grammar, refined, gap ...")
    title: str = Field(description="The family in words.")
    objectives: list[str] = Field(
        description="The objectives to choose from; the first is the default. Empty if there is no "
        "choice."
    )
    strategies: list[str] = Field(description="Orders of the search; empty if there is no choice.")
    fallbacks: list[str] = Field(
        description="What the tree of a sentence without a parse may have; empty if there is no "
        "choice."
    )
    capabilities: list[str] = Field(
        description="What the family can do: nbest, sums (over derivations), wants (comparing its "
        "parse with others), budget, resume."
    )
    rules: int | None = Field(description="Null without a grammar.")
    symbols: int | None = Field(description="Nonterminals, tags included; null without a grammar.")
    fan_out: int | None = Field(description="Null without a grammar.")
    words: int = Field(description="Number of known words.")
    tags: list[str]
    options: dict[str, str] = Field(description="How the model was made.")


class Models(BaseModel):
    """All models, and the limits of requests."""

    models: list[ModelAnswer]
    limits: Limit


class ExampleAnswer(BaseModel):
    """A sentence to try."""

    text: str = Field(description="Tokens between blanks; word/TAG if tagged.")
    tagged: bool


class TokenAnswer(BaseModel):
    """A word and its tag."""

    form: str
    tag: str


class TreeAnswer(BaseModel):
    """A tree as a picture and in two formats."""

    id: str
    tokens: list[TokenAnswer]
    labels: list[str] = Field(
        description="The labels of the constituents, in the order of data-node in the picture."
    )
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
    marked: list[int] = Field(default=[], description="Constituents to mark, as in data-node.")
    marked_tokens: list[int] = Field(default=[], description="Positions of tokens to mark.")
    collapsed: list[int] = Field(
        default=[], description="Constituents that have only their words below them."
    )
    spacious: bool = Field(default=False, description="Whether there is more space.")


class DrawAnswer(BaseModel):
    """A picture of a tree."""

    svg: str
    nodes: list[int] = Field(description="The constituent in the tree for each in the picture.")
    parts: list[list[int]] = Field(
        description="Positions in the sentence for each token in the picture: several if it is "
        "collapsed."
    )


class ParseRequest(BaseModel):
    """A sentence, and how to parse it."""

    text: str = Field(description="Tokens between blanks; word/TAG if tagged.")
    tagged: bool = Field(
        default=False, description="Whether the text has tags, which the parser then uses."
    )
    tokenize: bool = Field(
        default=False,
        description="Whether the text is running English text, to split into words as with "
        "plcfrs parse --tokenize; the tokens are in the tree.",
    )
    model: str | None = Field(
        default=None, description="The name of the model, by default the first one."
    )
    strategy: str | None = Field(default=None, description="astar, by default, or knuth.")
    objective: str | None = Field(default=None, description="By default, the model's first one.")
    nbest: int = Field(default=1, ge=1, description="Number of parses, the best first.")
    fallback: str | None = Field(
        default=None,
        description="The tree of a sentence without a parse: its words (none, by default), words "
        "with their tags (flat), or the most probable sequence of constituents (partial).",
    )


class Step(BaseModel):
    """A rule in a derivation, or a word with its tag; or a transition; or a dependency."""

    rule: str = Field(description="In the notation of grammar files; a tag for a word.")
    clause: str = Field(description="In the notation of the papers; a tag for a word.")
    score: float = Field(
        description="ln p of a rule, the logarithm of the posterior of a constituent, or the share "
        "of a transition or of a dependency in the score of the parse."
    )
    tokens: list[int] = Field(
        description="Positions of the tokens that it spans, of the top of the stack, of the focus, "
        "or of a word and its head."
    )
    words: str = Field(description="These tokens, with dots for gaps.")


class RankedParse(BaseModel):
    """One of the best parses."""

    rank: int
    score: float | None = Field(description="Higher is better; null without a parse.")
    meaning: str = Field(description="The meaning of the score, such as log probability.")
    probability: float | None = Field(
        description="Of the derivation; null if the score is not a log probability."
    )
    gap: Finite = Field(
        description="How much higher the score of a better parse may be, if the search was "
        "stopped; 0 if this one is proven to be the best. Null if nothing is known, see message."
    )
    gap_degree: int
    tree: TreeAnswer
    derivation: list[Step]


class ParseAnswer(BaseModel):
    """The result of parsing a sentence."""

    model: str
    status: str = Field(description="parsed, no parse, unknown word, out of time ...")
    fallback: str = Field(description="What was used without a parse: none, flat or partial.")
    message: str = Field(
        description="The status as a sentence, or that the parse is not proven; else empty."
    )
    seconds: float = Field(description="Wall time of the parse, without drawing.")
    lost_mass: float
    statistics: dict[str, float] = Field(description="Of the chart.")
    parses: list[RankedParse] = Field(description="The best first; without a parse, NOPARSE.")


class RuleAnswer(BaseModel):
    """A rule of a grammar."""

    rule: str = Field(description="In the notation of grammar files: SQ -> VP_2 MD NP [0 1 2 0].")
    clause: str = Field(
        description="In the notation of the papers: SQ(XYZU) -> VP(X,U) MD(Y) NP(Z)."
    )
    count: float | None = Field(description="Null if the grammar has only probabilities.")
    probability: float
    cost: float = Field(description="-log p (natural logarithm).")
    fan_out: int
    rank: int
    complexity: int = Field(description="Exponent of the sentence length in the parsing time.")
    examples: list[str] = Field(description="Sentences, if the grammar keeps them.")


class RulesAnswer(BaseModel):
    """A page of the rules that were found."""

    total: int
    rules: list[RuleAnswer]


class InspectionAnswer(BaseModel):
    """What a model consists of, besides its rules."""

    lines: list[str] = Field(description="As plcfrs inspect prints them.")
    substates: bool = Field(description="Whether its symbols have substates to ask for.")


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
    trees: list[FoundTree]


class HitAnswer(BaseModel):
    """A match of a query, with its context."""

    number: int = Field(description="Of its tree among those found, from 1.")
    id: str = Field(description="The identifier of the tree.")
    label: str = Field(description="Of the constituent, or the tag of the token.")
    before: str = Field(description="The words before it.")
    words: str = Field(description="Its words, with dots for gaps.")
    after: str = Field(description="The words after it.")
    positions: list[int] = Field(description="Of its tokens, from 0.")


class HitsAnswer(BaseModel):
    """A page of the matches of a query."""

    total: int
    hits: list[HitAnswer]


class CountAnswer(BaseModel):
    """How many matches there are of a kind."""

    value: str
    count: int


class Refusal(BaseModel):
    """Why a request was refused."""

    status: int
    message: str


class ErrorAnswer(BaseModel):
    """An error."""

    error: Refusal
