"""What a refined grammar knows about words: tags they can have, and which substates they favour."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from plcfrs.grammar import Lexicon, Nonterminal
from plcfrs.refinement.grammar import RefinedGrammar
from plcfrs.tagging import WordModel


class Words:
    """The lexicon of a refined grammar, ready to look up.

    Parameters
    ----------
    refined : RefinedGrammar
    """

    def __init__(self, refined: RefinedGrammar) -> None:
        self._classes = refined.classes
        self._pairs = {pair: number for number, pair in enumerate(refined.pairs)}
        self._tags: dict[str, dict[Nonterminal, float]] = defaultdict(dict)
        for (symbol, word_class), count in refined.pairs.items():
            self._tags[word_class][symbol] = count
        signatures = {name: self._tags[name] for name in refined.classes.signatures & {*self._tags}}
        self._model = WordModel(Lexicon(refined.grammar.lexicon.words, signatures))

    def tags(self, words: Sequence[str]) -> list[dict[Nonterminal, float]]:
        """Return the tags that each word of a sentence can have; see `WordModel.tags`."""
        return self._model.tags(words)

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
