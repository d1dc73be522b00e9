"""The contents of a model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from plcfrs.grammar.grammar import Grammar


@dataclass(frozen=True)
class Inspection:
    """What `plcfrs inspect` shows of a model.

    Parameters
    ----------
    grammar : Grammar or None
        Without substates; None if the model has no grammar.
    lines : sequence of str
        More about the model, or all if it has no grammar.
    symbol : callable, optional
        Returns text about the substates of a symbol, given its name.
    """

    grammar: Grammar | None = None
    lines: Sequence[str] = ()
    symbol: Callable[[str], list[str]] | None = None
