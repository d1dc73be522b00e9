"""What the API takes and gives; the OpenAPI document is made from these types."""

from __future__ import annotations

from pydantic import BaseModel, Field


class Limit(BaseModel):
    """What a request may use up."""

    max_length: int = Field(description="Tokens of a sentence.")
    max_characters: int = Field(description="Characters of a sentence, tags included.")
    max_seconds: float = Field(description="Wall time of a parse or a search.")
    max_items: int = Field(description="Items of a chart.")
    max_megabytes: int = Field(description="Size of an uploaded treebank.")
    nbest: int = Field(description="Parses that can be asked for.")


class ModelAnswer(BaseModel):
    """A model, and what can be chosen with it."""

    name: str
    kind: str = Field(description="Its family: grammar, refined, gap ...")
    title: str = Field(description="What it is, in words.")
    objectives: list[str] = Field(
        description="Which parse is wanted; the first is the default. None if there is no choice."
    )
    strategies: list[str] = Field(description="Orders of the search, if there is a choice.")
    capabilities: list[str] = Field(
        description="What it can do: nbest, sums over derivations, wants (comparing its parse with "
        "others), a budget."
    )
    rules: int | None = Field(description="Null without a grammar.")
    symbols: int | None = Field(description="Nonterminals, tags included; null without a grammar.")
    fan_out: int | None = Field(description="Null without a grammar.")
    words: int = Field(description="Words that it knows.")
    tags: list[str]
    options: dict[str, str] = Field(description="How it was made.")


class Models(BaseModel):
    """All models, and the limits of requests."""

    models: list[ModelAnswer]
    limits: Limit


class TokenAnswer(BaseModel):
    """A word and its tag."""

    form: str
    tag: str


class TreeAnswer(BaseModel):
    """A tree, drawn and written."""

    id: str
    tokens: list[TokenAnswer]
    labels: list[str] = Field(
        description="The labels of the constituents, in the order of data-node in the picture."
    )
    svg: str = Field(description="data-node, data-yield and data-token say what is what.")
    discbracket: str
    export: str = Field(description="A whole file, with its header.")


class ParseRequest(BaseModel):
    """A sentence, and how it is to be parsed."""

    text: str = Field(description="Tokens between blanks; word/TAG if tagged.")
    tagged: bool = Field(
        default=False, description="Whether the text has tags, which are then given."
    )
    model: str | None = Field(default=None, description="Its name; by default the first one.")
    strategy: str | None = Field(default=None, description="astar, by default, or knuth.")
    objective: str | None = Field(default=None, description="By default, the model's first one.")
    nbest: int = Field(default=1, ge=1, description="How many parses, the most probable ones.")


class Step(BaseModel):
    """A rule in a derivation, or a word with its tag; or a transition."""

    rule: str = Field(description="As in grammar files; a tag for a word.")
    clause: str = Field(description="As in papers; a tag for a word.")
    score: float = Field(
        description="ln p of a rule, the posterior of a constituent (its logarithm), or what a "
        "transition adds to the score of the parse."
    )
    tokens: list[int] = Field(
        description="The positions of the tokens that it spans, or of the top of the stack."
    )
    words: str = Field(description="These tokens, with dots in the place of gaps.")


class RankedParse(BaseModel):
    """One of the best parses."""

    rank: int
    score: float | None = Field(description="The more, the better; null without a parse.")
    meaning: str = Field(description="What the score is, such as log probability.")
    probability: float | None = Field(description="Of the derivation; null if p is not one.")
    gap_degree: int
    tree: TreeAnswer
    derivation: list[Step]


class ParseAnswer(BaseModel):
    """What became of a sentence."""

    model: str
    status: str = Field(description="parsed, no parse, unknown word, out of time ...")
    message: str = Field(description="The status as a sentence; empty if parsed.")
    seconds: float = Field(description="Wall time of the parse, drawing left out.")
    lost_mass: float
    statistics: dict[str, float] = Field(description="Of the chart.")
    parses: list[RankedParse] = Field(description="Without a parse, one NOPARSE tree.")


class RuleAnswer(BaseModel):
    """A rule of a grammar."""

    rule: str = Field(description="As in grammar files: SQ -> VP_2 MD NP [0 1 2 0].")
    clause: str = Field(description="As in papers: SQ(XYZU) -> VP(X,U) MD(Y) NP(Z).")
    count: float | None = Field(description="Null if the grammar has but probabilities.")
    probability: float
    cost: float = Field(description="-log p (natural logarithm).")
    fan_out: int
    rank: int
    complexity: int = Field(description="Exponent of the sentence length in the parsing time.")
    examples: list[str] = Field(description="Sentences, if the grammar keeps them.")


class RulesAnswer(BaseModel):
    """Some of the rules that were found."""

    total: int
    rules: list[RuleAnswer]


class TreebankAnswer(BaseModel):
    """A treebank that can be looked at."""

    name: str


class FoundTree(BaseModel):
    """A tree of a treebank, with what was found in it marked in red."""

    number: int = Field(description="Among those found, from 1.")
    matches: int
    tree: TreeAnswer


class TreesAnswer(BaseModel):
    """Some of the trees that were found."""

    total: int
    matches: int = Field(description="In all of them.")
    message: str = Field(description="Why there may be none; empty if there are some.")
    trees: list[FoundTree]


class Refusal(BaseModel):
    """Why a request was refused."""

    status: int
    message: str


class ErrorAnswer(BaseModel):
    """An error."""

    error: Refusal
