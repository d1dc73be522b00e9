"""What the API says of models, trees and parses."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict
from math import exp, isfinite

from plcfrs.drawing import draw_svg
from plcfrs.grammar import Nonterminal, Rule
from plcfrs.grammar.example import Range
from plcfrs.grammar.notation import in_paper_notation
from plcfrs.pipeline import Model, Parse, TransitionModel
from plcfrs.pipeline.steps import TransitionStep
from plcfrs.treebank import FORMATS
from plcfrs.trees import Node, Tree, render_label
from plcfrs.trees.spans import runs, span_of
from plcfrs.web.answers import (
    ModelAnswer,
    ParseAnswer,
    RankedParse,
    Step,
    TokenAnswer,
    TreeAnswer,
)
from plcfrs.web.explaining import ExplainedParse, TransitionsParse
from plcfrs.web.store import NamedModel

# What a status means, for people; others are shown as they are.
_MESSAGES = {
    "parsed": "",
    "no parse": "The grammar has no parse of this sentence.",
    "out of items": "The search was stopped: it had created as many items as it may.",
    "out of time": "The search was stopped: it had taken as long as it may.",
    "unknown word": "The grammar does not know the word {reason}: give all words their tags, "
    "as in word/TAG.",
    "unknown tag": "The grammar does not have the tag {reason}.",
}
_NOT_PROVEN = " The tree is the best one found so far."


def describe_model(named: NamedModel) -> ModelAnswer:
    """Return what can be chosen with a model."""
    if isinstance(named.model, TransitionModel):
        return _describe_transition_model(named.name, named.model)
    grammar = named.grammar
    plain = isinstance(named.model, Model)
    symbols = grammar.nonterminals()
    return ModelAnswer(
        name=named.name,
        kind="grammar" if plain else "refined grammar",
        objectives=list(named.model.objectives),
        strategies=list(named.strategies),
        has_nbest=plain,
        rules=len(grammar.rules),
        symbols=len(symbols),
        fan_out=grammar.fan_out(),
        words=len(grammar.lexicon.words),
        tags=sorted(symbol.category for symbol in symbols if symbol.kind == "tag"),
        options=grammar.options,
    )


def _describe_transition_model(name: str, model: TransitionModel) -> ModelAnswer:
    vocabulary = model.parser.vocabulary
    return ModelAnswer(
        name=name,
        kind="transition parser",
        objectives=[],
        strategies=[],
        has_nbest=True,
        rules=None,
        symbols=len(vocabulary.symbols) + len(vocabulary.tags),
        fan_out=None,
        words=len(model.words),
        tags=sorted(vocabulary.tags),
        options={**model.parser.settings.header(), **model.options},
    )


def describe_tree(tree: Tree, marked: Collection[Node | int] = ()) -> TreeAnswer:
    """Return a tree as a picture and in formats.

    Raises
    ------
    InputError, TreebankError
        If it cannot be drawn, or a format cannot hold it.
    """
    return TreeAnswer(
        id=tree.id,
        tokens=[TokenAnswer(form=token.form, tag=token.tag) for token in tree.tokens],
        labels=[render_label(node) for node in tree.nodes()],
        svg=draw_svg(tree, marked),
        discbracket=_file(tree, "discbracket"),
        export=_file(tree, "export"),
    )


def describe_parses(named: NamedModel, parses: list[Parse], seconds: float) -> ParseAnswer:
    """Return what became of a sentence.

    Parameters
    ----------
    named : NamedModel
    parses : list of Parse
        The best first; one at least.
    seconds : float
        How long that took.
    """
    best = parses[0]
    message = _MESSAGES.get(best.status, f"{best.status} {best.reason}".strip())
    if best.derivation is not None and best.status.startswith("out of"):
        message += _NOT_PROVEN
    return ParseAnswer(
        model=named.name,
        status=best.status,
        message=message.format(reason=best.reason),
        seconds=seconds,
        lost_mass=best.lost_mass,
        statistics=asdict(best.statistics),
        parses=[_ranked(named, rank, parse) for rank, parse in enumerate(parses, start=1)],
    )


def _ranked(named: NamedModel, rank: int, parse: Parse) -> RankedParse:
    known = isfinite(parse.cost)
    # Others have costs that may be below zero: they are not those of probabilities.
    probable = known and isinstance(named.model, Model)
    return RankedParse(
        rank=rank,
        cost=parse.cost if known else None,
        probability=exp(-parse.cost) if probable else None,
        gap_degree=parse.tree.gap_degree(),
        tree=describe_tree(parse.tree),
        derivation=_steps(parse),
    )


def _steps(parse: Parse) -> list[Step]:
    """Return rules and words, mothers before children, with their costs where they are known."""
    words = [token.form for token in parse.tree.tokens]
    if isinstance(parse, ExplainedParse):
        return [
            _step(step.symbol, step.rule, step.ranges, step.cost, words)
            for step in parse.explanation.steps
        ]
    if isinstance(parse, TransitionsParse):
        return [_transition(step, words) for step in parse.steps]
    if parse.derivation is None:
        return []
    parts = zip(parse.derivation.bottom_up(), parse.derivation.ranges(), strict=True)
    mothers_first = list(parts)[::-1]
    mothers_first.sort(key=lambda pair: pair[1][0][0])
    return [
        _step(part.nonterminal, part.rule if part.children else None, ranges, None, words)
        for part, ranges in mothers_first
    ]


def _step(
    symbol: Nonterminal,
    rule: Rule | None,
    ranges: tuple[Range, ...],
    cost: float | None,
    words: list[str],
) -> Step:
    text = " … ".join(" ".join(words[left:right]) for left, right in ranges)
    return Step(
        rule=str(rule or symbol),
        clause=in_paper_notation(rule) if rule else f"{symbol}({text})",
        cost=cost,
        tokens=[position for left, right in ranges for position in range(left, right)],
        words=text,
    )


def _transition(step: TransitionStep, words: list[str]) -> Step:
    parts = [words[left:right] for left, right in runs(span_of(step.positions))]
    return Step(
        rule=str(step.transition),
        clause=str(step.transition),
        cost=-step.score,
        tokens=step.positions,
        words=" … ".join(map(" ".join, parts)),
    )


def _file(tree: Tree, name: str) -> str:
    """Return a file of one tree."""
    form = FORMATS[name]
    rendered = form.render(tree, 1) if form.render else ""
    return form.header.format(encoding="utf-8") + rendered + form.footer
