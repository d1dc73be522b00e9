"""The JSON API, version 1."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from fastapi import APIRouter

from plcfrs.errors import GrammarError
from plcfrs.pipeline.sentence import Sentence
from plcfrs.web.answers.errors import ErrorAnswer
from plcfrs.web.answers.parses import ParseRequest
from plcfrs.web.answers.surprisal import SurprisalRequest
from plcfrs.web.limits import Workers
from plcfrs.web.routes.errors import add_errors
from plcfrs.web.routes.grammars import add_grammars
from plcfrs.web.routes.hits import add_counts, add_hits
from plcfrs.web.routes.parsing import add_drawing, add_parsing, add_wants, parse_as_wanted
from plcfrs.web.routes.queries import add_queries
from plcfrs.web.routes.surprisal import add_surprisal
from plcfrs.web.routes.teaching import add_teaching
from plcfrs.web.routes.treebanks import add_treebanks
from plcfrs.web.store import Store
from plcfrs.web.surprisal import read_words

_MEANINGS = {
    400: "Input that cannot be used; the message says why.",
    404: "There is no model or treebank of that name.",
    413: "Too long, or too large.",
    422: "A value of the wrong type.",
    429: "Too many requests are waiting.",
    503: "It took too long, or the server is busy.",
}
_ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorAnswer, "description": meaning} for status, meaning in _MEANINGS.items()
}
_ROUTES = (
    add_parsing,
    add_wants,
    add_drawing,
    add_grammars,
    add_treebanks,
    add_queries,
    add_hits,
    add_counts,
    add_teaching,
    add_surprisal,
    add_errors,
)


def create_api(store: Store) -> APIRouter:
    """Return the routes of the API.

    Parameters
    ----------
    store : Store
    """
    router = APIRouter(prefix="/api/v1", responses=_ERRORS)
    workers = Workers(store.limits)
    for add in _ROUTES:
        add(router, store, workers)
    return router


def warm_up(store: Store) -> None:
    """Parse a short sentence with each model in all ways, so that no kernel is loaded later."""
    for named in store.models.values():
        sentence = Sentence.of([(tag, tag) for tag in named.short_sentence()])
        objectives = named.model.objectives or (None,)
        ways = [(objective, 1) for objective in objectives]
        if named.family.can("nbest"):
            ways.append((objectives[0], 2))
        for objective, nbest in ways:
            wanted = ParseRequest(
                text="",
                tagged=True,
                objective=objective,
                nbest=nbest,
                posteriors=named.family.can("sums"),
            )
            parse_as_wanted(named, sentence, wanted).model_dump_json()
        if named.family.can("surprisal"):
            with suppress(GrammarError):  # whoever asks for surprisal is told
                read_words(named, sentence, SurprisalRequest(text="", analyses=1))
