"""Models, trees and parses as answers of the API."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict
from math import isfinite

from plcfrs.drawing import draw_svg
from plcfrs.drawing.collapsing import collapse
from plcfrs.drawing.pages import render_pdf, render_png
from plcfrs.drawing.picture import Picture
from plcfrs.drawing.svg import render_svg
from plcfrs.drawing.tikz import render_tikz, tikz_document
from plcfrs.errors import InputError
from plcfrs.pipeline.explanation import Explanation, Row
from plcfrs.pipeline.parse import Parse, describe_gap
from plcfrs.reduction import to_dependencies
from plcfrs.stopping import until_stopped
from plcfrs.treebank import FORMATS, Chunk
from plcfrs.treebank.format import Format
from plcfrs.treebank.registry import WRITABLE
from plcfrs.trees import Node, Tree, mark_heads, render_label
from plcfrs.trees.heads import read_head_rules
from plcfrs.trees.spans import runs, span_of
from plcfrs.web.answers.models import ModelAnswer
from plcfrs.web.answers.parses import ParseAnswer, RankedParse, Step
from plcfrs.web.answers.trees import DrawAnswer, DrawRequest, FileRequest, TreeAnswer
from plcfrs.web.details import add_details, describe_edges, describe_tokens
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


def describe_tree(
    tree: Tree, marked: Collection[Node | int] = (), shades: Sequence[float] = ()
) -> TreeAnswer:
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
        tokens=describe_tokens(tree),
        labels=[render_label(node) for node in tree.nodes()],
        functions=[list(node.functions) for node in tree.nodes()],
        secondary_edges=describe_edges(tree),
        svg=render_svg([[Picture(tree, marked, shades=shades)]]),
        discbracket=render_file([tree], FORMATS["discbracket"]),
        export=render_file([tree], FORMATS["export"]),
    )


def redraw(wanted: DrawRequest) -> DrawAnswer:
    """Return the picture of a tree with collapsed constituents.

    Raises
    ------
    TreebankError
        If it is not a tree.
    InputError
        If its tokens, shades or secondary edges are not those of the tree.
    """
    nodes, parts, picture = _wanted_picture(wanted)
    return DrawAnswer(svg=render_svg([[picture]]), nodes=nodes, parts=parts)


def draw_file(wanted: FileRequest) -> bytes:
    """Return a tree, or its picture, as a file.

    Raises
    ------
    TreebankError
        If it is not a tree, or the format cannot hold it.
    InputError
        If its tokens, shades or secondary edges are not those of the tree, or the library for
        pages is not installed.
    """
    if wanted.format in FORMATS:
        return _tree_file(wanted).encode()
    _, _, picture = _wanted_picture(wanted)
    if wanted.format == "tikz":
        return f"{tikz_document([render_tikz([picture])])}\n".encode()
    if wanted.format == "svg":
        return render_svg([[picture]]).encode()
    return (render_pdf if wanted.format == "pdf" else render_png)([[picture]])


def _tree_file(wanted: FileRequest) -> str:
    tree, form = add_details(read_tree(wanted.discbracket), wanted), FORMATS[wanted.format]
    if form.render_dependencies is None:
        return render_file([tree], form)
    with_heads = mark_heads(tree, read_head_rules(wanted.head_rules))
    return form.render_dependencies(to_dependencies(with_heads, unaries="labels"))


def read_tree(discbracket: str) -> Tree:
    """Return the tree of a request.

    Raises
    ------
    TreebankError
        If it is not a tree.
    """
    return FORMATS["discbracket"].parse(Chunk("the tree", 1, discbracket, 1))


def _wanted_picture(wanted: DrawRequest) -> tuple[list[int], list[list[int]], Picture]:
    """Return the constituents and the tokens of the tree for those in the picture, and it."""
    tree = add_details(read_tree(wanted.discbracket), wanted)
    nodes = tree.nodes()
    if wanted.shades and len(wanted.shades) != len(nodes):
        raise InputError(f"shades: expected {len(nodes)}, as many as there are constituents")
    shut, red, red_tokens = map(set, (wanted.collapsed, wanted.marked, wanted.marked_tokens))
    collapsed = collapse(tree, [node for i, node in enumerate(nodes) if i in shut])
    number_of = {node: number for number, node in enumerate(nodes)}
    numbers = [number_of[node] for node in collapsed.nodes]
    drawn = zip(collapsed.tree.nodes(), numbers, strict=True)
    marked: list[Node | int] = [node for node, number in drawn if number in red]
    marked += [i for i, part in enumerate(collapsed.parts) if red_tokens.intersection(part)]
    shades = [min(1.0, max(0.0, wanted.shades[i])) for i in numbers if wanted.shades]
    picture = Picture(
        collapsed.tree,
        marked,
        gaps=wanted.gaps,
        spacious=wanted.spacious,
        shades=shades,
        below=wanted.below,
    )
    return numbers, collapsed.parts, picture


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
    if best.optimality_gap:
        message = f"The search was stopped: the parse is {describe_gap(best.optimality_gap)}."
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
    said = parse.explanation
    posteriors = [each.probability for each in parse.posteriors or []]
    return RankedParse(
        rank=rank,
        score=parse.score if is_parsed else None,
        meaning=parse.meaning,
        probability=parse.probability if is_parsed else None,
        gap=parse.optimality_gap,
        gap_degree=parse.tree.gap_degree(),
        tree=describe_tree(parse.tree, shades=posteriors),
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
    return Step(
        rule=step.text,
        clause=step.clause,
        score=step.score,
        tokens=step.positions,
        words=" … ".join(map(" ".join, parts)),
        nodes=sorted({number for found in made for number in found}),
        details=dict(step.details),
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
