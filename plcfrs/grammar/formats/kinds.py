"""The kinds of model files: grammars, refined grammars, transition parsers."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from plcfrs.errors import GrammarError

ModelKind = Literal["grammar", "refined", "transition"]

TRANSITION_HEADER = "plcfrs-transition.json"
"""The first member of the file of a transition parser."""

# Refined grammars and transition parsers are zip files; a grammar is text, or packed by gzip.
_ZIP = b"PK"
_NAME_OF_MEMBER = 30  # where it is in a zip file


def kind_of(path: str | Path) -> ModelKind:
    """Return what kind of model a file has.

    Raises
    ------
    GrammarError
        If the file cannot be read.
    """
    name = TRANSITION_HEADER.encode()
    try:
        with Path(path).open("rb") as file:
            start = file.read(_NAME_OF_MEMBER + len(name))
    except OSError as error:
        raise GrammarError(f"{path}: {error.strerror}") from None
    if not start.startswith(_ZIP):
        return "grammar"
    return "transition" if start[_NAME_OF_MEMBER:] == name else "refined"


def is_refined(path: str | Path) -> bool:
    """Whether a file has a refined grammar.

    Raises
    ------
    GrammarError
        If the file cannot be read.
    """
    return kind_of(path) == "refined"
