"""Routes for scores and errors of parses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request

from plcfrs.evaluation import ERROR_TYPES
from plcfrs.web.answers.evaluation import PairAnswer, ParsesAnswer, ParsesRequest, ReportAnswer
from plcfrs.web.evaluation import KEYS, Comparison, describe_pair, describe_report, report_of
from plcfrs.web.limits import RefusedError, Workers
from plcfrs.web.parses import Parses, parses_of
from plcfrs.web.store import Store

_PAGE = 50


@dataclass
class Compare:
    """Gold trees and parses, as the parameters of a request."""

    gold: Annotated[str, Query(description="The treebank with the gold trees.")]
    parses: Annotated[
        str | None, Query(description="The treebank with the parses; else those by a model.")
    ] = None
    model: Annotated[str | None, Query(description="By default, the first one.")] = None
    own_tags: Annotated[bool, Query(description="As in POST /parses.")] = False
    first: Annotated[
        int, Query(ge=1, description="How many sentences, parsed before with POST /parses.")
    ] = 1
    transform: Annotated[
        bool, Query(description="Whether to turn traces of the gold trees into crossing branches.")
    ] = False
    settings: Annotated[str, Query(description="What counts, as for plcfrs eval: field, all.")] = (
        "field"
    )

    def comparison(self, store: Store) -> Comparison:
        """Return what is compared.

        Raises
        ------
        RefusedError
            If there is no such treebank or model, or not all sentences are parsed.
        """
        gold = store.treebank(self.gold)
        if self.parses is not None:
            parses = store.treebank(self.parses)
            return Comparison(gold, parses, self.transform, self.settings)
        found = parses_of(store.model(self.model), gold, self.transform, self.own_tags)
        if len(found.trees) < self.first:
            raise RefusedError(
                400,
                f"{len(found.trees)} sentences are parsed, not {self.first}: "
                "parse more with POST /api/v1/parses",
            )
        return Comparison(gold, found, self.transform, self.settings, self.first)


def add_errors(router: APIRouter, store: Store, workers: Workers) -> None:
    """Add the routes to a router."""

    @router.post("/parses")
    async def parses(wanted: ParsesRequest, request: Request) -> ParsesAnswer:
        """Parse the first sentences of a treebank, for a second: ask again for the rest."""
        found = _parses(store, wanted)

        def job() -> ParsesAnswer:
            total = found.go_on(wanted.first)
            return ParsesAnswer(parsed=min(len(found.trees), total), total=total)

        return await workers.run(job, request.is_disconnected)

    @router.get("/errors")
    async def errors(
        request: Request,
        compare: Annotated[Compare, Depends()],
        kind: Annotated[
            str | None,
            Query(description=f"Only sentences with such errors: {', '.join(ERROR_TYPES)}."),
        ] = None,
        sort: Annotated[str, Query(description=f"Worst first by {', '.join(KEYS)}.")] = "wrong",
        offset: Annotated[int, Query(ge=0)] = 0,
        limit: Annotated[int, Query(ge=1, le=500)] = _PAGE,
    ) -> ReportAnswer:
        """Score parses, count kinds of errors, and list the sentences, the worst first."""

        def job() -> ReportAnswer:
            report = report_of(compare.comparison(store))
            return describe_report(report, kind, sort, offset, limit)

        return await workers.run(job, request.is_disconnected)

    @router.get("/errors/sentence")
    async def sentence(
        request: Request,
        compare: Annotated[Compare, Depends()],
        number: Annotated[int, Query(description="Of the sentence, from 1.")],
    ) -> PairAnswer:
        """Show a gold tree and its parse, their differences marked."""

        def job() -> PairAnswer:
            report = report_of(compare.comparison(store))
            return describe_pair(report, number, compare.settings)

        return await workers.run(job, request.is_disconnected)


def _parses(store: Store, wanted: ParsesRequest) -> Parses:
    treebank = store.treebank(wanted.treebank)
    return parses_of(store.model(wanted.model), treebank, wanted.transform, wanted.own_tags)
