r"""Examples of rules: a sentence in which the yield of the left-hand side is marked.

The text form has the name of the sentence, then its words, with the ranges of the constituent in
square brackets: ``wsj_0041:7 [What] should I [do] ?``. Words are written as in the lexicon, with a
backslash before square brackets of their own. ``-`` stands for a missing name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from plcfrs.errors import GrammarError
from plcfrs.grammar.nonterminal import escape, unescape

_NO_NAME = "-"
_BRACKET = re.compile(r"[\[\]]")
_MARKED = re.compile(r"(\[?)((?:\\.|[^\\\[\]])+)(\]?)")

Range = tuple[int, int]
"""Positions of tokens, half-open: the first one, and the one after the last."""


class Example(NamedTuple):
    """A sentence of the treebank in which a rule was used, with the ranges of its left-hand side.

    >>> print(Example(("What", "should", "I", "do", "?"), ((0, 1), (3, 4))))
    [What] should I [do] ?
    """

    words: tuple[str, ...]
    ranges: tuple[Range, ...]
    sentence: str = ""

    def __str__(self) -> str:
        return " ".join(self._marked(self.words))

    def line(self) -> str:
        """Return the text form, the inverse of `parse_example`."""
        name = escape(self.sentence)
        name = f"\\{name}" if name == _NO_NAME else name or _NO_NAME
        words = tuple(_BRACKET.sub(r"\\\g<0>", escape(word)) for word in self.words)
        return " ".join([name, *self._marked(words)])

    def _marked(self, words: tuple[str, ...]) -> list[str]:
        marked = list(words)
        for left, right in self.ranges:
            marked[left] = f"[{marked[left]}"
            marked[right - 1] = f"{marked[right - 1]}]"
        return marked


def shortest(examples: Iterable[Example], most: int) -> tuple[Example, ...]:
    """Return the shortest examples, and of examples with equal lengths the first ones."""
    return tuple(sorted(examples, key=lambda example: len(example.words))[:most])


def parse_example(text: str) -> Example:
    """Read the text form of an example.

    >>> parse_example("wsj:7 [What] should I [do] ?").ranges
    ((0, 1), (3, 4))
    """
    name, *fields = text.split()
    words: list[str] = []
    ranges: list[Range] = []
    begin = None
    for position, field in enumerate(fields):
        match = _MARKED.fullmatch(field)
        if match is None or (match[1] and begin is not None):
            raise _error(text)
        begin = position if match[1] else begin
        if match[3]:
            if begin is None:
                raise _error(text)
            ranges.append((begin, position + 1))
            begin = None
        words.append(unescape(match[2]))
    if begin is not None or not ranges:
        raise _error(text)
    return Example(tuple(words), tuple(ranges), "" if name == _NO_NAME else unescape(name))


def _error(text: str) -> GrammarError:
    return GrammarError(
        f"{text.strip()!r} should be like 'wsj:7 [What] should I [do] ?': the name of a sentence, "
        "or -, and its words, with brackets around each range"
    )
