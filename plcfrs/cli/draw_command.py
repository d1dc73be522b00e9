"""``plcfrs draw``."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, TypeVar

import click

from plcfrs.cli.command import command_of, group, treebanks_argument
from plcfrs.cli.input import InputOptions
from plcfrs.cli.output import kind_of_output, output_setting, report_rank
from plcfrs.drawing import (
    AnyPicture,
    picture_of,
    render_pdf,
    render_png,
    render_svg,
    render_text,
    render_tikz,
    tikz_document,
)
from plcfrs.drawing.picture import BELOW
from plcfrs.drawing.terminal import has_boxes
from plcfrs.errors import InputError
from plcfrs.evaluation import Settings, differences, wrong_words
from plcfrs.evaluation.alignment import align_sentences
from plcfrs.query import find, parse_query
from plcfrs.settings import setting
from plcfrs.treebank import has_dependencies, open_output
from plcfrs.treebank.writing import Ranking
from plcfrs.trees import DependencyTree, Node, Tree
from plcfrs.trees.restoring import with_traces
from plcfrs.trees.tree import runs

Sentence = TypeVar("Sentence", Tree, DependencyTree)
AnyTree: TypeAlias = Any  # a tree or a dependency tree, as all in the row
Row = list[AnyPicture]
Finder = Callable[[Tree], Iterable[Node | int]]
Parts = set[Node | int]

_EXTENSIONS = {".svg": "svg", ".pdf": "pdf", ".png": "png", ".tex": "tikz", ".tikz": "tikz"}


@dataclass(frozen=True)
class DrawOptions:
    """The options of ``plcfrs draw``."""

    treebanks: tuple[str, ...] = treebanks_argument()
    mark: tuple[str, ...] = setting(
        (),
        "Mark the matches of a query (see plcfrs find), or a constituent by its tokens, counted "
        "from 0: 'VP 0,3-4'. May be repeated.",
        commas=False,
        metavar="QUERY",
    )
    gaps: bool = setting(
        False,
        "Highlight discontinuous constituents: each has a colour, and a line below the words shows "
        "its parts and its gaps. Or highlight the arcs that make dependencies non-projective.",
    )
    traces: bool = setting(
        False, "Put null elements and traces back, in trees that have them in an annotation."
    )
    below: tuple[str, ...] = setting(
        (),
        "Draw the function (edge label), lemma or morphology of each token below the words. May be "
        "repeated.",
        commas=False,
        choices=BELOW,
    )
    against: tuple[str, ...] = setting(
        (),
        "Draw these parses beside the trees. Marks missed constituents in the trees, spurious ones "
        "in the parses, and different tags in both; of dependencies, the different ones. May be "
        "repeated.",
        commas=False,
        metavar="FILE",
    )
    only_different: bool = setting(False, "Draw only trees that differ from a parse in --against.")
    rank: int | None = setting(
        None,
        "Draw the N-best parses (parse --nbest) of rank N in the files of --against and --beside "
        "(default: 1) or, without these, in the treebanks (default: all ranks).",
        least=1,
    )
    beside: tuple[str, ...] = setting(
        (),
        "Draw other trees of the same sentences beside the trees. May be repeated.",
        commas=False,
        metavar="FILE",
    )
    parse: str | None = setting(
        None,
        "Parse the input with this model, and draw the parses. The input is as for plcfrs parse.",
        metavar="MODEL",
    )
    to: str | None = setting(
        None,
        "Kind of picture; tikz is LaTeX source; pdf and png need pip install 'plcfrs[pictures]'.  "
        "[default: by file extension, else text]",
        choices=("text", "svg", "pdf", "png", "tikz"),
    )
    standalone: bool = setting(
        False, "With tikz: write a whole LaTeX document with a page for each tree."
    )
    color: Literal["auto", "always", "never"] = setting(
        "auto", "Colours in text; auto: only in a terminal, and only if NO_COLOR is not set."
    )
    width: int | None = setting(
        None,
        "Cut text pictures wider than this into pieces, one below the other.  [default: the width "
        "of the terminal, else no limit]",
        least=20,
        metavar="COLUMNS",
    )
    output: str = output_setting()
    input: InputOptions = group(InputOptions)


@command_of("draw", DrawOptions())
def command(chosen: DrawOptions) -> None:
    """Draw trees with their crossing branches, and dependencies (CoNLL-U, CoNLL-X) as arcs.

    An SVG or PNG file has all trees one below the other. In PDF, each tree has a page; in LaTeX
    source, each tree is a tikzpicture. Secondary edges are dashed arrows from the dependent to its
    second mother; in text they are listed below the tree. Null elements are grey, and dashed arrows
    lead to them from their antecedents; in text there are only the indices.

    \b
    Examples:
      plcfrs transform plcfrs:demo | plcfrs draw --gaps --color always | less -RS
      plcfrs parse demo.plcfrs sentences.txt | plcfrs draw
      echo 'What should we do?' | plcfrs draw --parse plcfrs:english --traces
      plcfrs draw gold.export --against parses.discbracket --mark 'NP < SBAR'
      plcfrs draw gold.export --against parses.export --only-different -o differences.pdf
      plcfrs draw tiger.export --sentences 7 --gaps -o tiger7.svg
      plcfrs draw gold.discbracket --to tikz --standalone -o gold.tex
      plcfrs draw treebank.conllu --sentences 7 --gaps
    """  # noqa: D301
    to = chosen.to or kind_of_output(chosen.output, _EXTENSIONS)
    if chosen.standalone and to != "tikz":
        raise click.UsageError("--standalone is for LaTeX source: add --to tikz.")
    if chosen.only_different and not chosen.against:
        raise click.UsageError("--only-different: give the parses with --against.")
    if chosen.parse and chosen.rank and not (chosen.against or chosen.beside):
        raise click.UsageError("--parse draws one parse of each sentence: leave out --rank.")
    of_dependencies = not chosen.parse and has_dependencies(chosen.treebanks, chosen.input.format)
    if of_dependencies and (chosen.mark or chosen.rank or chosen.below):
        raise click.UsageError(
            "--mark, --rank and --below are for constituents, not for dependencies."
        )
    finders = [_finder(mark) for mark in chosen.mark]
    rows = _rows((_dependencies if of_dependencies else _sentences)(chosen), finders, chosen)
    _write(rows, to, chosen)
    chosen.input.report()


def _write(rows: Iterable[Row], to: str, chosen: DrawOptions) -> None:
    """Write the pictures to the output."""
    with open_output(chosen.output) as file:
        if to == "text":
            is_terminal = chosen.output == "-" and sys.stdout.isatty()
            columns = chosen.width or (shutil.get_terminal_size().columns if is_terminal else None)
            colour = chosen.color == "always"
            if chosen.color == "auto":
                colour = is_terminal and not os.environ.get("NO_COLOR")
            boxes = has_boxes(file.encoding)
            for row in rows:
                file.write(render_text(row, unicode=boxes, colour=colour, width=columns))
                file.write("\n\n")
        elif to == "tikz":
            pictures = map(render_tikz, _titled(rows))
            for picture in [tikz_document(pictures)] if chosen.standalone else pictures:
                file.write(f"{picture}\n")
        elif to == "svg":
            file.write(f"{render_svg(_titled(rows))}\n")
        else:
            file.buffer.write((render_pdf if to == "pdf" else render_png)(_titled(rows)))


def _sentences(chosen: DrawOptions) -> Iterator[list[Tree]]:
    """Yield the trees of each sentence, the tree of the treebank first."""
    input, rank = chosen.input, chosen.rank
    others = [*chosen.against, *chosen.beside]
    rankings = [Ranking(1 if others else rank or 1), *(Ranking(rank or 1) for _ in others)]
    if chosen.parse or not (rank or others):
        trees = input.read_or_parse(chosen.treebanks, chosen.parse)
    else:
        trees = input.read_rank(chosen.treebanks, rankings[0])
    elsewhere = replace(input, format=None)
    pairs = zip(others, rankings[1:], strict=True)
    rows = _aligned(trees, [elsewhere.read_rank([name], ranking) for name, ranking in pairs])
    yield from ([with_traces(tree) if chosen.traces else tree for tree in row] for row in rows)
    for ranking in rankings:
        report_rank(ranking)


def _dependencies(chosen: DrawOptions) -> Iterator[list[DependencyTree]]:
    """Yield the dependency trees of each sentence, the one of the treebank first."""
    elsewhere = replace(chosen.input, format=None)
    others = [elsewhere.read_dependencies([name]) for name in (*chosen.against, *chosen.beside)]
    return _aligned(chosen.input.read_dependencies(chosen.treebanks), others)


def _aligned(
    trees: Iterator[Sentence], others: Sequence[Iterator[Sentence]]
) -> Iterator[list[Sentence]]:
    names = [f"parse {number}" for number in range(1, len(others) + 1)]
    if len(others) == 1:
        names = ["parse"]
    sources = {"tree": trees, **dict(zip(names, others, strict=True))}
    return (trees for _, trees in align_sentences(sources, Settings()))


def _finder(mark: str) -> Finder:
    """Return the function that finds the nodes to mark in a tree."""
    try:
        query = parse_query(mark)
        return lambda tree: find(tree, query)
    except InputError as error:
        from plcfrs.grammar.rules import parse_want

        try:
            want = parse_want(mark)
        except InputError:
            raise InputError(f"--mark: {error}") from None
        return lambda tree: [
            node
            for node, span in tree.yields().items()
            if node.category == want.category and tuple(runs(span)) == want.ranges
        ]


def _rows(
    sentences: Iterable[Sequence[AnyTree]], finders: list[Finder], chosen: DrawOptions
) -> Iterator[Row]:
    """Yield the pictures of each sentence; with --only-different, say how many trees differ."""
    read = drawn = 0
    for tree, *others in sentences:
        read += 1
        wrong = [_differences(tree, parse) for parse in others[: len(chosen.against)]]
        if not chosen.only_different or any(missed or spurious for missed, spurious, _ in wrong):
            drawn += 1
            yield _row([tree, *others], wrong, finders, chosen)
    if chosen.only_different:
        click.echo(f"trees that differ: {drawn} of {read}", err=True)


def _differences(tree: AnyTree, parse: AnyTree) -> tuple[Parts, Parts, str]:
    """Return the wrong parts of a tree and of its parse, and their numbers in words."""
    if isinstance(tree, DependencyTree):
        words: Parts = set(wrong_words(tree, parse))
        return words, words, f"{len(words)} wrong"
    missed, spurious = differences(tree, parse)
    numbers = [sum(isinstance(part, Node) for part in parts) for parts in (missed, spurious)]
    return missed, spurious, "{} missed, {} spurious".format(*numbers)


def _row(
    trees: list[AnyTree],
    wrong: list[tuple[Parts, Parts, str]],
    finders: list[Finder],
    chosen: DrawOptions,
) -> Row:
    marked: list[Parts] = [{part for find in finders for part in find(tree)} for tree in trees]
    captions = [trees[0].id, *chosen.against, *chosen.beside]
    for place, (missed, spurious, numbers) in enumerate(wrong, start=1):
        marked[0] |= missed
        marked[place] |= spurious
        captions[place] += f": {numbers}"
    return [
        picture_of(tree, parts, chosen.gaps, caption, chosen.below)
        for tree, parts, caption in zip(trees, marked, captions, strict=True)
    ]


def _titled(rows: Iterable[Row]) -> list[Row]:
    """Return the rows of a file; a single tree gets no caption."""
    all_rows = list(rows)
    if len(all_rows) == 1 and len(all_rows[0]) == 1:
        return [[all_rows[0][0]._replace(caption="")]]
    return all_rows
