"""``plcfrs demo``."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from itertools import islice

import click

from plcfrs.cli.command import command_of
from plcfrs.drawing import draw
from plcfrs.drawing.terminal import has_boxes
from plcfrs.evaluation import render_scores, score
from plcfrs.grammar import binarize, extract
from plcfrs.parsing.registry import load_model
from plcfrs.settings import setting
from plcfrs.transformation import ReattachmentTable, transform_all
from plcfrs.treebank import read_trees

_TRAINING = 110
_DRAWN = 2


@dataclass(frozen=True)
class DemoOptions:
    """The options of ``plcfrs demo``."""

    output: str = setting(
        "demo.plcfrs", "Where the grammar is saved.", short="-o", metavar="GRAMMAR"
    )


@command_of("demo", DemoOptions())
def command(chosen: DemoOptions) -> None:
    """Go from a small included treebank to scored parses.

    Turns the traces into crossing branches, extracts and binarizes a grammar, parses the held-out
    sentences, draws two of the parses and scores all of them.
    """
    table = ReattachmentTable()
    trees = list(table.watch(transform_all(read_trees("plcfrs:demo"))))
    _headline(f"{len(trees)} trees with traces, turned into crossing branches (plcfrs transform)")
    click.echo(table)
    training, held_out = trees[:_TRAINING], trees[_TRAINING:]

    _headline(f"A grammar from the first {len(training)} (plcfrs extract)")
    grammar = extract(training)
    click.echo(f"grammar: {grammar}")
    binarized = binarize(grammar)
    click.echo(f"binarized: {binarized}")
    binarized.save(chosen.output)
    click.echo(f"saved as {chosen.output}")

    _headline(f"The other {len(held_out)}, parsed with their part-of-speech tags (plcfrs parse)")
    model = load_model(chosen.output)
    parses = [model.parse(tree) for tree in held_out]
    parsed = sum(parse.status == "parsed" for parse in parses)
    click.echo(f"{parsed} parsed, {len(parses) - parsed} without a parse; two of the parses:")
    discontinuous = (parse for parse in parses if parse.tree.gap_degree() > 0)
    for parse in islice(discontinuous, _DRAWN):
        click.echo(f"\n{draw(parse.tree, unicode=has_boxes(sys.stdout.encoding))}")
        click.echo(f"ln p = {parse.score:.2f}, {parse.statistics.items} items")

    _headline("Scored against the gold trees (plcfrs eval)")
    click.echo(render_scores(score(held_out, (parse.tree for parse in parses))))


def _headline(text: str) -> None:
    click.echo(f"\n{text}\n{'-' * len(text)}")
