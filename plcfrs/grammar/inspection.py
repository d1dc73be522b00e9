"""What there is to see in a model."""

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
        Without substates; None if there is none.
    lines : sequence of str
        What is said of the model besides, or instead.
    symbol : callable, optional
        Gets the name of a symbol, returns text on its substates in each grammar.
    """

    grammar: Grammar | None = None
    lines: Sequence[str] = ()
    symbol: Callable[[str], list[str]] | None = None
