"""The models, and the parses of a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from math import inf, isfinite
from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import BaseModel, BeforeValidator, Field

from plcfrs.compiling import working_time
from plcfrs.drawing import draw_svg
from plcfrs.errors import InputError
from plcfrs.grammar.rules import parse_want
from plcfrs.parsing import Sentence, SentenceParser
from plcfrs.parsing.explanation import Explanation, Row
from plcfrs.parsing.parse import Parse, Task, describe_gap
from plcfrs.trees import Fixed, FixedConstituent, Tree, parse_label, restore_traces
from plcfrs.trees.fixed import ANY
from plcfrs.trees.tree import runs, span_of, span_of_runs
from plcfrs.web import routes
from plcfrs.web.limits import RefusedError
from plcfrs.web.store import NamedModel, Store

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

_MOST_FIXED = 500  # constituents in a request

api = APIRouter()


class LimitsAnswer(routes.Answer):
    """The limits of requests."""

    max_length: int = Field(description="The most tokens in a sentence.")
    max_characters: int = Field(description="The most characters in a sentence, including tags.")
    max_seconds: routes.Finite = Field(description="Wall time of a search; null for no limit.")
    max_memory: routes.Finite = Field(
        description="Memory for the arrays of a search, in GiB; null for no limit."
    )
    max_items: Annotated[int | None, BeforeValidator(routes.finite)] = Field(
        description="The most items in a chart; null for no limit."
    )
    max_megabytes: int = Field(description="The largest size of an uploaded treebank, in MB.")
    nbest: int = Field(description="The most parses of a sentence.")


class ModelAnswer(routes.Answer):
    """A model and its options."""

    name: str
    kind: str = Field(description="The family, such as grammar, refined or gap.")
    title: str = Field(description="The family in words.")
    objectives: list[str] = Field(
        description="Possible objectives; the first is the default. Empty if there is no choice."
    )
    strategies: list[str] = Field(
        description="Possible orders of the search; empty if there is no choice."
    )
    fallbacks: list[str] = Field(
        description="Possible trees for a sentence without a parse; empty if there is no choice."
    )
    capabilities: list[str] = Field(
        description="What the family can do: nbest (several parses), sums (over derivations), "
        "surprisal (of words), budget, resume."
    )
    annotation: list[str] = Field(
        description="What it has learned beside categories, such as functions and null elements."
    )
    rules: int | None = Field(description="Number of rules; null without a grammar.")
    symbols: int | None = Field(
        description="Number of nonterminals, including tags; null without a grammar."
    )
    fan_out: int | None = Field(description="The largest fan-out; null without a grammar.")
    words: int = Field(description="Number of known words.")
    tags: list[str]
    options: dict[str, str] = Field(description="The settings that the model was trained with.")


class ModelsAnswer(routes.Answer):
    """All models, the limits of requests, and the project that is served."""

    project: str | None = Field(description="The name of the project to annotate, or null.")
    models: list[ModelAnswer]
    limits: LimitsAnswer


class FixedRequest(BaseModel):
    """What is known of the tree of a sentence."""

    required: list[str] = Field(
        default_factory=list,
        max_length=_MOST_FIXED,
        description="Constituents that the tree has: the label, or * for any category, and the "
        "tokens, counted from 0, such as VP 0,3-4 or NP-SBJ 2. Over the same tokens, mothers come "
        "first.",
    )
    forbidden: list[str] = Field(
        default_factory=list,
        max_length=_MOST_FIXED,
        description="Constituents that the tree does not have: the category, or * for any, and the "
        "tokens.",
    )
    tags: dict[int, str] = Field(
        default_factory=dict, description="Tags of some tokens, by their positions."
    )


class ParseRequest(routes.SentenceRequest):
    """A sentence, and how to parse it."""

    strategy: str | None = Field(default=None, description="astar (the default) or knuth.")
    objective: str | None = Field(
        default=None, description="By default, the first one of the model."
    )
    nbest: int = Field(default=1, ge=1, description="Number of parses to list, the best first.")
    posteriors: bool = Field(
        default=False,
        description="Whether to compute the probability of each constituent, for models with the "
        "capability sums; the pictures show it as shades.",
    )
    functions: bool = Field(
        default=True,
        description="Whether trees get the functions and null elements that the model has learned.",
    )
    traces: bool = Field(
        default=False,
        description="Whether to give each tree also with the null elements that the model has "
        "learned.",
    )
    fallback: str | None = Field(
        default=None,
        description="The tree of a sentence without a parse: only words (none, the default), words "
        "with tags (flat), or the most probable sequence of constituents (partial).",
    )
    fixed: FixedRequest | None = Field(
        default=None, description="What is known of the tree: each parse has it."
    )


class StepAnswer(routes.Answer):
    """A step of a derivation: a rule, a word with its tag, a transition, or a dependency."""

    rule: str = Field(description="The rule as in grammar files; for a word, its tag.")
    clause: str = Field(description="The rule as in the papers; for a word, its tag.")
    score: float = Field(
        description="ln p of a rule, ln of the posterior of a constituent, or the share of a "
        "transition or dependency in the score of the parse."
    )
    tokens: list[int] = Field(
        description="Positions of the tokens that it spans; for a transition, of the top of the "
        "stack or the focus; for a dependency, of the word and its head."
    )
    words: str = Field(description="The words of these tokens, with dots for gaps.")
    nodes: list[int] = Field(
        description="Constituents that it makes, by their data-node in the picture."
    )
    details: dict[str, str] = Field(
        description="More about it, by name, such as the stack and the buffer after a transition, "
        "the next best head, or the posterior."
    )


class RankedParse(routes.Answer):
    """One of the best parses."""

    rank: int = Field(description="The rank, from 1.")
    score: routes.Finite = Field(description="Higher is better; null without a parse.")
    meaning: str = Field(description="The meaning of the score, such as log probability.")
    probability: float | None = Field(
        description="Probability of the derivation; null if the score is not a log probability."
    )
    gap: routes.Finite = Field(
        description="How much higher the score of a better parse may be: 0 if this parse is "
        "proven to be the best, null if nothing is known (see message)."
    )
    fixed_cost: routes.Finite = Field(
        description="How much lower it scores than the best parse without what is fixed; null if "
        "nothing is fixed, or no parse that was found has it (see message)."
    )
    gap_degree: int
    tree: routes.TreeAnswer
    with_traces: routes.TreeAnswer | None = Field(
        description="The tree with null elements and indices in place of crossing branches; null "
        "if not asked for, or if it has none."
    )
    derivation: list[StepAnswer]
    step: str = Field(
        description="The kind of its steps: rule, constituent, transition or dependency."
    )
    measure: str = Field(
        description="The meaning of the score of a step: ln p, ln posterior or score."
    )
    arcs: str | None = Field(
        description="Picture of the dependencies that the tree was made from, if any; data-token "
        "marks a word and the arc above it."
    )
    posteriors: list[float] | None = Field(
        description="Probability of each constituent, in the order of the labels of the tree; null "
        "if not asked for, empty if not known."
    )


class WantRequest(routes.SentenceRequest):
    """A sentence, and a constituent that its parse should have."""

    want: str = Field(
        max_length=1000,
        description="The category or symbol of the constituent, and its tokens, counted from 0: "
        "NP 0-1, VP_2 0,3-4.",
    )


class WantAnswer(BaseModel):
    """Why the best parse does not have a constituent."""

    lines: list[str] = Field(description="The explanation, as plcfrs explain --want prints it.")


class ParseAnswer(routes.Answer):
    """The parses of a sentence."""

    model: str = Field(description="The name of the model.")
    status: str = Field(description="For example parsed, no parse, unknown word, out of time.")
    fallback: str = Field(description="The fallback that was used: none, flat or partial.")
    message: str = Field(
        description="Why there is no parse, that the parse is not proven to be the best, or that "
        "no parse has what is fixed; otherwise empty."
    )
    seconds: float = Field(description="Wall time of parsing, without drawing.")
    unknown: list[int] = Field(
        description="Positions of unknown words; empty if the model has no list of words."
    )
    lost_mass: float = Field(description="The most probability that sums may lack.")
    statistics: dict[str, float] = Field(description="The work of the search, by name.")
    parses: list[RankedParse] = Field(
        description="The parses, the best first; without a parse, one NOPARSE tree."
    )


@api.get("/models")
async def models(request: Request) -> ModelsAnswer:
    """List the models, and the limits of requests."""
    described: ModelsAnswer = request.app.state.models
    return described


@api.post("/parse")
@routes.parsing
def parse(store: routes.ServerStore, wanted: ParseRequest) -> ParseAnswer:
    """Parse a sentence."""
    limits, named = store.limits, store.model(wanted.model)
    if wanted.nbest > limits.nbest:
        raise RefusedError(400, f"nbest: the limit is {limits.nbest} parses")
    sentence = routes.sentence_of(wanted, named, limits)
    if wanted.fixed:
        sentence = replace(sentence, fixed=fixed_of(wanted.fixed, len(sentence.tokens)))
    return parse_as_wanted(named, sentence, wanted)


@api.post("/want")
@routes.parsing
def want(store: routes.ServerStore, wanted: WantRequest) -> WantAnswer:
    """Explain why the best parse lacks a constituent, and what parses with it cost."""
    named = store.model(wanted.model)
    sentence = routes.sentence_of(wanted, named, store.limits)
    asked = [parse_want(wanted.want)]
    without = named.model.explain(sentence).lines()  # the derivation of the best parse
    lines = named.model.explain(sentence, asked).lines()
    return WantAnswer(lines=[line for line in lines[len(without) :] if line])


def fixed_of(known: FixedRequest, length: int) -> Fixed:
    """Return what is known of the tree of a sentence with this number of tokens."""
    required = [_labelled(text, length) for text in known.required]
    forbidden = [_labelled(text, length) for text in known.forbidden]
    for text, (_, functions) in zip(known.forbidden, forbidden, strict=True):
        if functions:
            raise InputError(f"forbidden {text}: give a category without functions")
    return Fixed(
        tuple(constituent for constituent, _ in required),
        tuple(constituent for constituent, _ in forbidden),
        known.tags,
        {constituent: functions for constituent, functions in required if functions},
    )


def _labelled(text: str, length: int) -> tuple[FixedConstituent, tuple[str, ...]]:
    """Return a constituent with its functions, given its label and its tokens."""
    want = parse_want(text)
    if want.ranges[-1][1] > length:
        raise InputError(f"{want}: the tokens of the sentence have numbers 0 to {length - 1}")
    label = parse_label(want.category)
    category = None if label.category == ANY else label.category
    return FixedConstituent(category, span_of_runs(want.ranges)), label.functions


def describe_models(store: Store, project: str | None) -> ModelsAnswer:
    """Return the models with their options, the limits, and the name of a project."""
    described = list(map(_describe_model, store.models.values()))
    return ModelsAnswer.of(store, models=described, project=project)


def _describe_model(named: NamedModel) -> ModelAnswer:
    model, grammar = named.model, named.grammar
    return ModelAnswer.of(
        named.family,
        name=named.name,
        objectives=model.objectives,
        strategies=named.choices.get("strategy", ()),
        fallbacks=named.choices.get("fallback", ()),
        capabilities=sorted(named.family.capabilities),
        annotation=list(model.completion.sizes) if model.completion else [],
        rules=len(grammar.rules) if grammar else None,
        symbols=len(grammar.nonterminals()) if grammar else None,
        fan_out=grammar.fan_out() if grammar else None,
        words=len(model.words),
        tags=sorted(model.tags),
        options=model.about,
    )


def parse_as_wanted(named: NamedModel, sentence: Sentence, wanted: ParseRequest) -> ParseAnswer:
    """Parse a sentence with the options of a request."""
    asked = {"strategy": wanted.strategy, "fallback": wanted.fallback}
    options = {name: value for name, value in asked.items() if value is not None}
    for name, value in options.items():
        if value not in named.choices.get(name, ()):
            choices = ", ".join(named.choices.get(name, ())) or f"none: it is {named.family.title}"
            raise RefusedError(400, f"{name} {value}: expected one of {choices}")
    parser = named.parser(**options)
    start = working_time()
    nbest = wanted.nbest if wanted.nbest > 1 else None
    if nbest and wanted.objective not in (None, *parser.objectives[:1]):
        raise RefusedError(400, "nbest lists the best trees: leave out the objective")
    whole = Task(
        wanted.objective,
        nbest,
        explained=True,
        posteriors=wanted.posteriors,
        compared=wanted.fixed is not None,
        functions=wanted.functions,
    )
    (parses,) = parser.parse_together([sentence], whole)
    return describe_parses(named, parses, working_time() - start, wanted.traces)


def describe_parses(
    named: NamedModel, parses: list[Parse], seconds: float, traces: bool
) -> ParseAnswer:
    """Return the answer for one or more parses of a sentence, the best first."""
    best = parses[0]
    message = _MESSAGES.get(best.status, f"{best.status} {best.reason}".strip())
    if best.optimality_gap:
        message = f"The search was stopped: the parse is {describe_gap(best.optimality_gap)}."
    if best.fixed_cost == inf and best.status == "parsed":
        message = "No parse that was found has all that is fixed: what was missing was put into it."
    return ParseAnswer.of(
        best,
        model=named.name,
        message=message.format(reason=best.reason),
        seconds=seconds,
        unknown=_unknown_words(named.model, best.tree.words()),
        statistics=asdict(best.statistics),
        parses=[_ranked(rank, parse, traces) for rank, parse in enumerate(parses, start=1)],
    )


def _unknown_words(model: SentenceParser, words: list[str]) -> list[int]:
    if not model.words:
        return []
    unknown = set(words).difference(model.words)
    return [position for position, word in enumerate(words) if word in unknown]


def _ranked(rank: int, parse: Parse, traces: bool) -> RankedParse:
    explanation = parse.explanation
    posteriors = [posterior.probability for posterior in parse.posteriors or []]
    return RankedParse.of(
        parse,
        rank=rank,
        probability=parse.probability if isfinite(parse.score) else None,
        gap=parse.optimality_gap,
        gap_degree=parse.tree.gap_degree(),
        tree=routes.describe_tree(parse.tree, shades=posteriors, gaps=True),
        with_traces=routes.describe_tree(restore_traces(parse.tree), gaps=True)
        if traces and parse.tree.annotation and parse.tree.annotation.removed
        else None,
        derivation=_steps(explanation, parse.tree) if explanation else [],
        step=explanation.noun if explanation else "",
        measure=explanation.measure if explanation else "",
        arcs=draw_svg(explanation.dependencies)
        if explanation and explanation.dependencies
        else None,
        posteriors=None if parse.posteriors is None else posteriors,
    )


def _steps(explanation: Explanation, tree: Tree) -> list[StepAnswer]:
    spans = tree.yields()
    numbers: dict[tuple[str, int], list[int]] = {}
    for number, node in enumerate(tree.nodes()):
        numbers.setdefault((node.category, spans[node]), []).append(number)
    return [_step(step, tree.words(), numbers) for step in explanation.rows]


def _step(row: Row, words: list[str], numbers: Mapping[tuple[str, int], list[int]]) -> StepAnswer:
    span = span_of(row.positions)
    nodes_made = [numbers.get((category, span), []) for category in row.categories]
    parts = [words[left:right] for left, right in runs(span)]
    return StepAnswer.of(
        row,
        rule=row.text,
        tokens=row.positions,
        words=" … ".join(map(" ".join, parts)),
        nodes=sorted({number for nodes in nodes_made for number in nodes}),
    )
