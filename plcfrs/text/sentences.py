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

BLANK = r"\s\x1C-\x1F\u00AD\u061C\u200B\u200E\u200F\u2028-\u202E\u2060\u2066-\u2069\uFEFF"
"""Characters between words: blanks and invisible ones. Soft hyphens may be inside words."""


class SentenceText(NamedTuple):
    """The text of a sentence, and where it comes from."""

    text: str
    line: int  # the first line of the paragraph
    start: int  # the number of characters before it


# Number of characters that are split into sentences at a time: pySBD takes quadratic time.
_MOST = 2000
_PIECE = re.compile(rf"\S.{{0,{_MOST}}}\S{{0,{_MOST}}}")
_ITEM = re.compile(r"\s*(?:[-*+\u2022\u2023\u25aa\u25e6\u00b7]|\(?(?:\d{1,2}|[a-z])[.)])\s")
_HEADING = re.compile(r"\s*#{1,6}\s|[\s=_*~-]+\Z")
_VISIBLE = re.compile(f"[^{BLANK}]")
_OPENING = "\"'([\u2018\u201c\u00ab"
# Hidden from pySBD, which uses some of these characters as marks of its own, and loses text there.
_RARE = re.compile(r"[^ -~\u2018\u2019\u201c\u201d\u00ab\u00bb\u3002\uff01\uff0e\uff1f]")


def split_sentences(lines: Iterable[str]) -> Iterator[SentenceText]:
    r"""Yield the sentences of a text, given its lines with their ends.

    >>> text = "News\nThe ferry was\nlate. We waited.\n"
    >>> for sentence in split_sentences(text.splitlines(keepends=True)):
    ...     print(sentence.start, sentence.text)
    0 News
    5 The ferry was late.
    25 We waited.
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
                sentences = _cut(text, line, start)
                goes_on = bool(sentences) and len(sentences[-1].text) <= _MOST
                text, line, start = sentences.pop() if goes_on else ("", line, start)
                yield from sentences
        place, before = place + len(after), after


def _is_apart(line: str, after: str) -> bool:
    """Return whether a sentence ends at a line end: a blank line, a list, or a heading.

    A heading is shorter than the line below, and that line begins like a sentence, with a word that
    would have fit behind the heading.
    """
    if not after.strip() or _ITEM.match(after) or _HEADING.match(after) or _HEADING.match(line):
        return True
    first = after.split(None, 1)[0]
    would_fit = len(line.rstrip()) + 1 + len(first) <= len(after.rstrip())
    return would_fit and first.lstrip(_OPENING)[:1].isupper() and line.rstrip()[-1:] not in ",;-"


def _cut(text: str, line: int, start: int) -> list[SentenceText]:
    """Return the sentences of a part of a text without blanks at its ends."""
    places = [place for place, sign in enumerate(text) if not sign.isspace()]
    sentences, first = [], 0
    for length in _lengths(_RARE.sub(_hidden, text)):
        left, right = places[first], places[first + length - 1] + 1
        if _VISIBLE.search(text, left, right):
            sentences.append(SentenceText(text[left:right], line, start + left))
        first += length
    return sentences


def _hidden(sign: re.Match[str]) -> str:
    """Return a usual character that means the same for the end of a sentence."""
    if sign[0].isalpha():
        return "A" if sign[0].isupper() else "a"
    return " " if sign[0].isspace() else "1" if sign[0].isnumeric() else "-"


def _lengths(text: str) -> list[int]:
    """Return the lengths of the sentences of a text, without blanks."""
    sentences = ["".join(sentence.split()) for sentence in _segmenter()(text)]
    whole = "".join(text.split())
    return [*filter(None, map(len, sentences))] if "".join(sentences) == whole else [len(whole)]


@cache
def _segmenter() -> Callable[[str], list[str]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about old escapes in its regular expressions
        from pysbd import Segmenter
    return Segmenter(language="en", clean=False).segment  # type: ignore[no-any-return]
