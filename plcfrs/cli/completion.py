"""Completion in shells, by click; where click has no completions, file names are completed.

Sources, models and outputs are files or names such as ``plcfrs:demo``. To click they are texts:
it completes nothing there, and keeps the shell from doing so.
"""

from __future__ import annotations

from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
)


class _OrFiles(ShellComplete):
    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        files = CompletionItem(incomplete, type="file")
        return super().get_completions(args, incomplete) or [files]


SHELLS: dict[str, type[ShellComplete]] = {
    each.name: type(f"_{each.__name__}", (_OrFiles, each), {})
    for each in (BashComplete, ZshComplete, FishComplete)
}
