"""The families of parsers that the commands tell apart."""

from __future__ import annotations

from typing import Literal

from plcfrs.storage.model_file import kind_of


def family_of(path: str) -> Literal["grammar", "refined", "transition"]:
    """Return the family of the model in a file; each transition system is a kind of its own.

    Raises
    ------
    GrammarError
        If the file cannot be read.
    """
    match kind_of(path):
        case "grammar":
            return "grammar"
        case "refined":
            return "refined"
    return "transition"
