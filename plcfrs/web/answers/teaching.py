"""The course of a search as an answer."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from plcfrs.web.answers.numbers import Finite
from plcfrs.web.answers.trees import TokenAnswer


class CourseRequest(BaseModel):
    """A sentence, and how to search for its parse."""

    text: str = Field(description="Tokens between blanks; word/TAG if tagged.")
    tagged: bool = Field(default=False, description="Whether the text has tags.")
    model: str | None = Field(
        default=None, description="The name of a grammar, by default the first model."
    )
    strategy: Literal["astar", "knuth"] = Field(
        default="astar",
        description="The order of the agenda: by the bound of the relaxation, or by the cost.",
    )


class ItemAnswer(BaseModel):
    """An item of the chart."""

    symbol: str
    ranges: list[tuple[int, int]] = Field(description="From 0, each up to the second number.")


class DeducedAnswer(BaseModel):
    """An item that was put on the agenda, with its best derivation so far."""

    item: int = Field(description="Its place in the list of items.")
    cost: float = Field(description="-ln p of the derivation.")
    bound: float = Field(
        description="The priority: no parse with this derivation costs less, according to the "
        "relaxation. In Knuth's order, the cost."
    )
    by: Literal["scan", "unary", "binary"] = Field(
        description="The rule of figure 2 of Evang and Kallmeyer (2011)."
    )
    clause: str = Field(description="The rule of the grammar, in the notation of the papers.")
    rule_cost: float = Field(description="-ln p of the rule; the cost of the tag for a word.")
    children: list[int] = Field(description="The items that it was deduced from.")


class PopAnswer(BaseModel):
    """A step: an item leaves the agenda, and is joined with those before it."""

    popped: DeducedAnswer
    following: list[DeducedAnswer] = Field(
        description="The items put on the agenda in this step, again if they have a lower cost."
    )


class CourseAnswer(BaseModel):
    """The course of a search."""

    model: str
    tokens: list[TokenAnswer]
    items: list[ItemAnswer]
    scanned: list[DeducedAnswer] = Field(description="The tags, with which the agenda begins.")
    pops: list[PopAnswer]
    status: Literal["goal", "exhausted", "unfinished"] = Field(
        description="Whether the last item is the goal, nothing is left, or there are more steps."
    )
    relaxed: Finite = Field(
        description="Cost of the best parse of the relaxation; null without a parse; 0 in Knuth's "
        "order."
    )
