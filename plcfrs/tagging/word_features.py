"""The features of the words around a token: how they are written, begin and end.

Each feature is a key of 64 bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby

import numpy as np

from plcfrs.linear.templates import Keys, Templates, digest

# Ratnaparkhi (1996), and combinations that did best on files 0160-0179 of the Penn Treebank sample
# and in the Potsdam Commentary Corpus. A number gives the position of the token, relative to the
# tagged one.
TEMPLATES = (
    *("form[0]", "lower[0]", "form[-1]", "form[1]"),
    *("form[-1] form[0]", "form[0] form[1]", "form[-1] form[1]"),
    *("prefix1[0]", "prefix2[0]", "prefix3[0]", "prefix4[0]"),
    *("suffix1[0]", "suffix2[0]", "suffix3[0]", "suffix4[0]", "suffix5[0]"),
    *("pattern[0]", "outline[0]", "marks[0]", "pattern[-1]", "pattern[1]"),
    *("pattern[-1] pattern[0]", "pattern[0] pattern[1]", "form[-1] pattern[0]"),
    *("suffix3[-1]", "suffix3[1]"),
    *("pattern[0] suffix3[0]", "suffix3[-1] suffix3[0]", "suffix3[0] suffix2[1]"),
)

_ATTRIBUTES = (
    *("form", "lower", "pattern", "outline", "marks"),
    *("prefix1", "prefix2", "prefix3", "prefix4"),
    *("suffix1", "suffix2", "suffix3", "suffix4", "suffix5"),
)
_REACH = 1  # tokens on either side
_OUTSIDE = np.ones(len(_ATTRIBUTES), np.uint64).tobytes()
_KEYS = Templates(
    [f"{name}[{place}]" for place in range(-_REACH, _REACH + 1) for name in _ATTRIBUTES], TEMPLATES
)


def features(words: Sequence[str]) -> Keys:
    """Return the keys of the features of each word of a sentence.

    Returns
    -------
    array of (words, templates)
    """
    outside = [_OUTSIDE] * _REACH
    rows = [*outside, *map(_attributes, words), *outside]
    table = np.frombuffer(b"".join(rows), np.uint64).reshape(len(rows), len(_ATTRIBUTES))
    return _KEYS.keys(
        np.hstack([table[place : place + len(words)] for place in range(2 * _REACH + 1)])
    )


@lru_cache(maxsize=50_000)
def _attributes(word: str) -> bytes:
    """Return a 64-bit number for each attribute of a word."""
    lower = word.lower()
    affixes = [lower[:length] for length in range(1, 5)]
    affixes += [lower[-length:] for length in range(1, 6)]
    outline = "".join(map(_kind, word))
    pattern = _squeezed(outline)
    ends = outline if len(word) < 5 else outline[:2] + _squeezed(outline[2:-2]) + outline[-2:]
    marks = f"{'9' in pattern:d}{'-' in word:d}{word.islower():d}"
    numbers = map(digest, (word, lower, pattern, ends, marks, *affixes))
    return np.array(list(numbers), np.uint64).tobytes()


def _kind(letter: str) -> str:
    """Return the kind of a letter or digit, and other characters unchanged."""
    if letter.isdigit():
        return "9"
    return "X" if letter.isupper() else "x" if letter.isalpha() else letter


def _squeezed(text: str) -> str:
    """Return a text without repeated characters.

    >>> _squeezed("Xxxx-99")
    'Xx-9'
    """
    return "".join(letter for letter, _ in groupby(text))
