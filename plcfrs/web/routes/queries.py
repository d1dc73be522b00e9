"""Routes for the language of queries."""

from __future__ import annotations

from fastapi import APIRouter

from plcfrs.query.help import SECTIONS, Section
from plcfrs.query.hits import KEYS
from plcfrs.web.answers.queries import HelpAnswer, HelpEntry, HelpSection
from plcfrs.web.limits import Workers
from plcfrs.web.store import Store


def add_queries(router: APIRouter, store: Store, workers: Workers) -> None:  # noqa: ARG001
    """Add the route to a router."""

    @router.get("/queries")
    async def queries() -> HelpAnswer:
        """Explain the language of queries, and list by what hits are counted."""
        return HelpAnswer(sections=list(map(_describe, SECTIONS)), keys=list(KEYS))


def _describe(section: Section) -> HelpSection:
    entries = [
        HelpEntry(
            written=[written for written in (entry.written, entry.also) if written],
            meaning=entry.meaning,
            example=entry.example,
        )
        for entry in section.entries
    ]
    return HelpSection(title=section.title, about=section.about, entries=entries)
