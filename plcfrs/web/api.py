"""The JSON API, version 1."""

from __future__ import annotations

from functools import partial
from time import perf_counter
from typing import Annotated, Any

from fastapi import APIRouter, Body, Query, Request
from fastapi.responses import PlainTextResponse

from plcfrs.errors import TreebankError
from plcfrs.grammar import Grammar
from plcfrs.grammar.selection import SORT_KEYS, RuleQuery
from plcfrs.pipeline.sentence import Sentence
from plcfrs.tagging.spelling import Spelling
from plcfrs.treebank import FORMATS, Chunk
from plcfrs.treebank.registry import WRITABLE, format_named
from plcfrs.trees import Tree
from plcfrs.web.answers import (
    CountAnswer,
    DrawAnswer,
    DrawRequest,
    ErrorAnswer,
    ExampleAnswer,
    FoundTree,
    HitsAnswer,
    InspectionAnswer,
    Limit,
    Models,
    ParseAnswer,
    ParseRequest,
    RulesAnswer,
    TreebankAnswer,
    TreesAnswer,
)
from plcfrs.web.examples import find_examples
from plcfrs.web.hits import (
    KEYS,
    Hit,
    count_hits,
    describe_hit,
    hits_of,
    sort_hits,
    tab_separated,
)
from plcfrs.web.limits import Limits, RefusedError, Workers
from plcfrs.web.presentation import (
    describe_model,
    describe_parses,
    describe_tree,
    redraw,
    render_file,
)
from plcfrs.web.rules import find_rules
from plcfrs.web.store import NamedModel, Store

_PAGE = 50
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


def create_api(store: Store) -> APIRouter:
    """Return the routes of the API.

    Parameters
    ----------
    store : Store
    """
    router = APIRouter(prefix="/api/v1", responses=_ERRORS)
    _add_parsing(router, store, workers := Workers(store.limits))
    _add_drawing(router, store, workers)
    _add_grammars(router, store, workers)
    _add_treebanks(router, store, workers)
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
            wanted = ParseRequest(text="", tagged=True, objective=objective, nbest=nbest)
            _parse(named, sentence, wanted).model_dump_json()


def _add_parsing(router: APIRouter, store: Store, workers: Workers) -> None:
    @router.get("/models")
    async def models() -> Models:
        """List the models, and the limits of requests."""
        return Models(
            models=list(map(describe_model, store.models.values())),
            limits=Limit.model_validate(store.limits, from_attributes=True),
        )

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
        tree = _tree(wanted, store.limits)
        if wanted.tokenize:
            tree = Spelling(named.model.words).respell(tree)
        sentence = Sentence.of(tree)
        job = partial(_parse, named, sentence, wanted)
        return await workers.run(job, request.is_disconnected)


def _add_drawing(router: APIRouter, store: Store, workers: Workers) -> None:
    @router.post("/draw")
    async def draw(wanted: DrawRequest, request: Request) -> DrawAnswer:
        """Draw a tree again, with other constituents collapsed or more space."""
        if len(wanted.discbracket) > 10 * store.limits.max_characters:
            raise RefusedError(413, "the tree is too large")
        return await workers.run(partial(redraw, wanted), request.is_disconnected)


def _add_grammars(router: APIRouter, store: Store, workers: Workers) -> None:
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


def _inspect(named: NamedModel, symbol: str) -> InspectionAnswer:
    shown = named.inspect()
    if symbol and shown.symbol is None:
        raise RefusedError(400, f"{named.name} is {named.family.title}: it has no substates")
    text = "\n\n".join(shown.symbol(symbol)) if symbol and shown.symbol else "\n".join(shown.lines)
    return InspectionAnswer(lines=text.splitlines(), substates=shown.symbol is not None)


def _add_treebanks(router: APIRouter, store: Store, workers: Workers) -> None:
    @router.get("/treebanks")
    async def treebanks() -> list[TreebankAnswer]:
        """List the treebanks: those given when the server was started, and uploaded ones."""
        return [TreebankAnswer(name=name) for name in list(store.treebanks)]

    @router.post("/treebanks", status_code=201)
    async def upload(
        request: Request,
        name: Annotated[
            str, Query(description="The name of the file; its extension tells the format.")
        ],
        content: Annotated[bytes, Body(media_type="application/octet-stream")] = b"",
    ) -> TreebankAnswer:
        """Upload a treebank: the body is the file."""
        job = partial(store.upload, name, content)
        treebank = await workers.run(job, request.is_disconnected)
        return TreebankAnswer(name=treebank.name)

    _add_hits(router, store, workers)

    @router.get("/trees")
    async def trees(
        request: Request,
        treebank: str,
        query: Annotated[
            str, Query(max_length=1000, description="As for plcfrs find; all trees without one.")
        ] = "",
        transform: Annotated[
            bool, Query(description="Whether to turn traces into crossing branches first.")
        ] = False,
        offset: Annotated[int, Query(ge=0)] = 0,
        limit: Annotated[int, Query(ge=1, le=_PAGE)] = 1,
    ) -> TreesAnswer:
        """Page through the trees of a treebank, or through those that match a query."""
        job = partial(_trees, store, treebank, query, transform, offset, limit)
        return await workers.run(job, request.is_disconnected)

    @router.get("/trees/file", response_class=PlainTextResponse)
    async def file(
        request: Request,
        treebank: str,
        query: Annotated[str, Query(max_length=1000, description="As for /trees.")] = "",
        transform: bool = False,
        format: Annotated[str, Query(description=", ".join(WRITABLE))] = "discbracket",
    ) -> PlainTextResponse:
        """Give all trees of a treebank, or all that match a query, as a file."""
        form = format_named(format)

        def job() -> str:
            found = store.treebank(treebank).search(query, transformed=transform)
            return render_file((tree for tree, _ in found), form)

        text = await workers.run(job, request.is_disconnected)
        name = f'attachment; filename="trees{form.extensions[0]}"'
        return PlainTextResponse(text, headers={"Content-Disposition": name})


