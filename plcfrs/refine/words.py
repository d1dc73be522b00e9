"""What a refined grammar knows about words: tags they can have, and which substates they favour."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import log

from plcfrs.grammar import Nonterminal
from plcfrs.refine.grammar import RefinedGrammar

# How much the class of a rare word counts, in occurrences, beside the tags it was seen with.
_PRIOR = 1.0


class Words:
    """The lexicon of a refined grammar, ready to look up.

    Parameters
    ----------
    refined : RefinedGrammar
    """

    def __init__(self, refined: RefinedGrammar) -> None:
        self._classes = refined.classes
        self._words = refined.grammar.lexicon.words
        self._pairs = {pair: number for number, pair in enumerate(refined.pairs)}
        self._totals: dict[Nonterminal, float] = defaultdict(float)
        self._rare: dict[Nonterminal, float] = defaultdict(float)
        self._tags: dict[str, dict[Nonterminal, float]] = defaultdict(dict)
        for (symbol, word_class), count in refined.pairs.items():
            self._totals[symbol] += count
            self._tags[word_class][symbol] = count
            if word_class in refined.classes.signatures:
                self._rare[symbol] += count

    def tags(self, words: Sequence[str]) -> list[dict[Nonterminal, float]]:
        """Return the tags that each word of a sentence can have, with their costs.

        A frequent word has the tags it was seen with, any other those of its class, the more
        probable the more often it was seen with them itself.

        Parameters
        ----------
        words : sequence of str

        Returns
        -------
        list of dict of Nonterminal to float
            ``-log P(word | tag)`` (natural logarithm), for rare words but for a constant that makes
            all at least 0.
        """
        classes = self._classes.of_sentence(words)
        return [self._costs(*pair) for pair in zip(words, classes, strict=True)]

    def pairs(self, words: Sequence[str]) -> list[dict[Nonterminal, int]]:
        """Return the number of the pair that stands for each word with each of its tags.

        A frequent word with a tag that it was not seen with is known by its signature.
        """
        signatures = self._classes.signatures_of(words)
        return [
            {
                symbol: self._pairs[symbol, name]
                for name in (signature, word)  # only frequent words have pairs of their own
                for symbol in self._tags.get(name, ())
            }
            for word, signature in zip(words, signatures, strict=True)
        ]

    def _costs(self, word: str, word_class: str) -> dict[Nonterminal, float]:
        tags = self._tags.get(word_class) or self._rare or self._totals
        seen = {} if word in self._classes.words else self._words.get(word, {})
        class_total, word_total = sum(tags.values()), sum(seen.values())
        costs = {}
        for symbol, count in tags.items():
            of_class = count / class_total
            of_word = (_PRIOR * of_class + seen.get(symbol, 0.0)) / (_PRIOR + word_total)
            # By Bayes, P(word | tag) is in proportion to P(tag | word) / P(tag).
            costs[symbol] = log(self._totals[symbol] / count) + log(of_class / of_word)
        above = -min(0.0, *costs.values())
        return {symbol: above + cost for symbol, cost in costs.items()}
