"""Models, trees and parses as answers of the API."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import asdict
from math import isfinite

from plcfrs.drawing import draw_svg
from plcfrs.drawing.collapsing import Collapsed, collapse
from plcfrs.drawing.pages import render_pdf, render_png
from plcfrs.drawing.picture import Picture
from plcfrs.drawing.svg import render_svg
from plcfrs.drawing.tikz import render_tikz, tikz_document
from plcfrs.errors import InputError
from plcfrs.pipeline.parse import ExplainedStep, Parse, describe_gap
from plcfrs.stopping import until_stopped
from plcfrs.treebank import FORMATS, Chunk
from plcfrs.treebank.format import Format
from plcfrs.treebank.registry import WRITABLE
from plcfrs.trees import Node, Tree, render_label
from plcfrs.trees.spans import runs, span_of
from plcfrs.web.answers.models import ModelAnswer
from plcfrs.web.answers.parses import ParseAnswer, RankedParse, Step
from plcfrs.web.answers.trees import DrawAnswer, DrawRequest, FileRequest, TokenAnswer, TreeAnswer
from plcfrs.web.store import NamedModel

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


def describe_model(named: NamedModel) -> ModelAnswer:
    """Return a model with the choices that it offers."""
    model, grammar = named.model, named.grammar
    return ModelAnswer(
        name=named.name,
        kind=named.family.kind,
        title=named.family.title,
        objectives=list(model.objectives),
        strategies=list(named.choices.get("strategy", ())),
        fallbacks=list(named.choices.get("fallback", ())),
        capabilities=sorted(named.family.capabilities),
        rules=len(grammar.rules) if grammar else None,
        symbols=len(grammar.nonterminals()) if grammar else None,
        fan_out=grammar.fan_out() if grammar else None,
        words=len(model.words),
        tags=sorted(model.tags),
        options=dict(model.about),
    )


def describe_tree(tree: Tree, marked: Collection[Node | int] = ()) -> TreeAnswer:
    """Return a tree as a picture and in two formats.

    Raises
    ------
    InputError, TreebankError
        If it cannot be drawn, or a format cannot hold it.
    """
    return TreeAnswer(
        id=tree.id,
        marked=[number for number, node in enumerate(tree.nodes()) if node in marked],
        marked_tokens=[position for position in marked if isinstance(position, int)],
        tokens=[TokenAnswer(form=token.form, tag=token.tag) for token in tree.tokens],
        labels=[render_label(node) for node in tree.nodes()],
        svg=draw_svg(tree, marked),
        discbracket=render_file([tree], FORMATS["discbracket"]),
        export=render_file([tree], FORMATS["export"]),
    )


def redraw(wanted: DrawRequest) -> DrawAnswer:
    """Return the picture of a tree with collapsed constituents.

    Raises
    ------
    TreebankError
        If it is not a tree.
    """
    nodes, collapsed, picture = _wanted_picture(wanted)
    return DrawAnswer(
        svg=render_svg([[picture]]),
        nodes=[nodes.index(node) for node in collapsed.nodes],
        parts=collapsed.parts,
    )


def draw_file(wanted: FileRequest) -> bytes:
    """Return the picture of a tree as a file.

    Raises
    ------
    TreebankError
        If it is not a tree.
    InputError
        If the library for pages is not installed.
    """
    _, _, picture = _wanted_picture(wanted)
    if wanted.format == "tikz":
        return f"{tikz_document([render_tikz([picture])])}\n".encode()
    if wanted.format == "svg":
        return render_svg([[picture]]).encode()
    return (render_pdf if wanted.format == "pdf" else render_png)([[picture]])


def _wanted_picture(wanted: DrawRequest) -> tuple[list[Node], Collapsed, Picture]:
    """Return the nodes of the tree, the collapsed tree, and its picture."""
    tree = FORMATS["discbracket"].parse(Chunk("the tree", 1, wanted.discbracket, 1))
    nodes = tree.nodes()
    collapsed = collapse(tree, [node for i, node in enumerate(nodes) if i in wanted.collapsed])
    marked: list[Node | int] = [
        drawn
        for drawn, original in zip(collapsed.tree.nodes(), collapsed.nodes, strict=True)
        if nodes.index(original) in wanted.marked
    ]
    marked += [i for i, part in enumerate(collapsed.parts) if set(part) & set(wanted.marked_tokens)]
    picture = Picture(collapsed.tree, marked, gaps=wanted.gaps, spacious=wanted.spacious)
    return nodes, collapsed, picture


def describe_parses(named: NamedModel, parses: list[Parse], seconds: float) -> ParseAnswer:
    """Return the result of parsing a sentence.

    Parameters
    ----------
    named : NamedModel
    parses : list of Parse
        The best first; at least one.
    seconds : float
        Wall time of the parse.
    """
    best = parses[0]
    message = _MESSAGES.get(best.status, f"{best.status} {best.reason}".strip())
    if best.gap:
        message = f"The search was stopped: the parse is {describe_gap(best.gap)}."
    return ParseAnswer(
        model=named.name,
        status=best.status,
        fallback=best.fallback,
        message=message.format(reason=best.reason),
        seconds=seconds,
        lost_mass=best.lost_mass,
        statistics=asdict(best.statistics),
        parses=[_ranked(rank, parse) for rank, parse in enumerate(parses, start=1)],
    )


def _ranked(rank: int, parse: Parse) -> RankedParse:
    is_parsed = isfinite(parse.score)
    words = [token.form for token in parse.tree.tokens]
    return RankedParse(
        rank=rank,
        score=parse.score if is_parsed else None,
        meaning=parse.meaning,
        probability=parse.probability if is_parsed else None,
        gap=parse.gap,
        gap_degree=parse.tree.gap_degree(),
        tree=describe_tree(parse.tree),
        derivation=[_step(step, words) for step in parse.explanation.steps]
        if parse.explanation
        else [],
    )


def _step(step: ExplainedStep, words: list[str]) -> Step:
    parts = [words[left:right] for left, right in runs(span_of(step.positions))]
    return Step(
        rule=step.text,
        clause=step.clause,
        score=step.score,
        tokens=step.positions,
        words=" … ".join(map(" ".join, parts)),
    )


def render_file(trees: Iterable[Tree], form: Format) -> str:
    """Return a file of trees.

    Raises
    ------
    InputError
        If trees cannot be written in the format.
    TreebankError
        If the format cannot hold one of the trees.
    """
    if form.render is None:
        raise InputError(f"{form.name}: expected one of {', '.join(WRITABLE)}")
    numbered = enumerate(until_stopped(trees), start=1)
    rendered = [form.render(tree, number) for number, tree in numbered]
    return "".join([form.header.format(encoding="utf-8"), *rendered, form.footer])
