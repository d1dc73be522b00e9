"""``plcfrs extract``."""

from __future__ import annotations

from functools import partial
from typing import get_args

import click

from plcfrs.cli.dependencies import refuse_dependencies
from plcfrs.cli.options import (
    Selection,
    jobs_option,
    memory_options,
    progress,
    selection_options,
    transform_options,
    treebanks_argument,
)
from plcfrs.cli.settings_options import preset_option
from plcfrs.corpus.extraction import extract_corpus
from plcfrs.errors import TreebankError
from plcfrs.extraction.recipes import PRESETS, Binarization, Estimator, Recipe
from plcfrs.grammar.summary import oddities
from plcfrs.transformation import Options
from plcfrs.transformation.description import describe


@click.command("extract")
@treebanks_argument
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="GRAMMAR",
    help="Where the grammar is saved; as YAML if the name ends in .yaml.",
)
@preset_option({name: (each.recipe, each.transformation) for name, each in PRESETS.items()})
@click.option(
    "--binarize",
    "binarization",
    type=click.Choice(get_args(Binarization)),
    default="deterministic",
    show_default=True,
    help="Of rules: deterministic (rparse: detlr) or optimal. Of trees (Markovized): head-outward "
    "(rparse: km) or head-outward-right (the head gets its siblings on the right first), "
    "left-to-right or right-to-left (rparse: ltor, rtol; disco-dop: factor).",
)
@memory_options("inf")
@click.option(
    "--estimator",
    type=click.Choice(get_args(Estimator)),
    default="maximum-likelihood",
    show_default=True,
    help="maximum-likelihood: relative frequencies; interpolated: smoothed over --horizontal and "
    "--vertical; factored: expansions of rules and gaps estimated separately, smoothed.",
)
@click.option("--functions", is_flag=True, help="Make function tags part of the categories.")
@click.option(
    "--unshared",
    is_flag=True,
    help="Give each right-hand side its own intermediate symbols, as in the paper.",
)
@jobs_option("Number of processes that count rules; the grammar is the same.")
@click.option(
    "--examples",
    type=click.IntRange(0),
    metavar="K",
    default=0,
    show_default=True,
    help="Keep the K shortest sentences of each rule, for plcfrs inspect.",
)
@transform_options
@selection_options
def command(
    treebanks: tuple[str, ...],
    output: str,
    binarization: Binarization,
    horizontal: float,
    vertical: float,
    estimator: Estimator,
    functions: bool,
    unshared: bool,
    jobs: int,
    examples: int,
    options: Options,
    selection: Selection,
) -> None:
    """Extract a PLCFRS from a treebank, binarize it and save it.

    The trees may have crossing branches, or traces, which are first turned into crossing branches.

    \b
    Examples:
      plcfrs extract nltk:treebank --sentences 1-3396 -o wsj.plcfrs
      plcfrs extract tiger.xml --punctuation low --head-rules negra --preset kallmeyer-maier \\
        -o tiger.plcfrs
    """  # noqa: D301
    refuse_dependencies(treebanks, selection.format)
    recipe = Recipe(
        binarization, horizontal, vertical, estimator, functions, not unshared, examples
    )
    grammar = extract_corpus(
        progress(selection.texts(treebanks), "extract", partial(selection.count_read, treebanks)),
        recipe,
        options,
        selection=selection.trees,
        on_error=selection.on_error,
        jobs=jobs,
    )
    grammar.options = {**describe(options), **grammar.options}
    selection.report()
    if not grammar.rules:
        raise TreebankError("no trees were selected: there is no grammar to extract")
    click.echo(f"grammar: {grammar}", err=True)
    for line in oddities(grammar):
        click.echo(line, err=True)
    if grammar.rank() > 2 and binarization != "none":
        grammar = recipe.binarize(grammar)
        click.echo(f"binarized: {grammar}", err=True)
    grammar.save(output)
