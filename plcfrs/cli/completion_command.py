"""``plcfrs completion``, and completion in shells by click."""

from __future__ import annotations

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
)


class _CompleteFiles(ShellComplete):
    """Completes file names where click completes nothing.

    Sources, models and outputs are files or names such as ``plcfrs:demo``. For click, these are
    texts: it does not complete them, and keeps the shell from doing so.
    """

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        files = CompletionItem(incomplete, type="file")
        return super().get_completions(args, incomplete) or [files]


SHELLS: dict[str, type[ShellComplete]] = {
    shell.name: add_completion_class(type(f"_{shell.__name__}", (_CompleteFiles, shell), {}))
    for shell in (BashComplete, ZshComplete, FishComplete)
}


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
