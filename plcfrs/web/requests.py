"""What the routes share: the store, a thread for each job, and the sentence of a request."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from functools import partial, wraps
from inspect import Parameter, signature
from typing import Annotated, TypeVar

from fastapi import Depends, Query, Request
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel, Field

from plcfrs.errors import TreebankError
from plcfrs.parsing.sentence import Sentence
from plcfrs.treebank import FORMATS, Chunk
from plcfrs.treebank.registry import parse_running_text
from plcfrs.trees import Tree
from plcfrs.web.limits import SENTENCE, Limits, RefusedError, Workers
from plcfrs.web.store import NamedModel, Store

Answer = TypeVar("Answer")

PAGE = 50
"""Rows of a table that are given at once."""
ModelName = Annotated[str | None, Query(description="By default, the first one.")]
Offset = Annotated[int, Query(ge=0)]
PageSize = Annotated[int, Query(ge=1, le=500)]
Transform = Annotated[
    bool, Field(description="Whether to turn traces into crossing branches first.")
]


class SentenceRequest(BaseModel):
    """A sentence, and the model that reads it."""

    text: str = Field(description="Tokens between blanks; word/TAG if tagged.")
    tagged: bool = Field(
        default=False, description="Whether the text has tags, which the parser then uses."
    )
    tokenize: bool = Field(
        default=False,
        description="Whether the text is running text, to split into words as with plcfrs parse "
        "--tokenize; the tokens are in the tree, with their places in the text.",
    )
    model: str | None = Field(
        default=None, description="The name of the model, by default the first one."
    )


async def _store_of(request: Request) -> Store:
    store: Store = request.app.state.store
    return store


ServerStore = Annotated[Store, Depends(_store_of)]
"""The models and treebanks of the server, for a route."""


def threaded(job: Callable[..., Answer], times: int = 1) -> Callable[..., Awaitable[Answer]]:
    """Return the route that runs a function in a thread, as long as its client waits.

    It may take some `times` as long as a search.
    """

    @wraps(job)
    async def route(request: Request, **parameters: object) -> Answer:
        workers: Workers = request.app.state.workers
        return await workers.run(partial(job, **parameters), request.is_disconnected, times)

    given = signature(job, eval_str=True)
    own = Parameter("request", Parameter.KEYWORD_ONLY, annotation=Request)
    parameters = [*given.parameters.values(), own]
    route.__signature__ = given.replace(parameters=parameters)  # type: ignore[attr-defined]
    return route


parsing = partial(threaded, times=SENTENCE)
"""Return the route that runs a function that parses."""


def check_text(wanted: SentenceRequest, text: str, limits: Limits) -> None:
    """Raise if a sentence of a request is too long, or cannot be read as it asks."""
    if len(text) > limits.max_characters:
        raise RefusedError(
            413, f"the sentence is too long: the limit is {limits.max_characters} characters"
        )
    if wanted.tagged and wanted.tokenize:
        raise RefusedError(400, "tokenize is for words without tags: leave out tagged")


def sentence_of(wanted: SentenceRequest, named: NamedModel, limits: Limits) -> Sentence:
    """Return the sentence of a request, for a model."""
    check_text(wanted, wanted.text, limits)
    chunk = Chunk("the sentence", 1, wanted.text, 1)
    try:
        if wanted.tokenize:
            tree = parse_running_text(chunk, named.model.splitter)
        else:
            on_a_line = chunk._replace(text=" ".join(wanted.text.split()))
            tree = FORMATS["tagged" if wanted.tagged else "tokens"].parse(on_a_line)
    except TreebankError as error:
        raise RefusedError(400, str(error).replace("the sentence:1:", "the sentence:")) from None
    return checked(tree, limits)


def checked(tree: Tree, limits: Limits) -> Sentence:
    """Return the sentence of a tree, unless it has too many words or none."""
    if not tree.tokens:
        raise RefusedError(400, "there is no sentence: type one, with blanks between words")
    if len(tree.tokens) > limits.max_length:
        raise RefusedError(
            413, f"the sentence has {len(tree.tokens)} words: the limit is {limits.max_length}"
        )
    return Sentence.of(tree)


def tabbed(*rows: Iterable[str]) -> PlainTextResponse:
    """Return rows as a table with tabs."""
    return PlainTextResponse("".join("\t".join(row) + "\n" for row in rows))
