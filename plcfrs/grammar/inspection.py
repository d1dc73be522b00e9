"""The contents of a model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from plcfrs.grammar.grammar import Grammar


@dataclass(frozen=True)
class Inspection:
    """What `plcfrs inspect` shows of a model: its grammar without substates, and lines about it.

    `symbol` returns text about the substates of a symbol, given its name.
    """

    grammar: Grammar | None = None
    lines: Sequence[str] = ()
    symbol: Callable[[str], list[str]] | None = None
