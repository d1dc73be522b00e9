"""The search for a parse, item by item, for teaching."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field

from plcfrs.chart.trace import Course, Deduced
from plcfrs.drawing.picture import MANY
from plcfrs.forest.grammar_parser import SearchFollower
from plcfrs.grammar.rules import Nonterminal, in_paper_notation
from plcfrs.trees import ROOT, Node, Token, Tree, render_label
from plcfrs.trees.notation import render_discbracket
from plcfrs.trees.tree import leftmost, positions, runs
from plcfrs.web import routes

_MOST_STEPS = 500

Runs = list[tuple[int, int]]

api = APIRouter()


class CourseRequest(routes.SentenceRequest):
    """A sentence, and the order in which to search for its parse."""

    strategy: Literal["astar", "knuth"] = Field(
        default="astar",
        description="The order of the agenda: by the bound of the relaxation (astar) or by the "
        "cost (knuth).",
    )


class ChartItem(BaseModel):
    """An item of the chart."""

    symbol: str = Field(description="The nonterminal.")
    ranges: list[tuple[int, int]] = Field(
        description="The ranges of its words: pairs of start and end, from 0."
    )
    text: str = Field(description="The item as in the papers: [VP_2, ⟨⟨0,1⟩, ⟨3,4⟩⟩].")


class DeducedAnswer(routes.Answer):
    """An item on the agenda, with its best derivation so far."""

    item: int = Field(description="The item, by its place in the list of items.")
    cost: float = Field(description="The cost of the derivation, -ln p.")
    bound: float = Field(
        description="The priority: no parse with this derivation costs less than this bound of the "
        "relaxation. In Knuth's order, it is the cost."
    )
    by: Literal["scan", "unary", "binary"] = Field(
        description="The deduction rule, as in figure 2 of Evang and Kallmeyer (2011)."
    )
    clause: str = Field(description="The rule of the grammar, as in the papers.")
    rule_cost: float = Field(
        description="The cost of the rule, -ln p; for a word, the cost of its tag."
    )
    children: list[int] = Field(description="The items that it was deduced from.")


class DerivedTree(BaseModel):
    """The best derivation of an item as a tree; all other words are children of the root."""

    discbracket: str = Field(description="The tree in the format discbracket.")
    labels: list[str] = Field(description="Labels of the constituents, in the order of data-node.")
    tags: list[str] = Field(description="Tags of all words; … for a tag that is not known yet.")


class PopAnswer(BaseModel):
    """A step: an item leaves the agenda, and is combined with earlier ones."""

    popped: DeducedAnswer = Field(description="The item that leaves the agenda.")
    choices: list[str] = Field(
        description="The item and similar ones, for an exercise; may be empty."
    )
    tree: DerivedTree
    following: list[DeducedAnswer] = Field(
        description="The items put on the agenda in this step; again, if their cost became lower."
    )


class CourseAnswer(routes.Answer):
    """The course of a search."""

    model: str = Field(description="The name of the model.")
    tokens: list[routes.TokenAnswer]
    items: list[ChartItem] = Field(description="All items, in the order of their discovery.")
    scanned: list[DeducedAnswer] = Field(
        description="The tags of the words: the first items on the agenda."
    )
    pops: list[PopAnswer] = Field(description="The steps.")
    status: Literal["goal", "exhausted", "unfinished"] = Field(
        description="How it ends: with the goal, with an empty agenda, or after too many steps."
    )
    relaxed: routes.Finite = Field(
        description="The cost of the best parse of the relaxation; null without a parse, 0 in "
        "Knuth's order."
    )


@api.post("/course")
@routes.parsing
def course(store: routes.ServerStore, wanted: CourseRequest) -> CourseAnswer:
    """Follow the first 500 steps of the search for the best parse, item by item."""
    named = store.model(wanted.model)
    sentence = routes.sentence_of(wanted, named, store.limits)
    parser = named.parser(strategy=wanted.strategy)
    if not isinstance(parser, SearchFollower):
        raise named.without("only the search of a grammar has such steps")
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
            ChartItem(symbol=str(symbol), ranges=runs(span), text=_written(symbol, runs(span)))
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
    """Yield each popped item with items that have another symbol, other ranges, or both."""
    deduced = dict.fromkeys(symbol for symbol, _ in course.items[len(course.scanned) :])
    known = set(course.items)  # these might be right, too
    for number, (popped, _) in enumerate(course.pops, start=1):
        symbol, span = course.items[popped.item]
        wrong = [label for label in deduced if (label, span) not in known]
        alike = [label for label in wrong if label.fanout == symbol.fanout] or wrong
        symbols = {symbol, alike[number % len(alike)]} if alike else {symbol}
        ranges = (runs(span), _moved(runs(span), length))
        pairs = {_written(label, pairs) for label in symbols for pairs in ranges}
        yield sorted(pairs) if popped.rule else []


def _moved(ranges: Runs, length: int) -> Runs:
    """Return the ranges with another end of the last one, or else another start."""
    *others, (left, right) = ranges
    shorter = (left, right - 1) if right - left > 1 else (max(left - 1, 0), right)
    return [*others, (left, right + 1) if right < length else shorter]


def _derived_trees(course: Course, tokens: list[Token]) -> Iterator[DerivedTree]:
    """Yield the tree of each item that leaves the agenda."""
    derived: dict[int, Node | int] = {}
    tags: dict[int, dict[int, str]] = {}  # the tags below each item, by position
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
