"""Sentences of running text, with their places: pySBD finds the ends of English ones.

A blank line ends a sentence; so does the end of a line before an item of a list, and after a
heading. Any other line end counts as a blank. Memory holds one paragraph, or a part of a long one.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import chain
from typing import NamedTuple

from plcfrs.text.words import BLANK


class SentenceText(NamedTuple):
    """The text of a sentence, the line where its part of the text begins, and its place."""

    text: str
    line: int
    start: int


# Number of characters that are split into sentences at a time: the time of pySBD is quadratic.
_MOST = 2000
_PIECE = re.compile(rf"\S.{{0,{_MOST}}}\S{{0,{_MOST}}}")
_ITEM = re.compile(r"\s*(?:[-*+\u2022\u2023\u25aa\u25e6\u00b7]|\(?(?:\d{1,2}|[a-z])[.)])\s")
_HEADING = re.compile(r"\s*#{1,6}\s|[\s=_*~-]+\Z")
_VISIBLE = re.compile(f"[^{BLANK}]")
_OPENING = "\"'([\u2018\u201c\u00ab"
# Other characters are hidden from pySBD, which uses some of them as marks, and loses text there.
_RARE = re.compile(r"[^ -~\u2018\u2019\u201c\u201d\u00ab\u00bb\u3002\uff01\uff0e\uff1f]")


def split_sentences(lines: Iterable[str]) -> Iterator[SentenceText]:
    r"""Yield the sentences of a text, given its lines with their ends.

    >>> text = "News\nThe ferry was\nlate. We waited.\n"
    >>> [(each.text, each.start) for each in split_sentences(text.splitlines(keepends=True))]
    [('News', 0), ('The ferry was late.', 5), ('We waited.', 25)]
    """
    text, line, start = "", 1, 0
    place, before = 0, ""  # where this line begins, and the line before
    for number, after in enumerate(chain(lines, [""]), start=1):
        if text and _is_apart(before, after):
            yield from _cut(text, line, start)
            text = ""
        for piece in _PIECE.finditer(after):
            left = place + piece.start()
            if text and left - start > 2 * _MOST:  # after thousands of blanks
                yield from _cut(text, line, start)
                text = ""
            line, start = (line, start) if text else (number, left)
            text = text.ljust(left - start) + piece[0]
            if len(text) > _MOST:
                found = _cut(text, line, start)
                goes_on = bool(found) and len(found[-1].text) <= _MOST
                text, line, start = found.pop() if goes_on else ("", line, start)
                yield from found
        place, before = place + len(after), after


def _is_apart(line: str, after: str) -> bool:
    """Return whether a sentence ends at a line end: a blank line, a list, or a heading.

    A heading is shorter than the line below, which begins like a sentence, and whose first word
    would have had its place behind the heading.
    """
    if not after.strip() or _ITEM.match(after) or _HEADING.match(after) or _HEADING.match(line):
        return True
    first = after.split(None, 1)[0]
    had_place = len(line.rstrip()) + 1 + len(first) <= len(after.rstrip())
    return had_place and first.lstrip(_OPENING)[:1].isupper() and line.rstrip()[-1:] not in ",;-"


def _cut(text: str, line: int, start: int) -> list[SentenceText]:
    """Return the sentences of a part of a text, which has no blanks at its ends."""
    places = [place for place, sign in enumerate(text) if not sign.isspace()]
    found, first = [], 0
    for length in _lengths(_RARE.sub(_hidden, text)):
        left, right = places[first], places[first + length - 1] + 1
        if _VISIBLE.search(text, left, right):
            found.append(SentenceText(text[left:right], line, start + left))
        first += length
    return found


def _hidden(sign: re.Match[str]) -> str:
    """Return a usual character that means the same for the end of a sentence."""
    if sign[0].isalpha():
        return "A" if sign[0].isupper() else "a"
    return " " if sign[0].isspace() else "1" if sign[0].isnumeric() else "-"


def _lengths(text: str) -> list[int]:
    """Return how many characters the sentences of a text have, blanks not counted."""
    sentences = ["".join(sentence.split()) for sentence in _segmenter()(text)]
    whole = "".join(text.split())
    return [*filter(None, map(len, sentences))] if "".join(sentences) == whole else [len(whole)]


@cache
def _segmenter() -> Callable[[str], list[str]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about old escapes in its regular expressions
        from pysbd import Segmenter
    return Segmenter(language="en", clean=False).segment  # type: ignore[no-any-return]
