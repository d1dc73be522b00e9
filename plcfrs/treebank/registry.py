"""All formats by name; a new format needs one module and one line here."""

from __future__ import annotations

from pathlib import Path

from plcfrs.errors import InputError, TreebankError
from plcfrs.treebank.alpino import ALPINO
from plcfrs.treebank.brackets import BRACKETS
from plcfrs.treebank.conll import CONLLU, CONLLX
from plcfrs.treebank.discbracket import DISCBRACKET
from plcfrs.treebank.export import EXPORT, EXPORT3
from plcfrs.treebank.files import STANDARD, STANDARD_INPUT, Source, read_start, uncompressed
from plcfrs.treebank.format import Format
from plcfrs.treebank.text import RUNNING_TEXT, TAGGED, TOKENS
from plcfrs.treebank.tigerxml import TIGERXML

FORMATS: dict[str, Format] = {
    format.name: format
    for format in (
        *(BRACKETS, DISCBRACKET, EXPORT, EXPORT3, TIGERXML, ALPINO, TOKENS, TAGGED),
        *(CONLLU, CONLLX, RUNNING_TEXT),
    )
}
"""If formats share an extension, files with it are written in the first one."""

WRITABLE: tuple[str, ...] = tuple(name for name in FORMATS if FORMATS[name].render)
"""The names of the formats in which trees can be written, not only read."""

DEPENDENCY_FORMATS: tuple[str, ...] = tuple(
    name for name in FORMATS if FORMATS[name].parse_dependencies
)
"""The names of the formats with dependencies."""


def format_named(name: str) -> Format:
    """Return a format by its name."""
    if name not in FORMATS:
        raise InputError(f"unknown format {name!r}: expected one of {', '.join(FORMATS)}")
    return FORMATS[name]


def format_of(name: str | Path) -> Format:
    """Return the format in which a file of this name is written.

    >>> format_of("wsj_0001.mrg.gz").name
    'brackets'
    """
    found = formats_of(name)
    if not found:
        writable = (FORMATS[each] for each in (*WRITABLE, *DEPENDENCY_FORMATS))
        extensions = ", ".join(extension for format in writable for extension in format.extensions)
        raise InputError(
            f"{name}: no treebank format has this extension: use {extensions}, or choose a format "
            "with --to"
        )
    return found[0]


def formats_of(name: str | Path) -> list[Format]:
    """Return the formats with the extension of a file, without ``.gz``; in a pipe discbracket.

    >>> [format.name for format in formats_of("a.xml")]
    ['tigerxml', 'alpino']
    """
    if str(name) in (STANDARD, STANDARD_INPUT):
        return [DISCBRACKET]
    extension = Path(uncompressed(str(name))).suffix
    return [format for format in FORMATS.values() if extension in format.extensions]


_UNMISTAKABLE = ("export", "tigerxml", "alpino", "conllu")  # no sentence begins like these


def recognize(source: Source) -> Format:
    """Return the format of a file by its extension, unless its beginning is of another format."""
    named = formats_of(source.name)
    by_content = [format for format in FORMATS.values() if format.signature]
    start = read_start(source)
    if uncompressed(str(source.name)).endswith(".txt"):  # as editors call any file
        named = [*(FORMATS[name] for name in _UNMISTAKABLE), *named]
    for format in [*named, *by_content]:
        if format.signature is None or format.signature(start):
            return format
    if len(named) == 1:
        return named[0]
    if not start and not source.is_stream:
        raise TreebankError("the file is empty", source.name)
    names = ", ".join(format.name for format in named or by_content)
    reason = "a pipe can be read only once" if source.is_stream else f"begins like none of {names}"
    raise TreebankError(f"{reason}: give the format with --from", source.name)
