"""A trained parser with everything that is needed to go from a sentence to a tree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from pathlib import Path
from typing import Literal

from plcfrs.binarize import binarize, restore
from plcfrs.chart import ChartParser, Statistics, Strategy
from plcfrs.extract import extract, rebuild
from plcfrs.grammar import Derivation, Grammar, Nonterminal, cost, tag
from plcfrs.transform import remove_splits
from plcfrs.trees import Token, Tree, no_parse

Status = Literal["parsed", "no parse", "unknown word", "unknown tag", "empty"]

# The tag of a word that the lexicon does not know, in a sentence without a parse.
UNKNOWN_TAG = "UNKNOWN"


@dataclass(frozen=True, slots=True)
class Parse:
    """What became of a sentence.

    Parameters
    ----------
    tree : Tree
        The parse without intermediate nodes and splits, or a flat NOPARSE tree.
    status : {"parsed", "no parse", "unknown word", "unknown tag", "empty"}
    reason : str
        The unknown word or tag.
    cost : float
        ``-log p`` (natural logarithm) of the best derivation; infinite without a parse.
    derivation : Derivation or None
        Of the unbinarized grammar.
    statistics : Statistics
    """

    tree: Tree
    status: Status
    reason: str = ""
    cost: float = inf
    derivation: Derivation | None = None
    statistics: Statistics = field(default_factory=Statistics)

    @property
    def log_probability(self) -> float:
        """Natural logarithm of the probability of the best derivation."""
        return -self.cost


class Model:
    """A grammar, ready to parse.

    Parameters
    ----------
    grammar : Grammar
        Of any rank; it is binarized if it has to be.
    strategy : {"astar", "knuth"}
        See `ChartParser`.

    Examples
    --------
    >>> from plcfrs.treebank import read_trees
    >>> from plcfrs.transform import transform
    >>> model = Model.train(transform(tree) for tree in read_trees("plcfrs:demo"))
    >>> words = "What/WP should/MD we/PRP do/VB ?/.".split()
    >>> parse = model.parse([tuple(word.split("/")) for word in words])
    >>> parse.status, parse.tree.gap_degree()
    ('parsed', 1)
    """

    def __init__(self, grammar: Grammar, strategy: Strategy = "astar") -> None:
        self.grammar = grammar if grammar.rank() <= 2 else binarize(grammar)
        self._parser = ChartParser(self.grammar, strategy)
        self._tags = {symbol for symbol in grammar.nonterminals() if symbol.kind == "tag"}
        self._lexicon = {
            word: {tag: cost(probability) for tag, probability in tags.items()}
            for word, tags in grammar.lexicon.probabilities().items()
        }

    @classmethod
    def train(cls, trees: Iterable[Tree], *, functions: bool = False) -> Model:
        """Extract a grammar from transformed trees.

        Parameters
        ----------
        trees : iterable of Tree
        functions : bool
            Whether function tags are part of the nonterminals.
        """
        return cls(extract(trees, functions=functions))

    @classmethod
    def load(cls, path: str | Path, strategy: Strategy = "astar") -> Model:
        """Read a saved grammar of either form.

        Raises
        ------
        GrammarError
            If the file is missing, damaged or not a grammar.
        """
        return cls(Grammar.load(path), strategy)

    def save(self, path: str | Path) -> None:
        """Write the binarized grammar: as YAML if the name ends in .yaml, else compressed."""
        self.grammar.save(path)

    def parse(self, sentence: Sequence[str] | Sequence[tuple[str, str]]) -> Parse:
        """Parse words, with the tags that the lexicon has for them, or pairs of word and tag.

        Parameters
        ----------
        sentence : sequence of str, or of (str, str)
        """
        tokens = [Token(word, "") if isinstance(word, str) else Token(*word) for word in sentence]
        return self.parse_tokens(tokens, tagged=all(token.tag for token in tokens))

    def parse_tokens(self, tokens: list[Token], *, tagged: bool, sentence: str = "") -> Parse:
        """Parse the tokens of a sentence.

        Parameters
        ----------
        tokens : list of Token
        tagged : bool
            Whether to take the tags of the tokens, at no cost (Evang and Kallmeyer 2011, figure 2);
            else words are scanned with the tags and costs of the lexicon.
        sentence : str
            Identifier of the tree.
        """
        if not tokens:
            return self._failed(tokens, sentence, "empty")
        candidates: list[Mapping[Nonterminal, float]] = []
        for token in tokens:
            if tagged and tag(token.tag) not in self._tags:
                return self._failed(tokens, sentence, "unknown tag", token.tag)
            if not tagged and token.form not in self._lexicon:
                return self._failed(tokens, sentence, "unknown word", token.form)
            candidates.append({tag(token.tag): 0.0} if tagged else self._lexicon[token.form])
        result = self._parser.parse(candidates)
        if result.derivation is None:
            failed = self._failed(tokens, sentence, "no parse")
            return replace(failed, statistics=result.statistics)
        derivation = restore(result.derivation)
        tree = rebuild(derivation, _tagged(tokens, derivation), sentence)
        remove_splits(tree)
        return Parse(tree, "parsed", "", result.cost, derivation, result.statistics)

    def _failed(
        self, tokens: list[Token], sentence: str, status: Status, reason: str = ""
    ) -> Parse:
        tagged = [replace(token, tag=token.tag or self._likely_tag(token.form)) for token in tokens]
        return Parse(no_parse(tagged, sentence), status, reason)

    def _likely_tag(self, word: str) -> str:
        tags = self._lexicon.get(word)
        return min(tags, key=lambda tag: tags[tag]).category if tags else UNKNOWN_TAG


def _tagged(tokens: list[Token], derivation: Derivation) -> list[Token]:
    """Return the tokens with the tags of a derivation."""
    tags = [node.nonterminal.category for node in derivation.bottom_up() if not node.children]
    return [
        replace(token, tag=tags[leaf])
        for token, leaf in zip(tokens, derivation.order(), strict=True)
    ]
