"""Routes that show what a model consists of."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query, Request

from plcfrs.grammar import Grammar
from plcfrs.grammar.selection import SORT_KEYS, RuleQuery
from plcfrs.web.answers.models import InspectionAnswer, RulesAnswer
from plcfrs.web.limits import RefusedError, Workers
from plcfrs.web.rules import find_rules
from plcfrs.web.store import NamedModel, Store

_PAGE = 50


def add_grammars(router: APIRouter, store: Store, workers: Workers) -> None:
    """Add the routes to a router."""

    @router.get("/rules")
    async def rules(
        request: Request,
        model: Annotated[str | None, Query(description="By default, the first one.")] = None,
        lhs: Annotated[str, Query(description="The left-hand side: VP_2, or VP*.")] = "",
        rhs: Annotated[str, Query(description="Symbols that must be among the children.")] = "",
        fan_out: Annotated[int | None, Query(ge=1, description="Of the left-hand side.")] = None,
        text: Annotated[str, Query(description="A part of the rule as written.")] = "",
        sort: Annotated[str, Query(description=", ".join(SORT_KEYS))] = "count",
        offset: Annotated[int, Query(ge=0)] = 0,
        limit: Annotated[int, Query(ge=1, le=500)] = _PAGE,
    ) -> RulesAnswer:
        """Search the rules of a grammar."""
        query = RuleQuery(lhs.strip() or None, tuple(rhs.split()), fan_out)
        job = partial(find_rules, _grammar(store.model(model)), query, text, sort, offset, limit)
        return await workers.run(job, request.is_disconnected)

    @router.get("/inspection")
    async def inspection(
        request: Request,
        model: Annotated[str | None, Query(description="By default, the first one.")] = None,
        symbol: Annotated[str, Query(description="A symbol whose substates are shown.")] = "",
    ) -> InspectionAnswer:
        """Say what a model consists of: substates, transitions, relations, weights."""
        job = partial(_inspect, store.model(model), symbol.strip())
        return await workers.run(job, request.is_disconnected)


def _grammar(named: NamedModel) -> Grammar:
    if named.grammar is None:
        raise RefusedError(400, f"{named.name} is {named.family.title}: it has no rules")
    return named.grammar


def _inspect(named: NamedModel, symbol: str) -> InspectionAnswer:
    shown = named.inspect()
    if symbol and shown.symbol is None:
        raise RefusedError(400, f"{named.name} is {named.family.title}: it has no substates")
    text = "\n\n".join(shown.symbol(symbol)) if symbol and shown.symbol else "\n".join(shown.lines)
    return InspectionAnswer(lines=text.splitlines(), substates=shown.symbol is not None)
