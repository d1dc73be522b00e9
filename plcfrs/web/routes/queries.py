"""Routes for the language of queries."""

from __future__ import annotations

from fastapi import APIRouter

from plcfrs.query.help import SECTIONS
from plcfrs.web.answers.queries import HelpEntry, HelpSection
from plcfrs.web.limits import Workers
from plcfrs.web.store import Store


def add_queries(router: APIRouter, store: Store, workers: Workers) -> None:  # noqa: ARG001
    """Add the route to a router."""

    @router.get("/queries")
    async def queries() -> list[HelpSection]:
        """List what can be written in queries, with an example for each."""
        return [
            HelpSection(
                title=section.title,
                about=section.about,
                entries=[
                    HelpEntry(
                        written=[written for written in (entry.written, entry.also) if written],
                        meaning=entry.meaning,
                        example=entry.example,
                    )
                    for entry in section.entries
                ],
            )
            for section in SECTIONS
        ]
