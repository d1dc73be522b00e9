"""Text for people: tables in columns, and signs that mean something in HTML and SVG."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest

# What XML 1.0 does not allow, not even as a character reference.
_FORBIDDEN = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def aligned(rows: Sequence[Sequence[str]], align: Callable[[str, int], str] = str.rjust) -> str:
    """Return a table as text, its first column aligned left.

    Parameters
    ----------
    rows : sequence of sequence of str
        Short ones end early.
    align : callable
        Fills a cell of any other column up to its width: on the left by default.

    Examples
    --------
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
    """Return how often there are some numbers.

    Examples
    --------
    >>> counts({2: 7, 1: 10})
    '1: 10, 2: 7'
    """
    return ", ".join(f"{number}: {count}" for number, count in sorted(numbers.items()))


def printable(text: str) -> str:
    """Return a text without the characters that XML forbids.

    Examples
    --------
    >>> printable("a" + chr(0)) == "a" + chr(0xFFFD)
    True
    """
    return _FORBIDDEN.sub("\ufffd", text)


def escape(text: str) -> str:
    """Return a text as it can stand in HTML and SVG, between tags and in attributes.

    Examples
    --------
    >>> escape('a < "b"')
    'a &lt; &quot;b&quot;'
    """
    return html.escape(printable(text))
