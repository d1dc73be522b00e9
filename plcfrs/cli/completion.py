"""Completion in shells by click, and a group of commands that suggests the nearest name."""

from __future__ import annotations

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
)

from plcfrs.wording import suggestion


class _OrFiles(ShellComplete):
    """Completes file names where click completes nothing.

    Sources, models and outputs are files or names such as ``plcfrs:demo``. To click they are texts:
    it completes nothing there, and keeps the shell from doing so.
    """

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        files = CompletionItem(incomplete, type="file")
        return super().get_completions(args, incomplete) or [files]


SHELLS: dict[str, type[ShellComplete]] = {
    each.name: type(f"_{each.__name__}", (_OrFiles, each), {})
    for each in (BashComplete, ZshComplete, FishComplete)
}


class SuggestingGroup(click.Group):
    """A group of commands that suggests the nearest name for an unknown one."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return a command with its arguments."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError:
            from difflib import get_close_matches  # here, for a fast start

            if similar := get_close_matches(args[0], self.list_commands(ctx)):
                ctx.fail(f"No such command {args[0]!r}{suggestion(similar)}")
            raise
