"""Rules, their sentences, and differences of grammars, as answers."""

from __future__ import annotations

from pydantic import BaseModel, Field

from plcfrs.web.answers.treebanks import HitAnswer


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


class UseAnswer(HitAnswer):
    """A constituent of a treebank from which a rule is extracted, with its context."""

    number: int = Field(
        description="Of its tree, from 1, if traces become crossing branches, as for /trees."
    )
    marked: list[int] = Field(
        description="The constituent in that tree, as in data-node; empty if the model had other "
        "trees."
    )


class UsesAnswer(BaseModel):
    """A page of the uses of a rule in a treebank."""

    total: int
    trees: int = Field(description="How many trees have them.")
    uses: list[UseAnswer]


class ChangeAnswer(BaseModel):
    """A rule in two grammars."""

    rule: str = Field(description="In the notation of grammar files.")
    clause: str = Field(description="In the notation of the papers.")
    before: float = Field(description="Its probability; 0 in a grammar without it.")
    after: float = Field(description="Its probability; 0 in a grammar without it.")
    change: float = Field(description="The difference of the probabilities.")
    count_before: float | None = Field(description="Null if the grammar has no counts.")
    count_after: float | None = Field(description="Null if the grammar has no counts.")


class DivergenceAnswer(BaseModel):
    """How much the distribution over the rules of a symbol changes."""

    symbol: str
    bits: float = Field(description="The Jensen-Shannon divergence, from 0 to 1.")


class ChangesAnswer(BaseModel):
    """The changes from one grammar to another, and a page of those of a kind."""

    changed: int = Field(description="Number of rules whose probability changes.")
    appeared: int
    disappeared: int
    unchanged: int
    new_symbols: list[str]
    lost_symbols: list[str]
    new_words: int = Field(description="Number of words that appear.")
    lost_words: int = Field(description="Number of words that disappear.")
    divergences: list[DivergenceAnswer] = Field(
        description="Of the left-hand sides that change most."
    )
    changes: list[ChangeAnswer]
