"""Requests to parse a sentence, and their answers."""

from __future__ import annotations

from pydantic import BaseModel, Field

from plcfrs.web.answers.numbers import Finite
from plcfrs.web.answers.trees import TreeAnswer


class SentenceRequest(BaseModel):
    """A sentence, and the model that reads it."""

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


class ParseRequest(SentenceRequest):
    """A sentence, and how to parse it."""

    strategy: str | None = Field(default=None, description="astar, by default, or knuth.")
    objective: str | None = Field(default=None, description="By default, the model's first one.")
    nbest: int = Field(default=1, ge=1, description="Number of parses, the best first.")
    posteriors: bool = Field(
        default=False,
        description="Whether to tell how probable each constituent is, if the model can (sums); "
        "the pictures then have them as shades.",
    )
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
    nodes: list[int] = Field(
        description="The constituents of the tree that it makes, as in data-node."
    )
    details: dict[str, str] = Field(
        description="What else there is to say, by name: the stack and the buffer after a "
        "transition, the next best head, the posterior."
    )


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
    step: str = Field(description="What a step is: rule, constituent, transition, dependency.")
    measure: str = Field(description="What the score of a step is: ln p, ln posterior, score.")
    arcs: str | None = Field(
        description="The picture of the dependencies that became the tree, if there are any; "
        "data-token marks a word with the arc above it."
    )
    posteriors: list[float] | None = Field(
        description="How probable each constituent is, in the order of the labels of the tree; "
        "null if not asked for, empty if nothing is known."
    )


class WantRequest(SentenceRequest):
    """A sentence, and a constituent that its parse was expected to have."""

    want: str = Field(
        max_length=1000,
        description="Its category or symbol, and its tokens, counted from 0: NP 0-1, VP_2 0,3-4.",
    )


class WantAnswer(BaseModel):
    """Why the best parse does not have a constituent."""

    lines: list[str] = Field(description="As plcfrs explain --want prints them.")


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


class ExampleAnswer(BaseModel):
    """A sentence to try."""

    text: str = Field(description="Tokens between blanks; word/TAG if tagged.")
    tagged: bool
