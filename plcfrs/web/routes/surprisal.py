"""The route that says how surprising words are."""

from __future__ import annotations

from functools import partial

from fastapi import APIRouter, Request

from plcfrs.pipeline.sentence import Sentence
from plcfrs.web.answers.surprisal import SurprisalAnswer, SurprisalRequest
from plcfrs.web.limits import Limits, RefusedError, Workers
from plcfrs.web.routes.parsing import sentence_of
from plcfrs.web.store import Store
from plcfrs.web.surprisal import read_words

# Times the limit of parses: analyses in one answer.
_MOST = 10


def add_surprisal(router: APIRouter, store: Store, workers: Workers) -> None:
    """Add the route to a router."""

    @router.post("/surprisal")
    async def surprisal(wanted: SurprisalRequest, request: Request) -> SurprisalAnswer:
        """Say how surprising each word is, given the words before it."""
        named = store.model(wanted.model)
        if not named.family.can("surprisal"):
            raise RefusedError(
                400,
                f"{named.name} is {named.family.title}: surprisal is for grammars (plcfrs extract)",
            )
        sentence = Sentence.of(sentence_of(wanted, named, store.limits))
        _check_analyses(wanted, len(sentence.tokens), store.limits)
        job = partial(read_words, named, sentence, wanted)
        return await workers.run(job, request.is_disconnected)


def _check_analyses(wanted: SurprisalRequest, length: int, limits: Limits) -> None:
    """Refuse words that there are not, and too many analyses."""
    places = range(length) if wanted.at is None else wanted.at
    for place in places:
        if not 0 <= place < length:
            raise RefusedError(400, f"at: there is no word {place}, only 0 to {length - 1}")
    if wanted.analyses > limits.nbest:
        raise RefusedError(400, f"analyses: the limit is {limits.nbest} after a word")
    if wanted.analyses * len(set(places)) > _MOST * limits.nbest:
        raise RefusedError(
            400,
            f"analyses: the limit is {_MOST * limits.nbest} in an answer: ask for those after some "
            "words only (at)",
        )
