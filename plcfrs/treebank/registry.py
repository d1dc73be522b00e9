"""All formats by name; a new format is one file and one line here."""

from __future__ import annotations

from pathlib import Path

from plcfrs.errors import InputError
from plcfrs.treebank.brackets import BRACKETS
from plcfrs.treebank.discbracket import DISCBRACKET
from plcfrs.treebank.export import EXPORT, EXPORT3
from plcfrs.treebank.files import STANDARD, STANDARD_INPUT, uncompressed
from plcfrs.treebank.format import Format
from plcfrs.treebank.text import TAGGED, TOKENS

FORMATS: dict[str, Format] = {
    format.name: format for format in (BRACKETS, DISCBRACKET, EXPORT, EXPORT3, TOKENS, TAGGED)
}


def format_named(name: str) -> Format:
    """Return a format by its name.

    Raises
    ------
    InputError
        If there is none.
    """
    if name not in FORMATS:
        raise InputError(f"unknown format {name!r}: expected one of {', '.join(FORMATS)}")
    return FORMATS[name]


def format_of(name: str | Path) -> Format:
    """Return the format that the extension of a file stands for, ``.gz`` left out.

    Standard input and output are discbracket, so that commands can be piped.

    Raises
    ------
    InputError
        If no format has the extension.

    Examples
    --------
    >>> format_of("wsj_0001.mrg.gz").name
    'brackets'
    """
    if str(name) in (STANDARD, STANDARD_INPUT):
        return DISCBRACKET
    extension = Path(uncompressed(str(name))).suffix
    for format in FORMATS.values():
        if extension in format.extensions:
            return format
    raise InputError(
        f"{name}: no format has the extension {extension!r}; name one with --from (reading) "
        f"or --to (writing): {', '.join(FORMATS)}"
    )
