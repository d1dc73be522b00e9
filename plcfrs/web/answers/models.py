"""Models, their grammars, and the limits of requests, as answers."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, Field

from plcfrs.web.answers.numbers import Finite, finite


class Limit(BaseModel):
    """The limits of a request."""

    max_length: int = Field(description="Tokens of a sentence.")
    max_characters: int = Field(description="Characters of a sentence, tags included.")
    max_seconds: Finite = Field(description="Wall time of a parse or a search; null for no limit.")
    max_memory: Finite = Field(description="Arrays of a search, in GiB; null for no limit.")
    max_items: Annotated[int | None, BeforeValidator(finite)] = Field(
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
        "parse with others), surprisal (of words), budget, resume."
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
