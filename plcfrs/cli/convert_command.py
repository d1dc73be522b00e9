"""``plcfrs convert``."""

from __future__ import annotations

import click

from plcfrs.cli.options import (
    Selection,
    output_options,
    progress,
    selection_options,
    treebanks_argument,
)
from plcfrs.cli.output import tree_output


@click.command("convert")
@treebanks_argument
@output_options
@selection_options
def command(treebanks: tuple[str, ...], output: str, to: str | None, selection: Selection) -> None:
    """Convert treebanks from one format to another, tree by tree.

    \b
    Example:
      plcfrs convert negra.export -o negra.discbracket
    """  # noqa: D301
    with tree_output(output, to) as writer:
        for tree in progress(selection.read(treebanks), "convert"):
            writer.write(tree)
    selection.report()
