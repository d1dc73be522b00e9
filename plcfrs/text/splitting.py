"""Splitting running text into sentences and tokens, as a treebank has them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from io import StringIO

from plcfrs.text.sentences import split_sentences
from plcfrs.text.spelling import Spelling
from plcfrs.text.words import cut, guidelines_of
from plcfrs.trees import Token


class Splitter:
    """Splits text into sentences and tokens, as the treebank of a model has them.

    Parameters
    ----------
    words, tags : collection of str
        Those of the treebank: its words show how it spells quotes and brackets, its tags which
        guidelines it has. By default, tokens are as in the Penn Treebank.

    Examples
    --------
    >>> for tokens in Splitter().sentences("We can't. (Not now.)"):
    ...     print(*(token.form for token in tokens))
    We ca n't .
    -LRB- Not now . -RRB-
    """

    def __init__(self, words: Collection[str] = (), tags: Collection[str] = ("VBZ",)) -> None:
        self.guidelines = guidelines_of(tags)
        self._spell = Spelling(words)

    def tokens(self, sentence: str, start: int = 0) -> list[Token]:
        """Return the tokens of a sentence, which begins at a place of a text.

        >>> [(token.form, token.start, token.end) for token in Splitter().tokens("(I'm)", 20)]
        [('-LRB-', 20, 21), ('I', 21, 22), ("'m", 22, 24), ('-RRB-', 24, 25)]
        """
        return [
            Token(
                self._spell(word.form, sentence[word.start : word.end]),
                tag="",
                start=start + word.start,
                end=start + word.end,
            )
            for word in cut(sentence, self.guidelines)
        ]

    def sentences(self, text: str | Iterable[str]) -> Iterator[list[Token]]:
        """Yield the tokens of each sentence of a text, or of its lines with their ends."""
        lines = StringIO(text) if isinstance(text, str) else text
        for sentence in split_sentences(lines):
            yield self.tokens(sentence.text, sentence.start)

    def tokens_of(self, parts: Iterable[str]) -> list[list[Token]]:
        """Return the tokens of each part of a sentence, which is split as a whole.

        >>> parts = Splitter().tokens_of(["Mr.", "Hob", "can't", "see", "us."])
        >>> [[token.form for token in part] for part in parts]
        [['Mr.'], ['Hob'], ['ca', "n't"], ['see'], ['us', '.']]
        """
        parts = list(parts)
        tokens: list[list[Token]] = [[] for _ in parts]
        # The part of each character of the sentence; a blank belongs to the part before it.
        part_of = [number for number, part in enumerate(parts) for _ in f"{part} "]
        for token in self.tokens(" ".join(parts)):
            assert token.end is not None
            tokens[part_of[token.end - 1]].append(token)
        return tokens


def split_words(sentence: str) -> list[str]:
    """Return the words of a sentence, as the Penn Treebank writes them."""
    return [word.form for word in cut(sentence)]
