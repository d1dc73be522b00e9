"""A group of commands that suggests the nearest name for an unknown one."""

from __future__ import annotations

import click

from plcfrs.text import suggestion


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
