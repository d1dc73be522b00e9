"""The search for a parse, item by item, for people who learn how it works."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field

from plcfrs.chart.trace import Course, Deduced
from plcfrs.drawing.picture import MANY
from plcfrs.forest.grammar_parser import SearchFollower
from plcfrs.grammar.nonterminal import Nonterminal
from plcfrs.grammar.rules import in_paper_notation
from plcfrs.trees import ROOT, Node, Token, Tree, render_label
from plcfrs.trees.notation import render_discbracket
from plcfrs.trees.tree import leftmost, positions, runs
from plcfrs.web.requests import SentenceRequest, ServerStore, parsing, sentence_of
from plcfrs.web.serializers import Answer, Finite, TokenAnswer

_MOST_STEPS = 500

Runs = list[tuple[int, int]]

api = APIRouter()


class CourseRequest(SentenceRequest):
    """A sentence, and how to search for its parse."""

    strategy: Literal["astar", "knuth"] = Field(
        default="astar",
        description="The order of the agenda: by the bound of the relaxation, or by the cost.",
    )


class ItemAnswer(BaseModel):
    """An item of the chart."""

    symbol: str
    ranges: list[tuple[int, int]] = Field(description="From 0, each up to the second number.")
    text: str = Field(description="As in the figure: [VP_2, ⟨⟨0,1⟩, ⟨3,4⟩⟩].")


class DeducedAnswer(Answer):
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


class DerivedTree(BaseModel):
    """The best derivation of an item as a tree; the words outside of it are below the root."""

    discbracket: str
    labels: list[str] = Field(description="Of the constituents, as in data-node.")
    tags: list[str] = Field(description="Of all words; … if it is not known yet.")


class PopAnswer(BaseModel):
    """A step: an item leaves the agenda, and is joined with those before it."""

    popped: DeducedAnswer
    choices: list[str] = Field(description="The item and similar ones, for an exercise; or none.")
    tree: DerivedTree
    following: list[DeducedAnswer] = Field(
        description="The items put on the agenda in this step, again if they have a lower cost."
    )


class CourseAnswer(Answer):
    """The course of a search."""

    model: str
    tokens: list[TokenAnswer]
    items: list[ItemAnswer]
    scanned: list[DeducedAnswer] = Field(
        description="The tags, which are the first items on the agenda."
    )
    pops: list[PopAnswer]
    status: Literal["goal", "exhausted", "unfinished"] = Field(
        description="Whether the last item is the goal, nothing is left, or there are more steps."
    )
    relaxed: Finite = Field(
        description="Cost of the best parse of the relaxation; null without a parse; 0 in Knuth's "
        "order."
    )


@api.post("/course")
@parsing
def course(store: ServerStore, wanted: CourseRequest) -> CourseAnswer:
    """Follow the search for the best parse, item by item: its first 500 steps."""
    named = store.model(wanted.model)
    sentence = sentence_of(wanted, named, store.limits)
    parser = named.parser(strategy=wanted.strategy)
    if not isinstance(parser, SearchFollower):
        raise named.without("only a grammar has a search with such steps")
    course, costs = parser.follow(sentence, _MOST_STEPS), parser.grammar.costs()

    def described(deduced: Deduced) -> DeducedAnswer:
        symbol, _ = course.items[deduced.item]
        rule = deduced.rule
        return DeducedAnswer.of(
            deduced,
            by=("scan", "unary", "binary")[len(deduced.children)],
            clause=in_paper_notation(rule) if rule else str(symbol),
            rule_cost=costs.get(rule, 0.0) if rule else deduced.cost,
        )

    choices, trees = _choices(course, len(sentence.tokens)), _derived_trees(course, sentence.tokens)
    return CourseAnswer.of(
        course,
        model=named.name,
        tokens=sentence.tokens,
        items=[
            ItemAnswer(symbol=str(symbol), ranges=runs(span), text=_written(symbol, runs(span)))
            for symbol, span in course.items
        ],
        scanned=list(map(described, course.scanned)),
        pops=[
            PopAnswer(
                popped=described(step.popped),
                choices=offered,
                tree=tree,
                following=list(map(described, step.following)),
            )
            for step, offered, tree in zip(course.pops, choices, trees, strict=True)
        ],
    )


def _written(symbol: Nonterminal, ranges: Runs) -> str:
    return f"[{symbol}, ⟨{', '.join(f'⟨{left},{right}⟩' for left, right in ranges)}⟩]"


def _choices(course: Course, length: int) -> Iterator[list[str]]:
    """Yield each item that is popped, and those with another symbol, other ranges, or both."""
    deduced = dict.fromkeys(symbol for symbol, _ in course.items[len(course.scanned) :])
    known = set(course.items)  # they might follow from the same items
    for number, (popped, _) in enumerate(course.pops, start=1):
        symbol, span = course.items[popped.item]
        usable = [one for one in deduced if (one, span) not in known]
        alike = [one for one in usable if one.fanout == symbol.fanout] or usable
        symbols = {symbol, alike[number % len(alike)]} if alike else {symbol}
        ranges = (runs(span), _moved(runs(span), length))
        pairs = {_written(one, each) for one in symbols for each in ranges}
        yield sorted(pairs) if popped.rule else []


def _moved(ranges: Runs, length: int) -> Runs:
    """Return ranges of which the last one has another end, or else another beginning."""
    *others, (left, right) = ranges
    shorter = (left, right - 1) if right - left > 1 else (max(left - 1, 0), right)
    return [*others, (left, right + 1) if right < length else shorter]


def _derived_trees(course: Course, tokens: list[Token]) -> Iterator[DerivedTree]:
    """Yield the tree of each item that leaves the agenda."""
    derived: dict[int, Node | int] = {}
    tags: dict[int, dict[int, str]] = {}  # of the words of each item, by their positions
    for item, _, _, rule, children in (step.popped for step in course.pops):
        symbol, span = course.items[item]
        if rule is None:
            derived[item], tags[item] = leftmost(span), {leftmost(span): str(symbol)}
        else:
            derived[item] = Node(str(symbol), children=[derived[child] for child in children])
            tags[item] = {place: tag for child in children for place, tag in tags[child].items()}
        known = [replace(t, tag=tags[item].get(i, t.tag or MANY)) for i, t in enumerate(tokens)]
        yield _below_root(derived[item], Tree(Node(ROOT), known), span)


def _below_root(top: Node | int, tree: Tree, span: int) -> DerivedTree:
    others = positions((1 << len(tree.tokens)) - 1 - span)
    if isinstance(top, Node) and top.category == ROOT and not others:
        tree.root = top
    else:
        before = sum(other < leftmost(span) for other in others)
        tree.root.children = [*others[:before], top, *others[before:]]
    labels = list(map(render_label, tree.nodes()))
    tags = [token.tag for token in tree.tokens]
    return DerivedTree(discbracket=render_discbracket(tree), labels=labels, tags=tags)
