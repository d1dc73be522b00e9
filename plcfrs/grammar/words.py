"""The tags of known and unknown words; rare and unknown words share signatures.

A word that was seen c(word, tag) times with a tag has

    P(word | tag) = (c(word, tag) + k * P(tag | signature)) / C(tag)

where P(tag | signature) is the relative frequency among rare words with the same signature (among
all rare words, if none has it), and k is a constant. So a word seen once is judged mostly by its
form, a frequent one by its use, and every word has a tag. C(tag) is the sum over all words of the
lexicon and one unseen word for each signature: the probabilities of the words of a tag sum to 1.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp
from typing import NamedTuple

from plcfrs.grammar.grammar import Lexicon
from plcfrs.grammar.rules import Nonterminal, cost

_LONGEST_SUFFIX = 4

# A suffix makes a signature if this many rare words have it and no longer such suffix.
_LEAST_WORDS = 10

# The class of a word that does not look like any rare word of the treebank.
UNKNOWN = "unknown -"

# Words seen at most this often are rare.
RARE = 3


class Form(NamedTuple):
    """A word in a sentence."""

    word: str
    is_first: bool  # whether it begins the sentence: only punctuation is before it


@dataclass(frozen=True, slots=True)
class WordClasses:
    """The words that are their own classes, and the signatures of all others.

    A signature says how a word is written and how it ends: ``lower -ing``, ``Capital first -``,
    ``digit hyphen -``. The endings are learned from the rare words of a treebank, for any language.
    A signature contains a blank, a word does not.

    >>> from collections import Counter
    >>> sentences = [["One", "ferry", "was", "late"], ["The", "train", "was", "late"]]
    >>> counts = Counter(form for sentence in sentences for form in forms(sentence))
    >>> classes = WordClasses.learn(counts, rare=1)
    >>> classes.of_sentence(["This", "plane", "was", "late"])
    ['Capital first -', 'lower -', 'was', 'late']
    """

    words: frozenset[str]  # the frequent ones
    signatures: frozenset[str]  # of the rare words

    @classmethod
    def learn(
        cls, counts: Mapping[Form, float], rare: float = RARE, least: int = _LEAST_WORDS
    ) -> WordClasses:
        """Return the frequent words and the signatures of the others.

        Words seen at most `rare` times are rare. An ending makes a signature if at least `least`
        different rare words have it.
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
        """Return the class of each word of a sentence."""
        return [
            word if word in self.words else signature
            for word, signature in zip(words, self.signatures_of(words), strict=True)
        ]

    def signatures_of(self, words: Sequence[str]) -> list[str]:
        """Return the signature of each word of a sentence, as if it were rare."""
        return [self.signature(form) for form in forms(words)]

    def signature(self, form: Form) -> str:
        """Return the signature of a word, with the longest known ending."""
        for length in range(_LONGEST_SUFFIX, -1, -1):
            signature = _signature(form, length)
            if _has_suffix(form.word, length) and signature in self.signatures:
                return signature
        return UNKNOWN


def forms(words: Sequence[str]) -> list[Form]:
    """Return the words of a sentence; the first one is marked."""
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


# The weight of a signature, in occurrences (k above), and the lowest probability of a tag relative
# to the best tag of a word. Both were chosen on files 0160-0179 of the Penn Treebank sample: 2.1
# tags for each word, with the right one among them for 99.6% of the words.
_PRIOR = 0.5
_RATIO = exp(-6.0)


