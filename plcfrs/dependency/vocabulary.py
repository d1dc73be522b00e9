"""The words and tags of training sentences."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from plcfrs.storage.model_file import read_texts
from plcfrs.trees import Token


@dataclass(frozen=True)
class Vocabulary:
    """The words and tags of training sentences.

    Parameters
    ----------
    words : tuple of str
        Words seen at least twice; all others are the unknown word.
    tags : tuple of str
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

    def header(self) -> dict[str, str]:
        """Return the vocabulary as text."""
        return {
            "words": json.dumps(self.words, ensure_ascii=False),
            "tags": json.dumps(self.tags, ensure_ascii=False),
        }

    @classmethod
    def from_header(cls, header: Mapping[str, str]) -> Vocabulary:
        """Return the vocabulary of a header.

        Raises
        ------
        ValueError
            If something is missing or wrong.
        """
        try:
            return cls(read_texts(header["words"]), read_texts(header["tags"]))
        except (KeyError, ValueError, TypeError):
            raise ValueError("the vocabulary of the parser of dependencies is damaged") from None
