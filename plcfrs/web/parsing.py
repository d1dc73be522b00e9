"""Models, and the parses of a sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from functools import cache, lru_cache
from itertools import chain, islice
from math import isfinite
from operator import itemgetter
from typing import Annotated
from weakref import ref

from fastapi import APIRouter, Request
from pydantic import BaseModel, BeforeValidator, Field

from plcfrs.compiling import working_time
from plcfrs.drawing import draw_svg
from plcfrs.grammar.nonterminal import parse_want
from plcfrs.parsing.explanation import Explanation, Row
from plcfrs.parsing.parse import Parse, Task, describe_gap
from plcfrs.parsing.sentence import Sentence
from plcfrs.parsing.sentence_parser import SentenceParser
from plcfrs.transformation import transform_all
from plcfrs.treebank import read_trees
from plcfrs.treebank.files import DEMO
from plcfrs.trees import Tree
from plcfrs.trees.tree import fan_out, runs, span_of
from plcfrs.web.limits import RefusedError
from plcfrs.web.requests import ModelName, SentenceRequest, ServerStore, parsing, sentence_of
from plcfrs.web.serializers import Answer, Finite, TreeAnswer, describe_tree, finite
from plcfrs.web.store import NamedModel, Store, Treebank

_EXAMPLES = 6
_TRIED = 24  # sentences
_LENGTHS = range(3, 13)  # of examples

# Statuses as sentences; other statuses are shown unchanged.
_MESSAGES = {
    "parsed": "",
    "no parse": "The grammar has no parse of this sentence.",
    "out of items": "The search was stopped because it reached the limit of items.",
    "out of time": "The search was stopped because it reached the time limit.",
    "out of memory": "The search was stopped because it reached the limit of memory.",
    "unknown word": "The grammar does not know the word {reason}: give all words their tags, "
    "as in word/TAG.",
    "unknown tag": "The grammar does not have the tag {reason}.",
}

api = APIRouter()


class Limit(Answer):
    """The limits of a request."""

    max_length: int = Field(description="Tokens of a sentence.")
    max_characters: int = Field(description="Characters of a sentence, tags included.")
    max_seconds: Finite = Field(description="Wall time of a parse or a search; null for no limit.")
    max_memory: Finite = Field(description="Arrays of a search, in GiB; null for no limit.")
    max_items: Annotated[int | None, BeforeValidator(finite)] = Field(
        description="Items of a chart; null for no limit."
    )
    max_megabytes: int = Field(description="Size of an uploaded treebank.")
    nbest: int = Field(description="Number of parses.")


class ModelAnswer(Answer):
    """A model, and the choices that it offers."""

    name: str
    kind: str = Field(description="The family: grammar, refined, gap ...")
    title: str = Field(description="The family in words.")
    objectives: list[str] = Field(
        description="The objectives to choose from; the first is the default. Empty if there is no "
        "choice."
    )
    strategies: list[str] = Field(description="Orders of the search; empty if there is no choice.")
    fallbacks: list[str] = Field(
        description="What the tree of a sentence without a parse may have; empty if there is no "
        "choice."
    )
    capabilities: list[str] = Field(
        description="What the family can do: nbest, sums (over derivations), wants (comparing its "
        "parse with others), surprisal (of words), budget, resume."
    )
    rules: int | None = Field(description="Null without a grammar.")
    symbols: int | None = Field(description="Nonterminals, tags included; null without a grammar.")
    fan_out: int | None = Field(description="Null without a grammar.")
    words: int = Field(description="Number of known words.")
    tags: list[str]
    options: dict[str, str] = Field(description="How the model was made.")


class Models(Answer):
    """All models, and the limits of requests."""

    models: list[ModelAnswer]
    limits: Limit


class ParseRequest(SentenceRequest):
    """A sentence, and how to parse it."""

    strategy: str | None = Field(default=None, description="astar, by default, or knuth.")
    objective: str | None = Field(default=None, description="By default, the model's first one.")
    nbest: int = Field(default=1, ge=1, description="Number of parses, the best first.")
    posteriors: bool = Field(
        default=False,
        description="Whether to tell how probable each constituent is, if the model can (sums); "
        "the pictures then have them as shades.",
    )
    fallback: str | None = Field(
        default=None,
        description="The tree of a sentence without a parse: its words (none, by default), words "
        "with their tags (flat), or the most probable sequence of constituents (partial).",
    )


class Step(Answer):
    """A rule in a derivation, or a word with its tag; or a transition; or a dependency."""

    rule: str = Field(description="In the notation of grammar files; a tag for a word.")
    clause: str = Field(description="In the notation of the papers; a tag for a word.")
    score: float = Field(
        description="ln p of a rule, the logarithm of the posterior of a constituent, or the share "
        "of a transition or of a dependency in the score of the parse."
    )
    tokens: list[int] = Field(
        description="Positions of the tokens that it spans, of the top of the stack, of the focus, "
        "or of a word and its head."
    )
    words: str = Field(description="These tokens, with dots for gaps.")
    nodes: list[int] = Field(
        description="The constituents of the tree that it makes, as in data-node."
    )
    details: dict[str, str] = Field(
        description="What else there is to say, by name: the stack and the buffer after a "
        "transition, the next best head, the posterior."
    )


class RankedParse(Answer):
    """One of the best parses."""

    rank: int
    score: Finite = Field(description="Higher is better; null without a parse.")
    meaning: str = Field(description="The meaning of the score, such as log probability.")
    probability: float | None = Field(
        description="Of the derivation; null if the score is not a log probability."
    )
    gap: Finite = Field(
        description="How much higher the score of a better parse may be, if the search was "
        "stopped; 0 if this one is proven to be the best. Null if nothing is known, see message."
    )
    gap_degree: int
    tree: TreeAnswer
    derivation: list[Step]
    step: str = Field(description="What a step is: rule, constituent, transition, dependency.")
    measure: str = Field(description="What the score of a step is: ln p, ln posterior, score.")
    arcs: str | None = Field(
        description="The picture of the dependencies that became the tree, if there are any; "
        "data-token marks a word with the arc above it."
    )
    posteriors: list[float] | None = Field(
        description="How probable each constituent is, in the order of the labels of the tree; "
        "null if not asked for, empty if nothing is known."
    )


class WantRequest(SentenceRequest):
    """A sentence, and a constituent that its parse was expected to have."""

    want: str = Field(
        max_length=1000,
        description="Its category or symbol, and its tokens, counted from 0: NP 0-1, VP_2 0,3-4.",
    )


class WantAnswer(BaseModel):
    """Why the best parse does not have a constituent."""

    lines: list[str] = Field(description="As plcfrs explain --want prints them.")


class ParseAnswer(Answer):
    """The result of parsing a sentence."""

    model: str
    status: str = Field(description="parsed, no parse, unknown word, out of time ...")
    fallback: str = Field(description="What was used without a parse: none, flat or partial.")
    message: str = Field(
        description="The status as a sentence, or that the parse is not proven; else empty."
    )
    seconds: float = Field(description="Wall time of the parse, without drawing.")
    unknown: list[int] = Field(
        description="Positions of the words that the model does not know; empty if it has no list "
        "of words."
    )
    lost_mass: float
    statistics: dict[str, float] = Field(description="Of the chart.")
    parses: list[RankedParse] = Field(description="The best first; without a parse, NOPARSE.")


class ExampleAnswer(BaseModel):
    """A sentence to try."""

    text: str = Field(description="Tokens between blanks; word/TAG if tagged.")
    tagged: bool


@api.get("/models")
async def models(request: Request) -> Models:
    """List the models, and the limits of requests."""
    described: Models = request.app.state.models
    return described


@api.get("/examples")
@parsing
def examples(store: ServerStore, model: ModelName = None) -> list[ExampleAnswer]:
    """List a few sentences that a model knows: of the treebanks, or of the demo."""
    return examples_of(store.model(model).model, store.treebanks.values())


@api.post("/parse")
@parsing
def parse(store: ServerStore, wanted: ParseRequest) -> ParseAnswer:
    """Parse a sentence."""
    limits, named = store.limits, store.model(wanted.model)
    if wanted.nbest > limits.nbest:
        raise RefusedError(400, f"nbest: the limit is {limits.nbest} parses")
    return parse_as_wanted(named, sentence_of(wanted, named, limits), wanted)


@api.post("/want")
@parsing
def want(store: ServerStore, wanted: WantRequest) -> WantAnswer:
    """Say why the best parse does not have a constituent, or what parses with it cost."""
    named = store.model(wanted.model)
    if not named.family.can("wants"):
        raise named.without("it cannot compare its parse with others")
    sentence = sentence_of(wanted, named, store.limits)
    asked = [parse_want(wanted.want)]
    without = named.model.explain(sentence).lines()  # the derivation of the best parse
    lines = named.model.explain(sentence, asked).lines()
    return WantAnswer(lines=[line for line in lines[len(without) :] if line])


def describe_models(store: Store) -> Models:
    """Return the models with the choices that they offer, and the limits."""
    return Models.of(store, models=list(map(_describe_model, store.models.values())))


def _describe_model(named: NamedModel) -> ModelAnswer:
    model, grammar = named.model, named.grammar
    return ModelAnswer.of(
        named.family,
        name=named.name,
        objectives=model.objectives,
        strategies=named.choices.get("strategy", ()),
        fallbacks=named.choices.get("fallback", ()),
        capabilities=sorted(named.family.capabilities),
        rules=len(grammar.rules) if grammar else None,
        symbols=len(grammar.nonterminals()) if grammar else None,
        fan_out=grammar.fan_out() if grammar else None,
        words=len(model.words),
        tags=sorted(model.tags),
        options=model.about,
    )


def parse_as_wanted(named: NamedModel, sentence: Sentence, wanted: ParseRequest) -> ParseAnswer:
    """Parse a sentence with the choices of a request."""
    asked = {"strategy": wanted.strategy, "fallback": wanted.fallback}
    options = {name: value for name, value in asked.items() if value is not None}
    for name, value in options.items():
        if value not in named.choices.get(name, ()):
            known = ", ".join(named.choices.get(name, ())) or f"none: it is {named.family.title}"
            raise RefusedError(400, f"{name} {value}: expected one of {known}")
    parser = named.parser(**options)
    start = working_time()
    nbest = wanted.nbest if wanted.nbest > 1 else None
    if nbest and wanted.objective not in (None, *parser.objectives[:1]):
        raise RefusedError(400, "nbest lists the best trees: leave out the objective")
    whole = Task(wanted.objective, nbest, explained=True, posteriors=wanted.posteriors)
    (parses,) = parser.parse_together([sentence], whole)
    return describe_parses(named, parses, working_time() - start)


def describe_parses(named: NamedModel, parses: list[Parse], seconds: float) -> ParseAnswer:
    """Return the result of parsing a sentence: at least one parse, the best first."""
    best = parses[0]
    message = _MESSAGES.get(best.status, f"{best.status} {best.reason}".strip())
    if best.optimality_gap:
        message = f"The search was stopped: the parse is {describe_gap(best.optimality_gap)}."
    return ParseAnswer.of(
        best,
        model=named.name,
        message=message.format(reason=best.reason),
        seconds=seconds,
        unknown=_unknown_words(named.model, best.tree.words()),
        statistics=asdict(best.statistics),
        parses=[_ranked(rank, parse) for rank, parse in enumerate(parses, start=1)],
    )


def _unknown_words(model: SentenceParser, words: list[str]) -> list[int]:
    if not model.words:
        return []
    unknown = set(words).difference(model.words)
    return [position for position, word in enumerate(words) if word in unknown]


def _ranked(rank: int, parse: Parse) -> RankedParse:
    said = parse.explanation
    posteriors = [each.probability for each in parse.posteriors or []]
    return RankedParse.of(
        parse,
        rank=rank,
        probability=parse.probability if isfinite(parse.score) else None,
        gap=parse.optimality_gap,
        gap_degree=parse.tree.gap_degree(),
        tree=describe_tree(parse.tree, shades=posteriors, gaps=True),
        derivation=_steps(said, parse.tree) if said else [],
        step=said.noun if said else "",
        measure=said.measure if said else "",
        arcs=draw_svg(said.dependencies) if said and said.dependencies else None,
        posteriors=None if parse.posteriors is None else posteriors,
    )


def _steps(said: Explanation, tree: Tree) -> list[Step]:
    spans = tree.yields()
    numbers: dict[tuple[str, int], list[int]] = {}
    for number, node in enumerate(tree.nodes()):
        numbers.setdefault((node.category, spans[node]), []).append(number)
    return [_step(step, tree.words(), numbers) for step in said.rows]


def _step(step: Row, words: list[str], numbers: Mapping[tuple[str, int], list[int]]) -> Step:
    span = span_of(step.positions)
    made = [numbers.get((category, span), []) for category in step.categories]
    parts = [words[left:right] for left, right in runs(span)]
    return Step.of(
        step,
        rule=step.text,
        tokens=step.positions,
        words=" … ".join(map(" ".join, parts)),
        nodes=sorted({number for found in made for number in found}),
    )


def examples_of(model: SentenceParser, treebanks: Iterable[Treebank]) -> list[ExampleAnswer]:
    """Return short sentences to try: one of each kind of gap first, and with known words if any.

    The first one has a gap in the parse by the model, too, as far as there is one. Sentences with
    unknown words have tags, which the model knows, unless it tags them by itself.
    """
    return _examples_of(model, tuple(map(ref, treebanks)))


@lru_cache(16)
def _examples_of(
    model: SentenceParser, treebanks: tuple[ref[Treebank], ...]
) -> list[ExampleAnswer]:
    """Return them; what is kept does not keep treebanks that the server has dropped."""
    trees = chain(*(each.beginning for each in (one() for one in treebanks) if each), _demo())
    short = (tree for tree in trees if len(tree.tokens) in _LENGTHS)
    known = list(islice(_known_sentences(model, _kind_by_kind(short)), _TRIED))
    first = next((one for one in known if model.parse(one).tree.gap_degree()), None)
    known.sort(key=lambda sentence: sentence is not first)
    return list(map(_example, known[:_EXAMPLES]))


def _example(sentence: Sentence) -> ExampleAnswer:
    tagged = sentence.tags is not None
    tokens = (f"{one.form}/{one.tag}" if tagged else one.form for one in sentence.tokens)
    return ExampleAnswer(text=" ".join(tokens), tagged=tagged)


@cache
def _demo() -> list[Tree]:
    return list(transform_all(read_trees(DEMO)))


def _kind_by_kind(trees: Iterable[Tree]) -> list[Tree]:
    """Return a tree of each kind first, by the categories with gaps; trees without gaps last."""
    turns: list[tuple[bool, int, Tree]] = []
    seen: Counter[frozenset[str]] = Counter()
    for tree in trees:
        spans = tree.yields()
        kind = frozenset(node.category for node in tree.nodes() if fan_out(spans[node]) > 1)
        seen[kind] += 1
        turns.append((not kind, seen[kind], tree))
    return [tree for *_, tree in sorted(turns, key=itemgetter(0, 1))]


def _known_sentences(model: SentenceParser, trees: Iterable[Tree]) -> Iterator[Sentence]:
    words, tags = set(model.words), set(model.tags)
    needs_tags = model.about.get("tags") != "own"
    seen = set()
    for tree in trees:
        forms = tuple(tree.words())
        is_tagged = needs_tags and not words.issuperset(forms)
        known = not is_tagged or tags.issuperset(token.tag for token in tree.tokens)
        if known and forms not in seen:
            seen.add(forms)
            yield Sentence.of(tree if is_tagged else forms)
