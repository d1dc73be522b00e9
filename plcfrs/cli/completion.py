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


class _Bash(_OrFiles, BashComplete):
    """Asks for completions in bash."""


class _Zsh(_OrFiles, ZshComplete):
    """Asks for completions in zsh."""


class _Fish(_OrFiles, FishComplete):
    """Asks for completions in fish."""


SHELLS: dict[str, type[ShellComplete]] = {"bash": _Bash, "zsh": _Zsh, "fish": _Fish}
