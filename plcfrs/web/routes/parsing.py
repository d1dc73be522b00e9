"""Routes that parse sentences, and draw their trees."""

from __future__ import annotations

from functools import partial
from time import perf_counter
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from plcfrs.errors import TreebankError
from plcfrs.grammar.positions import Want, parse_want
from plcfrs.pipeline.parse import Wanted
from plcfrs.pipeline.sentence import Sentence
from plcfrs.tagging.spelling import Spelling
from plcfrs.treebank import FORMATS, Chunk
from plcfrs.trees import Tree
from plcfrs.web.answers.evaluation import CompareAnswer, CompareRequest
from plcfrs.web.answers.models import Limit, Models
from plcfrs.web.answers.parses import (
    ExampleAnswer,
    ParseAnswer,
    ParseRequest,
    SentenceRequest,
    WantAnswer,
    WantRequest,
)
from plcfrs.web.answers.trees import DrawAnswer, DrawRequest, FileRequest
from plcfrs.web.comparing import compare_trees
from plcfrs.web.examples import find_examples
from plcfrs.web.limits import Limits, RefusedError, Workers
from plcfrs.web.presentation import describe_model, describe_parses, draw_file, redraw
from plcfrs.web.store import NamedModel, Store

_MEDIA = {
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
    "png": "image/png",
    "tikz": "application/x-tex",
    "discbracket": "text/plain",
    "export": "text/plain",
    "conllu": "text/plain",
}

_PER_TOKEN = 20  # constituents and tags of a tree


def add_parsing(router: APIRouter, store: Store, workers: Workers) -> None:
    """Add the routes to a router."""
    described = Models(  # once: large grammars take a while
        models=list(map(describe_model, store.models.values())),
        limits=Limit.model_validate(store.limits, from_attributes=True),
    )

    @router.get("/models")
    async def models() -> Models:
        """List the models, and the limits of requests."""
        return described

    @router.get("/examples")
    async def examples(
        request: Request,
        model: Annotated[str | None, Query(description="By default, the first one.")] = None,
    ) -> list[ExampleAnswer]:
        """List a few sentences that a model knows: of the treebanks, or of the demo."""
        job = partial(find_examples, store.model(model).model, list(store.treebanks.values()))
        return await workers.run(job, request.is_disconnected)

    @router.post("/parse")
    async def parse(wanted: ParseRequest, request: Request) -> ParseAnswer:
        """Parse a sentence."""
        named = store.model(wanted.model)
        if wanted.nbest > store.limits.nbest:
            raise RefusedError(400, f"nbest: the limit is {store.limits.nbest} parses")
        sentence = Sentence.of(sentence_of(wanted, named, store.limits))
        job = partial(parse_as_wanted, named, sentence, wanted)
        return await workers.run(job, request.is_disconnected)


def add_wants(router: APIRouter, store: Store, workers: Workers) -> None:
    """Add the route to a router."""

    @router.post("/want")
    async def want(wanted: WantRequest, request: Request) -> WantAnswer:
        """Say why the best parse does not have a constituent, or what parses with it cost."""
        named = store.model(wanted.model)
        if not named.family.can("wants"):
            raise RefusedError(
                400,
                f"{named.name} is {named.family.title}: it cannot compare its parse with others",
            )
        sentence = Sentence.of(sentence_of(wanted, named, store.limits))
        job = partial(_explain, named, sentence, parse_want(wanted.want))
        return await workers.run(job, request.is_disconnected)


def _explain(named: NamedModel, sentence: Sentence, want: Want) -> WantAnswer:
    """Return what is said of a constituent, after the derivation of the best parse."""
    without = named.model.explain(sentence).lines()
    lines = named.model.explain(sentence, [want]).lines()
    return WantAnswer(lines=[line for line in lines[len(without) :] if line])


def add_drawing(router: APIRouter, store: Store, workers: Workers) -> None:
    """Add the routes to a router."""

    @router.post("/draw")
    async def draw(wanted: DrawRequest, request: Request) -> DrawAnswer:
        """Draw a tree again, with other constituents collapsed or more space."""
        _check_size(store.limits, wanted.discbracket)
        return await workers.run(partial(redraw, wanted), request.is_disconnected)

    @router.post("/draw/file", response_class=Response)
    async def file(wanted: FileRequest, request: Request) -> Response:
        """Give a tree, or its picture as it is shown, as a file."""
        _check_size(store.limits, wanted.discbracket)
        content = await workers.run(partial(draw_file, wanted), request.is_disconnected)
        return Response(content, media_type=_MEDIA[wanted.format])

    @router.post("/compare")
    async def compare(wanted: CompareRequest, request: Request) -> CompareAnswer:
        """Compare two trees of a sentence, such as the parses by two models."""
        _check_size(store.limits, wanted.first, wanted.second)
        return await workers.run(partial(compare_trees, wanted), request.is_disconnected)


def _check_size(limits: Limits, *trees: str) -> None:
    for tree in trees:
        brackets = tree.count("(")
        if len(tree) > 10 * limits.max_characters or brackets > _PER_TOKEN * limits.max_length:
            raise RefusedError(413, "the tree is too large")


def sentence_of(wanted: SentenceRequest, named: NamedModel, limits: Limits) -> Tree:
    """Return the sentence of a request, for a model.

    Raises
    ------
    RefusedError
        If there is none, or it is too long.
    """
    if len(wanted.text) > limits.max_characters:
        raise RefusedError(
            413, f"the sentence is too long: the limit is {limits.max_characters} characters"
        )
    if wanted.tagged and wanted.tokenize:
        raise RefusedError(400, "tokenize is for words without tags: leave tagged out")
    form = FORMATS["tagged" if wanted.tagged else "text" if wanted.tokenize else "tokens"]
    text = " ".join(wanted.text.split())
    try:
        tree = form.parse(Chunk("the sentence", 1, text, 1))
    except TreebankError as error:
        raise RefusedError(400, str(error).replace("the sentence:1:", "the sentence:")) from None
    if not tree.tokens:
        raise RefusedError(400, "there is no sentence: type one, with blanks between its words")
    if len(tree.tokens) > limits.max_length:
        raise RefusedError(
            413,
            f"the sentence has {len(tree.tokens)} words: the limit is {limits.max_length}",
        )
    return Spelling(named.model.words).respell(tree) if wanted.tokenize else tree


def parse_as_wanted(named: NamedModel, sentence: Sentence, wanted: ParseRequest) -> ParseAnswer:
    """Parse a sentence with the choices of a request.

    Raises
    ------
    RefusedError
        If the model does not have one of them.
    """
    asked = {"strategy": wanted.strategy, "fallback": wanted.fallback}
    options = {name: value for name, value in asked.items() if value is not None}
    for name, value in options.items():
        if value not in named.choices.get(name, ()):
            known = ", ".join(named.choices.get(name, ())) or f"none: it is {named.family.title}"
            raise RefusedError(400, f"{name} {value}: expected one of {known}")
    parser = named.parser(**options)
    start = perf_counter()
    nbest = wanted.nbest if wanted.nbest > 1 else None
    if nbest and wanted.objective not in (None, *parser.objectives[:1]):
        raise RefusedError(400, "nbest lists the best trees: leave the objective out")
    asked_for = Wanted(wanted.objective, nbest, explained=True, posteriors=wanted.posteriors)
    (parses,) = parser.parse_together([sentence], asked_for)
    return describe_parses(named, parses, perf_counter() - start)
