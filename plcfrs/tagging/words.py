"""The tags of known and unknown words, with costs.

A word that was seen c(word, tag) times with a tag has

    P(word | tag) = (c(word, tag) + k * P(tag | signature)) / C(tag)

where P(tag | signature) is the relative frequency among rare words with the same signature (among
all rare words, if none has it), and k is a constant. So a word seen once is judged mostly by its
form, a frequent one by its use, and every word has a tag. C(tag) is the sum over all words of the
lexicon and one unseen word for each signature: the probabilities of the words of a tag sum to 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import exp

from plcfrs.grammar import Lexicon, Nonterminal, cost
from plcfrs.tagging.classes import UNKNOWN, Form, WordClasses, forms

# The weight of a signature, in occurrences (k above); and how much less probable than the best tag
# of a word another one may be. Both were chosen on files 0160-0179 of the Penn Treebank sample: 2.1
# tags for each word, with the right one among them for 99.6% of the words.
_PRIOR = 0.5
_RATIO = exp(-6.0)


class WordModel:
    """The tags of words with their costs.

    Parameters
    ----------
    lexicon : Lexicon
        Without signatures, unknown words have no tags, and known words have the tags they were seen
        with.

    Examples
    --------
    >>> from plcfrs.grammar import tag
    >>> lexicon = Lexicon({"ferry": {tag("NN"): 3}}, {"lower -": {tag("VB"): 1}})
    >>> model = WordModel(lexicon)
    >>> [[str(tag) for tag in tags] for tags in model.tags(["ferry", "dock"])]
    [['NN', 'VB'], ['VB']]
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self._words = lexicon.words
        self._classes = WordClasses(frozenset(), frozenset(lexicon.signatures))
        self._of_signatures = _tags_of_signatures(lexicon)
        self._lexicon = lexicon
        self._known_totals: dict[bool, dict[Nonterminal, float]] = {}

    def tags(self, words: Sequence[str]) -> list[dict[Nonterminal, float]]:
        """Return the tags that each word of a sentence can have.

        Parameters
        ----------
        words : sequence of str

        Returns
        -------
        list of dict of Nonterminal to float
            ``-log P(word | tag)`` (natural logarithm), without tags that are far less probable than
            the best one; empty for an unknown word if there are no signatures.
        """
        return [self._likely(form) for form in forms(words)]

    def probabilities(self, form: Form) -> dict[Nonterminal, float]:
        """Return P(word | tag) for each possible tag of a word.

        Parameters
        ----------
        form : Form
        """
        seen = self._words.get(form.word, {})
        expected = self._of_signatures.get(self._classes.signature(form), {})
        totals = self._totals(form.is_first)
        return {
            tag: (seen.get(tag, 0) + _PRIOR * expected.get(tag, 0)) / totals[tag]
            for tag in {**seen, **expected}
        }

    def _likely(self, form: Form) -> dict[Nonterminal, float]:
        totals = self._totals(form.is_first)
        found = self.probabilities(form)
        joint = {tag: p * totals[tag] for tag, p in found.items()}
        least = _RATIO * max(joint.values(), default=0.0)
        return {tag: cost(p) for tag, p in found.items() if joint[tag] >= least}

    def _totals(self, is_first: bool) -> dict[Nonterminal, float]:
        """Return C(tag) for words that begin a sentence, or for all others."""
        if is_first in self._known_totals:
            return self._known_totals[is_first]
        lexicon = self._lexicon
        totals = lexicon.totals()
        numbers = Counter(self._classes.signature(Form(word, is_first)) for word in lexicon.words)
        numbers.update(list(self._of_signatures))  # one unseen word for each signature
        for signature, expected in self._of_signatures.items():
            for tag, p in expected.items():
                totals[tag] = totals.get(tag, 0.0) + _PRIOR * p * numbers[signature]
        self._known_totals[is_first] = totals  # only now: given tags need none
        return totals


def _tags_of_signatures(lexicon: Lexicon) -> dict[str, Mapping[Nonterminal, float]]:
    """Return P(tag | signature), also for words that look like no rare word."""
    counts = {signature: Counter(tags) for signature, tags in lexicon.signatures.items()}
    if counts:
        counts[UNKNOWN] = sum(counts.values(), Counter())
    return {
        signature: {tag: count / tags.total() for tag, count in tags.items()}
        for signature, tags in counts.items()
    }
