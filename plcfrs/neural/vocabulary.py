"""The vocabulary of a network, and sentences as the numbers that are its input."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plcfrs.trees import Token

Int32 = NDArray[np.int32]

UNKNOWN = 0
_END = 1  # the number of the end of a word, so that no spelling is empty
_FIRST_CHARACTER = 2
_LONGEST = 20  # characters of a word that are read


class Numbers(NamedTuple):
    """A batch of sentences as numbers; the tokens are one after the other.

    Parameters
    ----------
    lengths : array of (sentences,)
        The number of tokens of each sentence.
    words, tags : array of (tokens,)
    spellings : array of (tokens,)
        The number of the spelling of each token; each is in the batch once.
    spelling_lengths : array of (spellings,)
        The number of characters of each spelling.
    characters : array of (characters of all spellings,)
    """

    lengths: Int32
    words: Int32
    tags: Int32
    spellings: Int32
    spelling_lengths: Int32
    characters: Int32


@dataclass(frozen=True)
class Vocabulary:
    """The words, characters, tags and labels of the training trees.

    Parameters
    ----------
    words, characters : tuple of str
        Those seen at least twice; the others are unknown.
    labels : tuple of str
        See `plcfrs.transition.sets.constituents.inventory`; the first one is empty.
    """

    words: tuple[str, ...]
    characters: tuple[str, ...]
    tags: tuple[str, ...]
    labels: tuple[str, ...]

    @classmethod
    def of(cls, sentences: Iterable[Sequence[Token]], labels: Sequence[str]) -> Vocabulary:
        """Return the vocabulary of training sentences and the labels of their trees.

        >>> sentence = [Token("to", "TO"), Token("be", "VB"), Token("to", "TO")]
        >>> Vocabulary.of([sentence], ("", "ROOT+VP"))
        Vocabulary(words=('to',), characters=('o', 't'), tags=('TO', 'VB'), labels=('', 'ROOT+VP'))
        """
        tokens = [token for sentence in sentences for token in sentence]
        words = Counter(token.form for token in tokens)
        characters = Counter(character for token in tokens for character in token.form)
        return cls(
            _frequent(words),
            _frequent(characters),
            tuple(sorted({token.tag for token in tokens})),
            tuple(labels),
        )

    def numbers(self, sentences: Iterable[Sequence[Token]]) -> Numbers:
        """Return sentences as numbers."""
        sentences = list(sentences)
        tokens = [token for sentence in sentences for token in sentence]
        place: dict[str, int] = {}
        spellings = [place.setdefault(token.form, len(place)) for token in tokens]
        characters = [self._spelling(form) for form in place]
        return Numbers(
            _array(map(len, sentences)),
            _array(self._words.get(token.form, UNKNOWN) for token in tokens),
            _array(self._tags.get(token.tag, UNKNOWN) for token in tokens),
            _array(spellings),
            _array(map(len, characters)),
            _array(number for spelling in characters for number in spelling),
        )

    @property
    def sizes(self) -> tuple[int, int, int]:
        """How many numbers there are for words, characters and tags."""
        return len(self.words) + 1, len(self.characters) + _FIRST_CHARACTER, len(self.tags) + 1

    def _spelling(self, form: str) -> list[int]:
        if len(form) > _LONGEST:
            form = form[: _LONGEST // 2] + form[-_LONGEST // 2 :]
        return [*(self._characters.get(character, UNKNOWN) for character in form), _END]

    @cached_property
    def _words(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words, start=1)}

    @cached_property
    def _tags(self) -> dict[str, int]:
        return {tag: number for number, tag in enumerate(self.tags, start=1)}

    @cached_property
    def _characters(self) -> dict[str, int]:
        return {
            character: number
            for number, character in enumerate(self.characters, start=_FIRST_CHARACTER)
        }


def _frequent(counts: Counter[str]) -> tuple[str, ...]:
    return tuple(sorted(text for text, count in counts.items() if count > 1))


def _array(numbers: Iterable[int]) -> Int32:
    return np.fromiter(numbers, np.int32)
