"""The route that shows a search item by item."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from fastapi import APIRouter, Request

from plcfrs.chart.course import Course, Deduced
from plcfrs.grammar import Rule
from plcfrs.grammar.notation import in_paper_notation
from plcfrs.pipeline import GrammarModel
from plcfrs.pipeline.sentence import Sentence
from plcfrs.trees import Tree
from plcfrs.trees.spans import runs
from plcfrs.web.answers.parses import SentenceRequest
from plcfrs.web.answers.teaching import (
    CourseAnswer,
    CourseRequest,
    DeducedAnswer,
    ItemAnswer,
    PopAnswer,
)
from plcfrs.web.answers.trees import TokenAnswer
from plcfrs.web.limits import RefusedError, Workers
from plcfrs.web.routes.parsing import sentence_of
from plcfrs.web.store import NamedModel, Store

_MOST_STEPS = 500


def add_teaching(router: APIRouter, store: Store, workers: Workers) -> None:
    """Add the route to a router."""

    @router.post("/course")
    async def course(wanted: CourseRequest, request: Request) -> CourseAnswer:
        """Follow the search for the best parse, item by item: its first 500 steps."""
        named = store.model(wanted.model)
        read = SentenceRequest(text=wanted.text, tagged=wanted.tagged)
        tree = sentence_of(read, named, store.limits)
        job = partial(_follow, named, wanted.strategy, tree)
        return await workers.run(job, request.is_disconnected)


def _follow(named: NamedModel, strategy: str, tree: Tree) -> CourseAnswer:
    if not isinstance(named.model, GrammarModel):
        raise RefusedError(
            400,
            f"{named.name} is {named.family.title}: only the search of a grammar has such steps",
        )
    parser = named.parser(strategy=strategy)
    assert isinstance(parser, GrammarModel)
    followed = parser.follow(Sentence.of(tree), _MOST_STEPS)
    return _describe(named.name, tree, followed, parser.grammar.costs())


def _describe(name: str, tree: Tree, course: Course, costs: Mapping[Rule, float]) -> CourseAnswer:
    def described(deduced: Deduced) -> DeducedAnswer:
        symbol, _ = course.items[deduced.item]
        rule, children = deduced.rule, deduced.children
        return DeducedAnswer(
            item=deduced.item,
            cost=deduced.cost,
            bound=deduced.bound,
            by=("scan", "unary", "binary")[len(children)],
            clause=in_paper_notation(rule) if rule else str(symbol),
            rule_cost=costs.get(rule, 0.0) if rule else deduced.cost,
            children=list(children),
        )

    return CourseAnswer(
        model=name,
        tokens=[TokenAnswer(form=token.form, tag=token.tag) for token in tree.tokens],
        items=[ItemAnswer(symbol=str(symbol), ranges=runs(span)) for symbol, span in course.items],
        scanned=list(map(described, course.scanned)),
        pops=[
            PopAnswer(popped=described(step.popped), following=list(map(described, step.following)))
            for step in course.pops
        ],
        status=course.status,
        relaxed=course.relaxed,
    )
