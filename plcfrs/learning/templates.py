"""What features consist of: texts as atoms, and templates that combine atoms into keys."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

Keys = NDArray[np.uint64]

_FACTORS = np.array(
    [0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93], np.uint64
)
_MIX = np.uint64(0xBF58476D1CE4E5B9)
_MASK = 2**64 - 1
_FOLD = 0xD6E8FEB86659FD93


def digest(text: str) -> int:
    """Return the 64-bit number of a text, the same in all processes."""
    hashed = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(hashed, "little")


number = lru_cache(maxsize=100_000)(digest)


def folded(numbers: Iterable[int]) -> int:
    """Return a 64-bit number for a sequence of numbers.

    >>> folded([1, 2]) == folded([2, 1])
    False
    """
    value = 1
    for each in numbers:
        value = (value * _FOLD + each) & _MASK
    return value ^ value >> 29


def frequent(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the texts that occur at least twice, in order.

    >>> frequent(["to", "be", "or", "not", "to", "be"])
    ('be', 'to')
    """
    return tuple(sorted(text for text, count in Counter(texts).items() if count > 1))


def outline_of(word: str) -> str:
    """Return a word with X for capital letters, x for other letters, and 9 for digits."""
    return "".join(map(_kind_of_letter, word))


def _kind_of_letter(letter: str) -> str:
    """Return the kind of a letter or digit, and other characters unchanged."""
    if letter.isdigit():
        return "9"
    return "X" if letter.isupper() else "x" if letter.isalpha() else letter


def collapsed(text: str) -> str:
    """Return a text without repeated characters.

    >>> collapsed(outline_of("Mid-1990s"))
    'Xx-9x'
    """
    return "".join(letter for letter, _ in groupby(text))


def listed(text: str) -> tuple[str, ...]:
    """Return the names or templates of a text, which commas separate.

    >>> listed("tag, word tag")
    ('tag', 'word tag')
    """
    return tuple(" ".join(template.split()) for template in text.split(","))


class ContextTemplates:
    """Templates of features that combine up to four atoms.

    Parameters
    ----------
    atoms : sequence of str
        The names of the columns of a table of atoms.
    templates : sequence of str
        Names of atoms, with spaces between them.

    Examples
    --------
    >>> templates = ContextTemplates(["word", "tag"], ["tag", "word tag"])
    >>> table = np.array([[1, 2], [3, 2]], np.uint64)
    >>> keys = templates.keys(table)
    >>> keys.shape, bool(keys[0, 0] == keys[1, 0]), bool(keys[0, 1] == keys[1, 1])
    ((2, 2), True, False)
    """

    def __init__(self, atoms: Sequence[str], templates: Sequence[str]) -> None:
        self._seeds = np.array(list(map(number, templates)), np.uint64)
        most = max(len(template.split()) for template in templates)
        self._columns = np.full((most, len(templates)), len(atoms))
        for row, template in enumerate(templates):
            for place, name in enumerate(template.split()):
                self._columns[place, row] = atoms.index(name)

    def keys(self, table: Keys) -> Keys:
        """Return the keys (rows, templates) of all templates, for atoms (rows, atoms)."""
        atoms = np.hstack([table, np.zeros((len(table), 1), np.uint64)])
        keys = np.broadcast_to(self._seeds, (len(table), len(self._seeds))).copy()
        for columns, factor in zip(self._columns, _FACTORS, strict=False):
            keys += atoms[:, columns] * factor
        keys ^= keys >> np.uint64(31)
        keys *= _MIX
        return keys ^ (keys >> np.uint64(29))