def _grammar(named: NamedModel) -> Grammar:
    if named.grammar is None:
        raise RefusedError(400, f"{named.name} is {named.family.title}: it has no rules")
    return named.grammar


def _tree(wanted: ParseRequest, limits: Limits) -> Tree:
    """Return the sentence of a request, unless it is too long."""
    if len(wanted.text) > limits.max_characters:
        raise RefusedError(
            413, f"the sentence is too long: the limit is {limits.max_characters} characters"
        )
    if wanted.nbest > limits.nbest:
        raise RefusedError(400, f"nbest: the limit is {limits.nbest} parses")
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
    return tree


def _add_hits(router: APIRouter, store: Store, workers: Workers) -> None:
    def all_hits(treebank: str, query: str, transform: bool) -> list[Hit]:
        return list(hits_of(store.treebank(treebank).search(query, transformed=transform)))

    @router.get("/hits")
    async def hits(
        request: Request,
        treebank: str,
        query: Annotated[str, Query(max_length=1000, description="As for plcfrs find.")],
        transform: bool = False,
        sort: Annotated[str, Query(description=f"{', '.join(KEYS)}; else in order.")] = "",
        offset: Annotated[int, Query(ge=0)] = 0,
        limit: Annotated[int, Query(ge=1, le=500)] = _PAGE,
    ) -> HitsAnswer:
        """List the matches of a query, with their words in context."""

        def job() -> HitsAnswer:
            found = sort_hits(all_hits(treebank, query, transform), sort)
            page = found[offset : offset + limit]
            return HitsAnswer(total=len(found), hits=list(map(describe_hit, page)))

        return await workers.run(job, request.is_disconnected)

    @router.get("/counts")
    async def counts(
        request: Request,
        treebank: str,
        query: Annotated[str, Query(max_length=1000, description="As for plcfrs find.")],
        by: Annotated[str, Query(description=", ".join(KEYS))],
        transform: bool = False,
    ) -> list[CountAnswer]:
        """Count the matches of a query, the most frequent kind first."""

        def job() -> list[CountAnswer]:
            return count_hits(all_hits(treebank, query, transform), by)

        return await workers.run(job, request.is_disconnected)

    @router.get("/hits.tsv", response_class=PlainTextResponse)
    async def table(
        request: Request,
        treebank: str,
        query: Annotated[str, Query(max_length=1000, description="As for plcfrs find.")],
        transform: bool = False,
    ) -> PlainTextResponse:
        """Give all matches of a query as a table with tabs."""

        def job() -> str:
            return tab_separated(all_hits(treebank, query, transform))

        return PlainTextResponse(await workers.run(job, request.is_disconnected))


def _parse(named: NamedModel, sentence: Sentence, wanted: ParseRequest) -> ParseAnswer:
    asked = {"strategy": wanted.strategy, "fallback": wanted.fallback}
    options = {name: value for name, value in asked.items() if value is not None}
    for name, value in options.items():
        if value not in named.choices.get(name, ()):
            known = ", ".join(named.choices.get(name, ())) or f"none: it is {named.family.title}"
            raise RefusedError(400, f"{name} {value}: expected one of {known}")
    parser = named.parser(**options)
    start = perf_counter()
    if wanted.nbest == 1:
        parses = [parser.parse(sentence, objective=wanted.objective, explained=True)]
    elif wanted.objective not in (None, *parser.objectives[:1]):
        raise RefusedError(400, "nbest lists the best trees: leave the objective out")
    else:
        parses = parser.parse_nbest(sentence, wanted.nbest, explained=True)
    return describe_parses(named, parses, perf_counter() - start)


def _trees(
    store: Store, treebank: str, query: str, transform: bool, offset: int, limit: int
) -> TreesAnswer:
    source = store.treebank(treebank)
    found = source.search(query, transformed=transform)
    return TreesAnswer(
        total=len(found),
        matches=sum(len(matches) for _, matches in found),
        message="" if found else _no_match(source.trees(transformed=transform)),
        trees=[
            FoundTree(number=number, matches=len(matches), tree=describe_tree(tree, matches))
            for number, (tree, matches) in enumerate(
                found[offset : offset + limit], start=offset + 1
            )
        ],
    )


def _no_match(trees: list[Tree]) -> str:
    if any(token.is_null for tree in trees for token in tree.tokens):
        return "No tree matches. The trees have traces: turn them into crossing branches."
    return "No tree matches."
