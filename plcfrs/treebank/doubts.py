"""Warnings about texts that are read as they are, but may mean something else.

The beginning of a file decides about its format; what does not fit further on is named once.
"""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Iterator

from plcfrs.errors import TreebankWarning
from plcfrs.treebank.format import (
    BRACKETS,
    DISCBRACKET,
    Chunk,
    bare_nulls,
    has_positions,
    is_surely_tree,
)

_BINARIZED = re.compile(r"(?<=\()[^\s()]*\|<[^\s()>]*>[^\s()]*", re.ASCII)
_IDENTIFIER = re.compile(r"\(ID [^\s()]+\)(?=\s*\)\s*\Z)", re.ASCII)
_NULLS = (
    "{word} is read as a word{others}: if they are null elements, use --from psd, or give them the "
    "tag -NONE-"
)
_LABELS = (
    "{word} is a label of a binarization{others}: undo it first, in NLTK with "
    "un_chomsky_normal_form()"
)
_IDENTIFIERS = "{word} is read as a word{others}: if it is an identifier, use --from psd"
_POSITIONS = "all words of a tree begin with their positions{others}: use --from discbracket"
_WORDS = "each line is one word: if they are words of sentences, use --from vertical"
_FEW = 5  # lines may be words by chance
_TREES = "a sentence begins like a tree, {word}{others}: if it is one, use --from brackets"


class Doubts:
    """Looks at the texts of trees, and warns at the end: once for each kind of doubt."""

    def __init__(self) -> None:
        self._first: dict[str, tuple[Chunk, str]] = {}
        self._counts: Counter[str] = Counter()
        self._first_line: Chunk | None = None

    def look_at(self, format: str, chunk: Chunk) -> None:
        """Remember the words of a text that raise a doubt."""
        if format == "tokens":
            self._first_line = self._first_line or chunk
            self._counts[_WORDS] += 1
            self._counts[""] += len(chunk.text.split()) <= 1
        for doubt, words in _doubts(format, chunk.text):
            if words:
                self._counts[doubt] += len(words)
                self._first.setdefault(doubt, (chunk, words[0]))

    def warn(self) -> None:
        """Warn with the place of the first word of each doubt, and the number of the others."""
        lines = self._counts.pop(_WORDS, 0)
        if self._first_line and lines == self._counts.pop("") > _FEW:
            self._first[_WORDS] = self._first_line, self._first_line.text
        for doubt, (chunk, word) in self._first.items():
            more = self._counts[doubt] - 1
            others = f", and {more} more such {'word' if more == 1 else 'words'}" if more else ""
            message = doubt.format(word=word, others=others)
            warning = chunk.error(message, max(0, chunk.text.find(word)))
            warnings.warn(TreebankWarning(str(warning)), stacklevel=3)


def _doubts(format: str, text: str) -> Iterator[tuple[str, list[str]]]:
    if format in (BRACKETS.name, DISCBRACKET.name):
        yield _NULLS, bare_nulls(text)
        if "|<" in text:
            yield _LABELS, _BINARIZED.findall(text)
    if format == BRACKETS.name:
        if "(ID " in text:
            yield _IDENTIFIERS, _IDENTIFIER.findall(text)
        if " 0=" in text and has_positions(text):
            yield _POSITIONS, [text]
    if format == "tokens" and text.startswith("(") and is_surely_tree(text.encode()):
        yield _TREES, [text.split()[0]]
