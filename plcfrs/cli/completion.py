"""Completion in shells, by click; what click has no completions of is completed as a file name.

Sources, models and outputs are files or names such as ``plcfrs:demo``; to click they are texts,
of which it completes nothing, and it keeps the shell from completing them.
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
