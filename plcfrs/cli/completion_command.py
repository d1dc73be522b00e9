"""``plcfrs completion``."""

from __future__ import annotations

import click

from plcfrs.cli.completion import SHELLS


@click.command("completion")
@click.argument("shell", type=click.Choice(list(SHELLS)))
def command(shell: str) -> None:
    """Print the script that completes commands, options and file names in a shell.

    \b
    Examples:
      plcfrs completion bash >> ~/.bashrc
      plcfrs completion zsh >> ~/.zshrc
      plcfrs completion fish > ~/.config/fish/completions/plcfrs.fish
    """  # noqa: D301
    group = click.get_current_context().find_root().command
    click.echo(SHELLS[shell](group, {}, "plcfrs", "_PLCFRS_COMPLETE").source())
