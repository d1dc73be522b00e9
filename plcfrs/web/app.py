"""The application: the page, its scripts, and version 1 of the JSON API."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from typing import Any

from fastapi import FastAPI
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from plcfrs.errors import GrammarError
from plcfrs.parsing.sentence import Sentence
from plcfrs.web import (
    drawing,
    evaluation,
    grammars,
    parsing,
    queries,
    surprisal,
    teaching,
    treebanks,
)
from plcfrs.web.guard import LOCAL_NAMES, Guard, add_refusals
from plcfrs.web.limits import Workers
from plcfrs.web.server import PageFiles
from plcfrs.web.store import Store

_DESCRIPTION = (
    "Parse sentences with the models of this server, search their grammars, and browse treebanks. "
    'Every error is {"error": {"status": ..., "message": ...}}.'
)
_MEANINGS = {
    400: "Input that cannot be used; the message says why.",
    404: "There is no model or treebank of that name.",
    413: "Too long, or too large.",
    422: "A value of the wrong type.",
    429: "Too many requests are waiting.",
    503: "It took too long, or the server is busy.",
}
_TOPICS = (parsing, drawing, grammars, treebanks, queries, teaching, surprisal, evaluation)


class Refusal(BaseModel):
    """Why a request was refused."""

    status: int
    message: str


class ErrorAnswer(BaseModel):
    """An error."""

    error: Refusal


def create_app(store: Store, hosts: Collection[str] | None = LOCAL_NAMES) -> ASGIApp:
    """Return the application.

    Parameters
    ----------
    store : Store
    hosts : collection of str, optional
        The host names that requests may use, without ports; None for any.
    """
    from plcfrs import __version__

    page_files = PageFiles()
    app = FastAPI(
        title="plcfrs", version=__version__, description=_DESCRIPTION, docs_url=None, redoc_url=None
    )
    add_refusals(app)
    app.state.store, app.state.workers = store, Workers(store.limits)
    app.state.models = parsing.describe_models(store)  # once: large grammars take a while
    errors: dict[int | str, dict[str, Any]] = {
        status: {"model": ErrorAnswer, "description": meaning}
        for status, meaning in _MEANINGS.items()
    }
    for topic in _TOPICS:
        app.include_router(topic.api, prefix="/api/v1", responses=errors)

    async def page(request: Request) -> Response:
        return page_files.give("index.html", request)

    async def documentation(request: Request) -> Response:
        return page_files.give("api.html", request)

    async def static(request: Request) -> Response:
        return page_files.give(request.path_params["path"], request)

    app.add_route("/", page)
    app.add_route("/api", documentation)
    app.add_route("/static/{path:path}", static)
    return Guard(app, hosts, store.limits.max_bytes)


def warm_up(store: Store) -> None:
    """Parse a short sentence with each model in all ways, so that no kernel is loaded later."""
    for named in store.models.values():
        sentence = Sentence.of([(tag, tag) for tag in named.short_sentence()])
        objectives = named.model.objectives or (None,)
        ways = [(objective, 1) for objective in objectives]
        if named.family.can("nbest"):
            ways.append((objectives[0], 2))
        for objective, nbest in ways:
            wanted = parsing.ParseRequest(
                text="",
                tagged=True,
                objective=objective,
                nbest=nbest,
                posteriors=named.family.can("sums"),
            )
            parsing.parse_as_wanted(named, sentence, wanted).model_dump_json()
        if named.family.can("surprisal"):
            with suppress(GrammarError):  # a request for surprisal gets the error
                surprisal.read_words(
                    named, sentence, surprisal.SurprisalRequest(text="", analyses=1)
                )
