"""Words in refined grammars: their possible tags, and their pairs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from plcfrs.grammar import Lexicon, Nonterminal
from plcfrs.refinement.grammar import RefinedGrammar
from plcfrs.tagging import WordModel


class Words:
    """The lexicon of a refined grammar, ready for lookup."""

    def __init__(self, refined: RefinedGrammar) -> None:
        self._classes = refined.classes
        self._pairs = {pair: number for number, pair in enumerate(refined.pairs)}
        self._tags: dict[str, dict[Nonterminal, float]] = defaultdict(dict)
        for (symbol, word_class), count in refined.pairs.items():
            self._tags[word_class][symbol] = count
        signatures = {name: self._tags[name] for name in refined.classes.signatures & {*self._tags}}
        self._model = WordModel(Lexicon(refined.grammar.lexicon.words, signatures))

    def tags(self, words: Sequence[str]) -> list[dict[Nonterminal, float]]:
        """Return the possible tags of each word of a sentence; see `WordModel.tags`."""
        return self._model.tags(words)

    def pairs(self, words: Sequence[str]) -> list[dict[Nonterminal, int]]:
        """Return the number of the pair of each word with each of its tags.

        For a tag that a frequent word was not seen with, the word's signature is used.
        """
        signatures = self._classes.signatures_of(words)
        return [
            {
                symbol: self._pairs[symbol, name]
                for name in (signature, word)  # only frequent words have their own pairs
                for symbol in self._tags.get(name, ())
            }
            for word, signature in zip(words, signatures, strict=True)
        ]
