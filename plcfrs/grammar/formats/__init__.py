"""Grammar files of all formats; to add a format, write one file and enter it here."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from plcfrs.errors import GrammarError
from plcfrs.grammar.formats import native, yaml
from plcfrs.grammar.formats.discodop import DISCODOP, Discodop
from plcfrs.grammar.grammar import Grammar
from plcfrs.storage.files import errors_name, read_start, read_text, write_texts
from plcfrs.storage.model_file import DEFAULT_KIND, kind_of

# A header in JSON; or YAML, perhaps after comments.
_BEGINNING = re.compile(rb'\{"plcfrs"|(?:\xef\xbb\xbf)?(?:\s|#[^\n]*\n|---\s)*plcfrs\s*:')


@dataclass(frozen=True)
class Native:
    """One of the two forms of plcfrs. Either one reads both, since their beginnings differ."""

    name: str
    extensions: tuple[str, ...]
    compress: bool

    def files(self, path: Path) -> list[Path]:
        """Return just this file."""
        return [path]

    def load(self, path: Path) -> Grammar:
        """Read a grammar in either form."""
        text, packed = read_text(path)
        with errors_name(path):
            return (native.loads if packed and text.startswith("{") else yaml.loads)(text)

    def save(self, grammar: Grammar, path: Path) -> None:
        """Write a grammar in this form."""
        text = (native.dumps if self.compress else yaml.dumps)(grammar)
        write_texts({path: text}, pack=self.compress)


def is_native(path: Path) -> bool:
    """Return whether a file begins like a grammar in either form."""
    return _BEGINNING.match(read_start(path)) is not None


COMPRESSED = Native("plcfrs", (".plcfrs",), compress=True)
YAML = Native("yaml", (".yaml", ".yml"), compress=False)

GrammarFormat = Native | Discodop
"""Reads and writes the grammars of a program, by the names of their files."""

FORMATS: tuple[GrammarFormat, ...] = (COMPRESSED, YAML, DISCODOP)
EXTENSIONS = tuple(extension for format in FORMATS for extension in format.extensions)

_UNSUPPORTED = {".rcg": "rparse", ".pmcfg": "treetools"}


def grammar_format_of(path: str | Path) -> GrammarFormat | None:
    """Return the format of a file by its extension, ignoring ``.gz``.

    Raises
    ------
    GrammarError
        If the extension is that of a format for grammars that plcfrs does not support.

    Examples
    --------
    >>> grammar_format_of("negra.rules.gz").name
    'discodop'
    """
    suffix = Path(str(path).removesuffix(".gz")).suffix
    if suffix in _UNSUPPORTED:
        raise GrammarError(
            f"{path}: grammars of {_UNSUPPORTED[suffix]} are not supported: give a file that ends "
            f"in one of {', '.join(EXTENSIONS)}"
        )
    return next((format for format in FORMATS if suffix in format.extensions), None)


def recognize_grammar(path: str | Path) -> GrammarFormat | None:
    """Return the format of a grammar file by its first line or extension, None for other files."""
    return COMPRESSED if is_native(Path(path)) else grammar_format_of(path)


def files_of(path: str | Path) -> list[Path]:
    """Return all files of a model: its own, and the existing files beside it."""
    format = grammar_format_of(path)
    return format.files(Path(path)) if format else [Path(path)]


def check_is_model(path: str | Path, advice: str = "") -> None:
    """Raise a GrammarError if a file is a treebank and is not named like a grammar."""
    from plcfrs.treebank import compiled, files, registry  # for a fast start

    start = read_start(Path(path))
    signatures = (format.signature for format in registry.FORMATS.values() if format.signature)
    if str(path).startswith((files.DEMO, files.NLTK)) or (
        kind_of(path) in (DEFAULT_KIND, compiled.KIND)
        and recognize_grammar(path) is None
        and any(signature(start) for signature in signatures)
    ):
        raise GrammarError(f"{path}: this is a treebank, not a model{advice}")


def load_grammar(path: str | Path) -> Grammar:
    """Read a grammar from a file of any format."""
    path = Path(path)
    format = recognize_grammar(path)
    if format is None and path.suffix == ".lex":
        rules = path.with_suffix(".rules").name
        raise GrammarError(f"{path}: this is only the lexicon: give {rules} instead")
    if format is None:
        check_is_model(path)
    return (format or COMPRESSED).load(path)


def keeps_completion(path: str | Path) -> bool:
    """Whether the format of a file keeps what completes parses: only the compressed form does."""
    return grammar_format_of(path) in (None, COMPRESSED)


def save_grammar(grammar: Grammar, path: str | Path) -> None:
    """Write a grammar in the format of the extension, by default in the compressed form."""
    (grammar_format_of(path) or COMPRESSED).save(grammar, Path(path))
