"""Requests to say how surprising words are, and the answers."""

from __future__ import annotations

from pydantic import BaseModel, Field

from plcfrs.web.answers.numbers import Finite
from plcfrs.web.answers.parses import SentenceRequest
from plcfrs.web.answers.trees import TreeAnswer


class SurprisalRequest(SentenceRequest):
    """A sentence whose words are read one after the other."""

    analyses: int = Field(
        default=0, ge=0, description="How many of the most probable analyses after a word."
    )
    at: list[int] | None = Field(
        default=None,
        description="Positions of the words after which analyses are wanted, from 0; by default "
        "all.",
    )
    derivation_entropy: bool = Field(
        default=False,
        description="Whether the entropy of the whole derivation is wanted, too, which takes three "
        "times as long.",
    )


class AwaitedAnswer(BaseModel):
    """A constituent that goes on after a gap."""

    category: str
    positions: list[int] = Field(description="Of its words so far, from 0.")
    node: int = Field(description="The constituent, as in data-node.")


class AnalysisAnswer(BaseModel):
    """What is known of the structure of the sentence after a word."""

    probability: float = Field(description="Given the words so far.")
    open: list[str] = Field(
        description="The constituents that go on with the next word, the largest one first."
    )
    awaited: list[AwaitedAnswer] = Field(
        description="The constituents that go on after a gap, the largest one first."
    )
    tree: TreeAnswer = Field(
        description="Of the words so far: all constituents that have some of them, the open ones "
        "marked."
    )


class WordAnswer(BaseModel):
    """A word, and how surprising it is given the words before it. What is not known is null."""

    word: str
    tag: str = Field(description="The tag that was given; empty if there is none.")
    surprisal: Finite = Field(
        description="-log2 P(word | words before); with given tags, of the tag. In bits, as the "
        "other numbers. Null if it is infinite or unknown: see the status."
    )
    at_least: Finite = Field(description="A proven bound; the surprisal if the status is read.")
    at_most: Finite
    tag_surprisal: Finite = Field(description="The syntactic part: that of the tags of the word.")
    word_surprisal: Finite = Field(description="The lexical part: of the word, given its tags.")
    log_prefix_probability: Finite = Field(
        description="ln of the probability of all sentences that begin so."
    )
    entropy: Finite = Field(description="Of the next tag or the end, after the word.")
    entropy_reduction: Finite = Field(description="By how much the word has lowered it, or 0.")
    derivation_entropy: Finite = Field(
        description="Of the whole derivation down to the tags, after the word; null unless wanted."
    )
    derivation_entropy_reduction: Finite
    status: str = Field(
        description="read; bounded (improbable constituents were left out, all numbers but the "
        "bounds are estimates); no sentence (of the grammar begins so), unknown word, out of time, "
        "out of memory, out of items."
    )
    analyses: list[AnalysisAnswer] = Field(description="The most probable one first.")


class SurprisalAnswer(BaseModel):
    """How surprising the words of a sentence are."""

    model: str
    message: str = Field(
        description="Which word was not read to the end, or only with bounds, and why; else empty."
    )
    normalised: bool = Field(
        description="Whether the probabilities of the grammar had to be normalised, since its "
        "derivations do not sum to 1."
    )
    seconds: float = Field(description="Wall time, without drawing.")
    words: list[WordAnswer]
    tsv: str = Field(description="The table of plcfrs surprisal.")
    csv: str = Field(description="The same with commas.")
