"""``plcfrs inspect``."""

from __future__ import annotations

import click

from plcfrs.cli.summary import figures, oddities
from plcfrs.grammar import Grammar


@click.command("inspect")
@click.argument("grammar")
def command(grammar: str) -> None:
    """Show the figures of a grammar, useless symbols, and cycles of unary rules.

    \b
    Example:
      plcfrs inspect wsj.plcfrs
    """  # noqa: D301
    loaded = Grammar.load(grammar)
    click.echo(figures(grammar, loaded))
    for name, value in loaded.options.items():
        click.echo(f"  {name}: {value}")
    for line in oddities(loaded):
        click.echo(line)
