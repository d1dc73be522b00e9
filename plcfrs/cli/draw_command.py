"""``plcfrs draw``."""

from __future__ import annotations

import click

from plcfrs.cli.options import Selection, selection_options, treebanks_argument
from plcfrs.drawing import draw


@click.command("draw")
@treebanks_argument
@selection_options
def command(treebanks: tuple[str, ...], selection: Selection) -> None:
    """Draw trees with their crossing branches in the terminal.

    \b
    Example:
      plcfrs transform plcfrs:demo | plcfrs draw | less
    """  # noqa: D301
    for tree in selection.read(treebanks):
        click.echo(f"{tree.id}\n{draw(tree)}\n")
    selection.report()
