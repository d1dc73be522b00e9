"""Sentences of running text, with their places.

A blank line ends a sentence; so does the end of a line before an item of a list, after a heading,
and wherever lines are not filled, as in headlines, tweets and mail headers. Any other line end
counts as a blank. Memory holds one paragraph, or a part of a long one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise
from typing import NamedTuple

from plcfrs.text.boundaries import Decide, ends_in_english, find_spans

BLANK = r"\s\x1C-\x1F\u00AD\u061C\u200B\u200E\u200F\u2028-\u202E\u2060\u2066-\u2069\uFEFF"
"""Characters between words: blanks and invisible ones. Soft hyphens may be inside words."""


class SentenceText(NamedTuple):
    """The text of a sentence, and where it comes from."""

    text: str
    line: int  # the first line of the paragraph
    start: int  # the number of characters before it


_MOST = 2000  # characters that are split into sentences at a time
_PIECE = re.compile(rf"\S.{{0,{_MOST}}}\S{{0,{_MOST}}}")
_ITEM = re.compile(r"\s*(?:[-*+\u2022\u2023\u25aa\u25e6\u00b7]|\(?(?:\d{1,2}|[a-z])[.)])\s")
_HEADING = re.compile(r"\s*#{1,6}\s|[\s=_*~-]+\Z")
_VISIBLE = re.compile(f"[^{BLANK}]")
_OPENING = "\"'([\u2018\u201c\u00ab"
_FINAL = re.compile(r"[.?!:;\u2026{}]['\")\]\u2019\u201d]*\Z")
_CODE = re.compile(r"[;{}]\Z|\w\([^)]*\)+:?\Z|\s[=!<>+*/-]?=\s")
_GREETING = 3  # words at most: Dear Ms. Ode,
_BLOCK = 50  # lines that are looked at together
_NARROW = 30  # characters: lines of prose are wider
_LONG = 150  # characters of a line that nobody filled by hand


def split_sentences(
    lines: Iterable[str], decide: Decide = ends_in_english
) -> Iterator[SentenceText]:
    r"""Yield the sentences of a text, given its lines with their ends.

    >>> text = "News\nThe ferry was\nlate. We waited.\n"
    >>> for sentence in split_sentences(text.splitlines(keepends=True)):
    ...     print(sentence.start, sentence.text)
    0 News
    5 The ferry was late.
    25 We waited.
    """
    text, line, start = "", 1, 0
    place = 0  # where the line begins
    for number, (after, is_last) in enumerate(_with_ends(lines), start=1):
        for piece in _PIECE.finditer(after):
            left = place + piece.start()
            if text and left - start > 2 * _MOST:  # after thousands of blanks
                yield from _cut(text, line, start, decide)
                text = ""
            line, start = (line, start) if text else (number, left)
            text = text.ljust(left - start) + piece[0]
            if len(text) > _MOST:
                sentences = _cut(text, line, start, decide)
                goes_on = bool(sentences) and len(sentences[-1].text) <= _MOST
                text, line, start = sentences.pop() if goes_on else ("", line, start)
                yield from sentences
        if text and is_last:
            yield from _cut(text, line, start, decide)
            text = ""
        place += len(after)


def _with_ends(lines: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Yield each line, and whether a sentence ends with it, from the lines around it."""
    block: list[str] = []
    evidence = 0.0  # that lines are not filled; what was found before counts a little
    for line in chain(lines, [""]):
        block.append(line)
        if line.strip() and len(block) <= _BLOCK and sum(map(len, block)) <= 2 * _MOST:
            continue
        evidence = min(max(evidence, -0.3), 0.3) + _evidence(block)
        for before, after in pairwise(block):
            yield before, _is_apart(before, after, are_filled=evidence <= 0)
        block = [line]


def _evidence(block: list[str]) -> float:
    """Return a number above zero if lines end where sentences do, and below if they are filled.

    A filled line ends where the next word did not fit, often inside a sentence.
    """
    lines = [line.strip() for line in block if line.strip()]
    width = max(map(len, lines), default=0)
    evidence = 0.0
    for line, after in pairwise(lines):
        first = after.split(None, 1)[0]
        is_final = bool(_FINAL.search(line))
        would_fit = len(line) + 1 + len(first) <= width
        evidence += 1.5 if would_fit else -1.0 if width >= _NARROW else 0.0
        evidence += (-1.0 if is_final else -3.0) if first[0].islower() else 0.7
        evidence += 0.8 if is_final else -1.0 if line[-1] == "," else 0.0
        evidence += 3.0 if len(line) > _LONG or _CODE.search(line) else 0.0
    is_whole = len(lines) > 1 and not block[-1].strip()
    return evidence + (2.0 if is_whole and not _FINAL.search(lines[-1]) else 0.0)


def _is_apart(line: str, after: str, *, are_filled: bool) -> bool:
    """Return whether a sentence ends at a line end: a blank line, a list, a heading or a greeting.

    A heading is shorter than the line below, and that line begins like a sentence, with a word that
    would have fit behind the heading.
    """
    if not after.strip() or _ITEM.match(after) or _HEADING.match(after) or _HEADING.match(line):
        return True
    first = after.split(None, 1)[0]
    would_fit = len(line.rstrip()) + 1 + len(first) <= len(after.rstrip())
    if line.rstrip()[-1:] in ",-":
        is_greeting = line.rstrip()[-1:] == "," and len(line.split()) <= _GREETING
        return is_greeting and (would_fit or not are_filled)
    is_heading = would_fit and first.lstrip(_OPENING)[:1].isupper() and line.rstrip()[-1:] != ";"
    return is_heading or not are_filled


def _cut(text: str, line: int, start: int, decide: Decide) -> list[SentenceText]:
    """Return the sentences of a part of a text without blanks at its ends."""
    return [
        SentenceText(text[left:right], line, start + left)
        for left, right in find_spans(text, decide)
        if _VISIBLE.search(text, left, right)
    ]