class WordModel:
    """The tags of words with their costs.

    Without signatures in the lexicon, unknown words have no tags, and known words have only the
    tags with which they were seen.

    >>> from plcfrs.grammar import tag
    >>> lexicon = Lexicon({"ferry": {tag("NN"): 3}}, {"lower -": {tag("VB"): 1}})
    >>> model = WordModel(lexicon)
    >>> [[str(tag) for tag in tags] for tags in model.tags(["ferry", "dock"])]
    [['NN', 'VB'], ['VB']]
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self._classes = WordClasses(frozenset(), frozenset(lexicon.signatures))
        self._tags_of = _tags_of_signatures(lexicon)
        self._lexicon = lexicon
        self._totals_of: dict[bool, dict[Nonterminal, float]] = {}

    def tags(self, words: Sequence[str]) -> list[dict[Nonterminal, float]]:
        """Return the tags that each word of a sentence can have, with ``-log P(word | tag)``.

        The logarithm is natural. Tags that are far less probable than the best one are left out.
        """
        return [self._likely(form) for form in forms(words)]

    def probabilities(self, form: Form) -> dict[Nonterminal, float]:
        """Return P(word | tag) for each possible tag of a word."""
        seen = self._lexicon.words.get(form.word, {})
        expected = self._tags_of.get(self._classes.signature(form), {})
        totals = self._totals(form.is_first)
        return {
            tag: (seen.get(tag, 0) + _PRIOR * expected.get(tag, 0)) / totals[tag]
            for tag in {**seen, **expected}
        }

    def _likely(self, form: Form) -> dict[Nonterminal, float]:
        totals = self._totals(form.is_first)
        probabilities = self.probabilities(form)
        joint = {tag: p * totals[tag] for tag, p in probabilities.items()}
        least = _RATIO * max(joint.values(), default=0.0)
        return {tag: cost(p) for tag, p in probabilities.items() if joint[tag] >= least}

    def _totals(self, is_first: bool) -> dict[Nonterminal, float]:
        """Return C(tag) for words that begin a sentence, or for all others."""
        if is_first in self._totals_of:
            return self._totals_of[is_first]
        lexicon = self._lexicon
        totals = lexicon.totals()
        numbers = Counter(self._classes.signature(Form(word, is_first)) for word in lexicon.words)
        numbers.update(list(self._tags_of))  # one unseen word for each signature
        for signature, expected in self._tags_of.items():
            for tag, p in expected.items():
                totals[tag] = totals.get(tag, 0.0) + _PRIOR * p * numbers[signature]
        self._totals_of[is_first] = totals  # on demand: given tags need none
        return totals


def _tags_of_signatures(lexicon: Lexicon) -> dict[str, Mapping[Nonterminal, float]]:
    """Return P(tag | signature), also for words that do not look like any rare word."""
    counts = {signature: Counter(tags) for signature, tags in lexicon.signatures.items()}
    if counts:
        counts[UNKNOWN] = sum(counts.values(), Counter())
    return {
        signature: {tag: count / tags.total() for tag, count in tags.items()}
        for signature, tags in counts.items()
    }


def learn_signatures(lexicon: Lexicon) -> None:
    """Set the signatures of a lexicon, which give tags to unknown words, from its counts.

    The lexicon is changed; its `initial` is cleared.

    >>> from plcfrs.grammar import tag
    >>> lexicon = Lexicon()
    >>> lexicon.add(tag("NNS"), "ferries", 2)
    >>> lexicon.add(tag("NNP"), "Elbe")
    >>> learn_signatures(lexicon)
    >>> {signature: list(map(str, tags)) for signature, tags in lexicon.signatures.items()}
    {'lower -': ['NNS'], 'Capital -': ['NNP']}
    """
    seen = _occurrences(lexicon)
    counts: dict[Form, float] = defaultdict(float)
    for form, _, count in seen:
        counts[form] += count
    classes = WordClasses.learn(counts)
    signatures: dict[str, dict[Nonterminal, float]] = defaultdict(dict)
    for form, tag, count in seen:
        if form.word not in classes.words:
            tags = signatures[classes.signature(form)]
            tags[tag] = tags.get(tag, 0) + count
    lexicon.signatures = dict(signatures)
    lexicon.initial = {}


def _occurrences(lexicon: Lexicon) -> list[tuple[Form, Nonterminal, float]]:
    """Return the count of each word with each tag, at the beginning of sentences and elsewhere."""
    occurrences = []
    for word, tags in lexicon.words.items():
        for tag, count in tags.items():
            initial = lexicon.initial.get(word, {}).get(tag, 0)
            parts = (Form(word, True), tag, initial), (Form(word, False), tag, count - initial)
            occurrences += [part for part in parts if part[2]]
    return occurrences
