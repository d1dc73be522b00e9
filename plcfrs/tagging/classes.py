"""Classes of words: a frequent word is its own, rare and unknown ones are known by their form."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_LONGEST_SUFFIX = 4

# A suffix makes a signature if so many rare words have it that no longer one covers.
_LEAST = 10

# The class of a word that is written like no rare word of the treebank.
UNKNOWN = "unknown -"


@dataclass(frozen=True, slots=True)
class WordClasses:
    """Which words are classes of their own, and the signatures of all others.

    A signature says how a word is written and how it ends: ``lower -ing``, ``Capital first -``,
    ``digit hyphen -``. The endings are learned from the rare words of a treebank, so that they
    serve any language. A signature has a blank in it, which no word has.

    Parameters
    ----------
    words : frozenset of str
        The frequent words.
    signatures : frozenset of str
        Those of the rare words.

    Examples
    --------
    >>> sentences = [["One", "ferry", "was", "late"], ["The", "train", "was", "late"]]
    >>> classes = WordClasses.learn(sentences, rare=1)
    >>> classes.of_sentence(["This", "plane", "was", "late"])
    ['Capital first -', 'lower -', 'was', 'late']
    """

    words: frozenset[str]
    signatures: frozenset[str]

    @classmethod
    def learn(
        cls, sentences: Iterable[Sequence[str]], rare: int = 3, least: int = _LEAST
    ) -> WordClasses:
        """Find the frequent words of sentences, and the signatures of the others.

        Parameters
        ----------
        sentences : iterable of sequence of str
        rare : int
            Words seen so often or less are rare.
        least : int
            How many different rare words an ending needs.
        """
        read = [list(sentence) for sentence in sentences]
        counts = Counter(word for sentence in read for word in sentence)
        frequent = frozenset(word for word, count in counts.items() if count > rare)
        forms = {
            (word, is_first)
            for sentence in read
            for word, is_first in zip(sentence, _are_first(sentence), strict=True)
            if word not in frequent
        }
        signatures: set[str] = set()
        for length in range(_LONGEST_SUFFIX, -1, -1):
            having = defaultdict(set)
            for form in forms:
                if _has_suffix(form[0], length):
                    having[_signature(*form, length)].add(form)
            for signature, covered in having.items():
                if len(covered) >= least or length == 0:
                    signatures.add(signature)
                    forms -= covered
        return cls(frequent, frozenset(signatures))

    def of_sentence(self, words: Sequence[str]) -> list[str]:
        """Return the class of each word of a sentence."""
        return [
            word if word in self.words else signature
            for word, signature in zip(words, self.signatures_of(words), strict=True)
        ]

    def signatures_of(self, words: Sequence[str]) -> list[str]:
        """Return the signature of each word of a sentence, as if it was rare."""
        return [self._signature(*form) for form in zip(words, _are_first(words), strict=True)]

    def _signature(self, word: str, is_first: bool) -> str:
        """Return the signature with the longest ending that is known."""
        for length in range(_LONGEST_SUFFIX, -1, -1):
            signature = _signature(word, is_first, length)
            if _has_suffix(word, length) and signature in self.signatures:
                return signature
        return UNKNOWN


def _are_first(words: Sequence[str]) -> list[bool]:
    """Return for each word whether only punctuation is before it."""
    first = next((n for n, word in enumerate(words) if any(map(str.isalnum, word))), 0)
    return [position == first for position in range(len(words))]


def _signature(word: str, is_first: bool, length: int) -> str:
    """Return how a word is written, and its last letters."""
    return f"{_writing(word, is_first)} -{word[len(word) - length :].lower()}"


def _has_suffix(word: str, length: int) -> bool:
    return length == 0 or (len(word) > length and word[-length:].isalpha())


def _writing(word: str, is_first: bool) -> str:
    if any(map(str.isdigit, word)):
        writing = "digit"
    elif not any(map(str.isalpha, word)):
        writing = "sign"
    elif word.isupper() and len(word) > 1:
        writing = "CAPITALS"
    elif word[0].isupper():
        writing = "Capital first" if is_first else "Capital"
    else:
        writing = "lower" if word == word.lower() else "miXed"
    return f"{writing} hyphen" if "-" in word.strip("-") else writing
