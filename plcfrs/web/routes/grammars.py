"""Routes that show what a model consists of: rules, their sentences, differences, the rest."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import PlainTextResponse

from plcfrs.grammar import Grammar
from plcfrs.grammar.dump import dump
from plcfrs.grammar.report import overview_lines
from plcfrs.grammar.selection import SORT_KEYS, ListedRule, RuleQuery
from plcfrs.web.answers.grammars import ChangesAnswer, InspectionAnswer, RulesAnswer, UsesAnswer
from plcfrs.web.limits import RefusedError, Workers
from plcfrs.web.rules import Change, describe_changes, describe_rules, found_rules
from plcfrs.web.store import NamedModel, Store
from plcfrs.web.uses import find_uses

_PAGE = 50
Model = Annotated[str | None, Query(description="By default, the first one.")]
Offset = Annotated[int, Query(ge=0)]
Limit = Annotated[int, Query(ge=1, le=500)]


@dataclass
class Search:
    """A search for rules, as the parameters of a request."""

    model: Model = None
    lhs: Annotated[str, Query(description="The left-hand side: VP_2, or VP*.")] = ""
    rhs: Annotated[str, Query(description="Symbols that must be among the children.")] = ""
    fan_out: Annotated[int | None, Query(ge=1, description="Of the left-hand side.")] = None
    text: Annotated[str, Query(description="A part of the rule as written.")] = ""
    sort: Annotated[str, Query(description=", ".join(SORT_KEYS))] = "count"
    restored: Annotated[bool, Query(description="Whether rules are shown before binarization.")] = (
        False
    )

    def rules(self, store: Store) -> tuple[Grammar, list[ListedRule]]:
        """Return the grammar and the rules that are found in it."""
        grammar = store.model(self.model).rules(restored=self.restored)
        query = RuleQuery(self.lhs.strip() or None, tuple(self.rhs.split()), self.fan_out)
        return grammar, found_rules(grammar, query, self.text, self.sort)


def add_grammars(router: APIRouter, store: Store, workers: Workers) -> None:
    """Add the routes to a router."""

    @router.get("/rules")
    async def rules(
        request: Request,
        search: Annotated[Search, Depends()],
        offset: Offset = 0,
        limit: Limit = _PAGE,
    ) -> RulesAnswer:
        """Search the rules of a grammar."""

        def job() -> RulesAnswer:
            _, found = search.rules(store)
            return describe_rules(found, offset, limit)

        return await workers.run(job, request.is_disconnected)

    @router.get("/rules.yaml", response_class=PlainTextResponse)
    async def file(request: Request, search: Annotated[Search, Depends()]) -> PlainTextResponse:
        """Give all rules that are found as YAML, as plcfrs inspect -o writes it."""
        text = await workers.run(lambda: dump(*search.rules(store)), request.is_disconnected)
        name = 'attachment; filename="rules.yaml"'
        return PlainTextResponse(text, headers={"Content-Disposition": name})

    @router.get("/rules/uses")
    async def uses(
        request: Request,
        rule: Annotated[str, Query(description="In the notation of grammar files.")],
        treebank: str,
        model: Model = None,
        offset: Offset = 0,
        limit: Limit = _PAGE,
    ) -> UsesAnswer:
        """List the constituents of a treebank from which a rule is extracted."""

        def job() -> UsesAnswer:
            return find_uses(store.model(model), rule, store.treebank(treebank), offset, limit)

        return await workers.run(job, request.is_disconnected)

    @router.get("/rules/changes")
    async def changes(
        request: Request,
        other: Annotated[str, Query(description="The model before the changes.")],
        model: Model = None,
        kind: Annotated[Change, Query(description="Which changes are listed.")] = "changed",
        sort: Annotated[
            Literal["prob", "count"],
            Query(description="By the change, or by it times the count of the left-hand side."),
        ] = "prob",
        offset: Offset = 0,
        limit: Limit = _PAGE,
    ) -> ChangesAnswer:
        """Compare the rules of two grammars before binarization, as plcfrs inspect --diff."""

        def job() -> ChangesAnswer:
            before, after = store.model(other), store.model(model)
            return describe_changes(before, after, kind, sort, offset, limit)

        return await workers.run(job, request.is_disconnected)

    @router.get("/inspection")
    async def inspection(
        request: Request,
        model: Model = None,
        symbol: Annotated[str, Query(description="A symbol whose substates are shown.")] = "",
    ) -> InspectionAnswer:
        """Say what a model consists of: figures, substates, transitions, relations, weights."""
        job = partial(_inspect, store.model(model), symbol.strip())
        return await workers.run(job, request.is_disconnected)


def _inspect(named: NamedModel, symbol: str) -> InspectionAnswer:
    shown = named.inspect()
    if symbol and shown.symbol is None:
        raise RefusedError(400, f"{named.name} is {named.family.title}: it has no substates")
    if symbol and shown.symbol:
        text = "\n\n".join(shown.symbol(symbol))
    else:
        overview = []
        if shown.grammar is not None:
            overview = overview_lines(named.name, named.rules(), named.rules(restored=True))
        text = "\n".join([*overview, *shown.lines])
    return InspectionAnswer(lines=text.splitlines(), substates=shown.symbol is not None)
