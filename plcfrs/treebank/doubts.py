"""Warnings about texts that are read as they are, but may mean something else.

The beginning of a file decides about its format; what does not fit further on is named once.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator

from plcfrs.errors import TreebankWarning
from plcfrs.treebank.format import Chunk, bare_nulls, has_positions, is_surely_tree

_BINARIZED = re.compile(r"(?<=\()[^\s()]*\|<[^\s()>]*>[^\s()]*", re.ASCII)
_IDENTIFIER = re.compile(r"\(ID [^\s()]+\)(?=\s*\)\s*\Z)", re.ASCII)
_NULLS = (
    "{} is read as a word{}: if they are null elements, use --from psd, or give them the tag -NONE-"
)
_LABELS = "{} is a label of a binarization{}: undo it first, in NLTK with un_chomsky_normal_form()"
_IDENTIFIERS = "{} is read as a word{}: if it is an identifier, use --from psd"
_POSITIONS = "a tree has words with their positions, {}{}: use --from discbracket"
_TREES = "a sentence begins like a tree, {}{}: if it is one, use --from brackets"
_WORDS = "{} is the only word of its line{}: if sentences have several lines, use --from vertical"
_FEW = 20  # lines may be words by chance


class Doubts:
    """Looks at the texts of trees, and warns at the end: once for each kind of doubt."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[Chunk, str, int]] = {}
        self._lines = 0

    def look_at(self, format: str, chunk: Chunk) -> None:
        """Remember the words of a text that raise a doubt."""
        self._lines += not chunk.text.isspace()
        for doubt, words in _doubts(format, chunk.text):
            if words:
                first, word, count = self._found.get(doubt, (chunk, words[0], 0))
                self._found[doubt] = first, word, count + len(words)

    def warn(self) -> None:
        """Warn with the place of the first word of each doubt, and the number of the others."""
        for doubt, (chunk, word, count) in self._found.items():
            if doubt == _WORDS and (count < self._lines or count <= _FEW):
                continue
            others = f", and {count - 1} more such word{'s' * (count > 2)}" if count > 1 else ""
            error = chunk.error(doubt.format(word, others), max(0, chunk.text.find(word)))
            warnings.warn(TreebankWarning(str(error)), stacklevel=3)


def _doubts(format: str, text: str) -> Iterator[tuple[str, list[str]]]:
    if format in ("brackets", "discbracket"):
        yield _NULLS, bare_nulls(text)
        if "|<" in text:
            yield _LABELS, _BINARIZED.findall(text)
    if format == "brackets":
        if "(ID " in text:
            yield _IDENTIFIERS, _IDENTIFIER.findall(text)
        if " 0=" in text and has_positions(text):
            yield _POSITIONS, ["0="]
    elif format == "tokens":
        words = text.split(maxsplit=1)
        if len(words) == 1:
            yield _WORDS, words
        elif text.startswith("(") and is_surely_tree(text.encode("utf-8", "replace")):
            yield _TREES, words[:1]
