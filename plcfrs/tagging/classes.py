"""Classes of words: a frequent word is its own class; rare and unknown words have signatures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

_LONGEST_SUFFIX = 4

# A suffix makes a signature if this many rare words have it without a longer such suffix.
_LEAST = 10

# The class of a word that looks like no rare word of the treebank.
UNKNOWN = "unknown -"

# Words seen at most this often are rare.
RARE = 3


class Form(NamedTuple):
    """A word in a sentence.

    Parameters
    ----------
    word : str
    is_first : bool
        Whether it begins the sentence: only punctuation is before it.
    """

    word: str
    is_first: bool


@dataclass(frozen=True, slots=True)
class WordClasses:
    """The words that are their own classes, and the signatures of all others.

    A signature says how a word is written and how it ends: ``lower -ing``, ``Capital first -``,
    ``digit hyphen -``. The endings are learned from the rare words of a treebank, for any language.
    A signature contains a blank, a word does not.

    Parameters
    ----------
    words : frozenset of str
        The frequent words.
    signatures : frozenset of str
        The signatures of the rare words.

    Examples
    --------
    >>> from collections import Counter
    >>> sentences = [["One", "ferry", "was", "late"], ["The", "train", "was", "late"]]
    >>> counts = Counter(form for sentence in sentences for form in forms(sentence))
    >>> classes = WordClasses.learn(counts, rare=1)
    >>> classes.of_sentence(["This", "plane", "was", "late"])
    ['Capital first -', 'lower -', 'was', 'late']
    """

    words: frozenset[str]
    signatures: frozenset[str]

    @classmethod
    def learn(
        cls, counts: Mapping[Form, float], rare: float = RARE, least: int = _LEAST
    ) -> WordClasses:
        """Return the frequent words and the signatures of the others.

        Parameters
        ----------
        counts : mapping of Form to float
            How often each word was seen, and where.
        rare : float
            Words seen at most this often are rare.
        least : int
            The least number of different rare words with an ending.
        """
        totals: defaultdict[str, float] = defaultdict(float)
        for (word, _), count in counts.items():
            totals[word] += count
        frequent = frozenset(word for word, count in totals.items() if count > rare)
        left = {form for form in counts if form.word not in frequent}
        signatures: set[str] = set()
        for length in range(_LONGEST_SUFFIX, -1, -1):
            having = defaultdict(set)
            for form in left:
                if _has_suffix(form.word, length):
                    having[_signature(form, length)].add(form)
            for signature, covered in having.items():
                if len(covered) >= least or length == 0:
                    signatures.add(signature)
                    left -= covered
        return cls(frequent, frozenset(signatures))

    def of_sentence(self, words: Sequence[str]) -> list[str]:
        """Return the class of each word of a sentence.

        Parameters
        ----------
        words : sequence of str
        """
        return [
            word if word in self.words else signature
            for word, signature in zip(words, self.signatures_of(words), strict=True)
        ]

    def signatures_of(self, words: Sequence[str]) -> list[str]:
        """Return the signature of each word of a sentence, as if it were rare.

        Parameters
        ----------
        words : sequence of str
        """
        return [self.signature(form) for form in forms(words)]

    def signature(self, form: Form) -> str:
        """Return the signature of a word, with the longest known ending.

        Parameters
        ----------
        form : Form
        """
        for length in range(_LONGEST_SUFFIX, -1, -1):
            signature = _signature(form, length)
            if _has_suffix(form.word, length) and signature in self.signatures:
                return signature
        return UNKNOWN


def forms(words: Sequence[str]) -> list[Form]:
    """Return the words of a sentence, each with whether it is the first one.

    Parameters
    ----------
    words : sequence of str
    """
    first = next((n for n, word in enumerate(words) if any(map(str.isalnum, word))), 0)
    return [Form(word, position == first) for position, word in enumerate(words)]


def _signature(form: Form, length: int) -> str:
    """Return the signature of a word with an ending of this length."""
    word = form.word
    return f"{_writing(word, form.is_first)} -{word[len(word) - length :].lower()}"


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
