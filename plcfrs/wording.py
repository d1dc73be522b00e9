"""Text for people: tables in columns, and escaping for HTML and SVG."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest

# Characters that XML 1.0 does not allow, not even as character references.
NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def aligned(rows: Sequence[Sequence[str]], align: Callable[[str, int], str] = str.rjust) -> str:
    """Return a table as text, with the first column aligned left, the others right by default.

    >>> print(aligned([["type", "gold"], ["*T*", "4"]]))
    type  gold
    *T*      4
    """
    widths = [max(map(len, column)) for column in zip_longest(*rows, fillvalue="")]
    return "\n".join(
        "  ".join(
            align(cell, width) if place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=False))
        ).rstrip()
        for row in rows
    )


def counts(numbers: Mapping[int, int]) -> str:
    """Return the counts of numbers as text.

    >>> counts({2: 7, 1: 10})
    '1: 10, 2: 7'
    """
    return ", ".join(f"{number}: {count}" for number, count in sorted(numbers.items()))


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural unless the number is 1.

    >>> counted(1, "tree"), counted(2, "tree")
    ('1 tree', '2 trees')
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"


MOST_SHOWN = 10
"""How many names are shown of a long list."""


def some(names: Sequence[object]) -> str:
    """Return the first few names as text."""
    shown = ", ".join(map(str, names[:MOST_SHOWN]))
    return shown + (", ..." if len(names) > MOST_SHOWN else "")


def unencodable(error: UnicodeEncodeError, encoding: str | None) -> str:
    """Say which character an output cannot hold, and what to do.

    >>> unencodable(UnicodeEncodeError("charmap", "pěje", 1, 2, ""), "cp1252")
    "'ě' cannot be written in cp1252: use utf-8 (set PYTHONIOENCODING=utf-8 for standard output)"
    """
    character = error.object[error.start]
    if "\ud800" <= character <= "\udfff":  # a byte of a file name
        return f"{character!r} is not a character: rename the file: its name is not in utf-8"
    return (
        f"{character!r} cannot be written in {encoding}: use utf-8 "
        "(set PYTHONIOENCODING=utf-8 for standard output)"
    )


def suggestion(names: Sequence[str]) -> str:
    """Return a question that suggests names, for the end of a message.

    >>> suggestion(["test"]), suggestion(["dev", "test"])
    (': is it test?', ': is it one of dev, test?')
    """
    return f": is it {'one of ' if len(names) > 1 else ''}{', '.join(names)}?"


def printable(text: str) -> str:
    """Return a text without the characters that XML forbids.

    >>> printable("a" + chr(0)) == "a" + chr(0xFFFD)
    True
    """
    return NOT_XML.sub("\ufffd", text)


def escape(text: str) -> str:
    """Return a text escaped for HTML and SVG, for use between tags and in attributes.

    >>> escape('a < "b"')
    'a &lt; &quot;b&quot;'
    """
    import html  # here, for a fast start

    return html.escape(printable(text))
