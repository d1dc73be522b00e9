"""``plcfrs extract``."""

from __future__ import annotations

import click

from plcfrs.binarize import binarize
from plcfrs.cli.options import (
    Selection,
    progress,
    selection_options,
    transform_options,
    treebanks_argument,
)
from plcfrs.cli.summary import figures, oddities
from plcfrs.errors import TreebankError
from plcfrs.extract import extract
from plcfrs.transform import Options, transform_all


@click.command("extract")
@treebanks_argument
@click.option(
    "-o", "--output", required=True, metavar="GRAMMAR", help="A name in .yaml gives YAML."
)
@click.option("--functions", is_flag=True, help="Make function tags part of the categories.")
@click.option(
    "--binarize",
    "binarization",
    type=click.Choice(["deterministic", "none"]),
    default="deterministic",
    show_default=True,
)
@click.option(
    "--unshared",
    is_flag=True,
    help="Give each right-hand side intermediate symbols of its own, as the paper does.",
)
@transform_options
@selection_options
def command(
    treebanks: tuple[str, ...],
    output: str,
    functions: bool,
    binarization: str,
    unshared: bool,
    options: Options,
    selection: Selection,
) -> None:
    """Extract a PLCFRS from a treebank, binarize it and save it.

    The trees may have traces, which are transformed first, or crossing branches.

    \b
    Example:
      plcfrs extract nltk:treebank --sentences 1-3396 -o wsj.plcfrs
    """  # noqa: D301
    trees = progress(transform_all(selection.read(treebanks), options), "extract")
    grammar = extract(trees, functions=functions)
    grammar.options = _describe(options, functions)
    selection.report()
    if not grammar.rules:
        raise TreebankError("no trees were selected: there is no grammar to extract")
    click.echo(figures("grammar", grammar), err=True)
    for line in oddities(grammar):
        click.echo(line, err=True)
    if binarization == "deterministic":
        grammar = binarize(grammar, shared=not unshared)
        click.echo(figures("binarized", grammar), err=True)
    grammar.save(output)


def _describe(options: Options, functions: bool) -> dict[str, str]:
    """Return what a grammar file says about how the grammar was made."""
    return {
        "reattached": ",".join(options.reattach) or "none",
        "unary SBAR": "kept" if options.keep_sbar else "removed",
        "splits": ",".join(options.splits) or "none",
        "functions": "yes" if functions else "no",
    }
