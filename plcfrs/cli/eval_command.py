"""``plcfrs eval``."""

from __future__ import annotations

import click

from plcfrs.cli.options import Selection, selection_options
from plcfrs.evaluation import ALL, FIELD, render_scores, score


@click.command("eval")
@click.argument("gold")
@click.argument("parses")
@click.option(
    "--keep-all", is_flag=True, help="Ignore only ROOT; by default also punctuation is ignored."
)
@selection_options
def command(gold: str, parses: str, keep_all: bool, selection: Selection) -> None:
    """Score parses against gold trees: precision, recall and F1 of constituents.

    Both files have the same sentences in the same order. A constituent is a label with the
    set of its tokens, so crossing branches count.

    \b
    Example:
      plcfrs eval gold.discbracket parses.discbracket
    """  # noqa: D301
    settings = ALL if keep_all else FIELD
    scores = score(selection.read([gold]), selection.read([parses]), settings)
    selection.report()
    click.echo(render_scores(scores))
