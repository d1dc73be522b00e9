"""Grammar files of all formats; a new format is one file and one line here."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from plcfrs.grammar.formats.discodop import DISCODOP
from plcfrs.grammar.formats.native import COMPRESSED, YAML, is_native
from plcfrs.grammar.formats.pmcfg import PMCFG
from plcfrs.grammar.formats.rparse import RPARSE
from plcfrs.grammar.grammar import Grammar


class GrammarFormat(Protocol):
    """A format of grammar files."""

    @property
    def name(self) -> str:
        """What people call it."""

    @property
    def extensions(self) -> tuple[str, ...]:
        """Those of its files."""

    def files(self, path: Path) -> list[Path]:
        """Return all files that are read with this one, it included."""

    def load(self, path: Path) -> Grammar:
        """Read a grammar."""

    def save(self, grammar: Grammar, path: Path) -> None:
        """Write a grammar."""


FORMATS: tuple[GrammarFormat, ...] = (COMPRESSED, YAML, DISCODOP, RPARSE, PMCFG)


def grammar_format_of(path: str | Path) -> GrammarFormat | None:
    """Return the format that the extension of a file stands for, ``.gz`` left out.

    Examples
    --------
    >>> grammar_format_of("negra.rules.gz").name
    'discodop'
    """
    suffix = Path(str(path).removesuffix(".gz")).suffix
    return next((format for format in FORMATS if suffix in format.extensions), None)


def recognize_grammar(path: str | Path) -> GrammarFormat | None:
    """Return the format of a grammar file; None if it has none.

    The grammars of plcfrs itself are known by their first line, those of others by the extension.
    """
    return COMPRESSED if is_native(Path(path)) else grammar_format_of(path)


def files_of(path: str | Path) -> list[Path]:
    """Return all files of a grammar: its own, and those beside it, if they are there."""
    format = recognize_grammar(path)
    return format.files(Path(path)) if format else [Path(path)]


def load_grammar(path: str | Path) -> Grammar:
    """Read a grammar from a file of any format.

    Raises
    ------
    GrammarError
        If the file is missing, damaged or not a grammar.
    """
    return (recognize_grammar(path) or COMPRESSED).load(Path(path))


def save_grammar(grammar: Grammar, path: str | Path) -> None:
    """Write a grammar in the format that the name stands for, compressed by default.

    Raises
    ------
    GrammarError
        If the file cannot be written, or the format cannot hold the grammar.
    """
    (grammar_format_of(path) or COMPRESSED).save(grammar, Path(path))
