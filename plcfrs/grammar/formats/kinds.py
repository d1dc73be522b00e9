"""The kinds of model files: grammars and refined grammars."""

from __future__ import annotations

from pathlib import Path

from plcfrs.errors import GrammarError

# A refined grammar is a zip file; a grammar is text, or packed by gzip.
_ZIP = b"PK"


def is_refined(path: str | Path) -> bool:
    """Whether a file has a refined grammar.

    Raises
    ------
    GrammarError
        If the file cannot be read.
    """
    try:
        with Path(path).open("rb") as file:
            return file.read(len(_ZIP)) == _ZIP
    except OSError as error:
        raise GrammarError(f"{path}: {error.strerror}") from None
