"""The words and tags of training sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from plcfrs.trees import Token


@dataclass(frozen=True)
class Vocabulary:
    """The words and tags of training sentences.

    Parameters
    ----------
    words : tuple of str
        Words seen at least twice; all others are the unknown word.
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]

    @classmethod
    def of(cls, sentences: Iterable[Sequence[Token]]) -> Vocabulary:
        """Return the vocabulary of training sentences."""
        tokens = [token for sentence in sentences for token in sentence]
        words = Counter(token.form for token in tokens)
        return cls(
            tuple(sorted(word for word, count in words.items() if count > 1)),
            tuple(sorted({token.tag for token in tokens})),
        )

    @cached_property
    def known(self) -> frozenset[str]:
        """The words as a set."""
        return frozenset(self.words)
