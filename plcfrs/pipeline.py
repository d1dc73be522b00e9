"""A trained parser with everything that is needed to go from a sentence to a tree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from pathlib import Path
from typing import Literal

from plcfrs.binarize import binarize, restore, restore_tree
from plcfrs.chart import ChartParser, Objective, ParseResult, Statistics, Strategy
from plcfrs.chart.search import Candidates
from plcfrs.extract import Recipe, rebuild
from plcfrs.grammar import Derivation, Grammar, Nonterminal, cost, tag
from plcfrs.transform import remove_splits
from plcfrs.treebank.discbracket import render
from plcfrs.trees import Token, Tree, no_parse

Status = Literal[
    "parsed", "no parse", "out of items", "out of time", "unknown word", "unknown tag", "empty"
]

Sentence = Sequence[str] | Sequence[tuple[str, str]]

_DEFAULT = Recipe()

# The tag of a word that the lexicon does not know, in a sentence without a parse.
UNKNOWN_TAG = "UNKNOWN"


@dataclass(frozen=True, slots=True)
class Parse:
    """What became of a sentence.

    Parameters
    ----------
    tree : Tree
        The parse without intermediate nodes and splits, or a flat NOPARSE tree.
    status : str
        "parsed", "no parse", "unknown word", "unknown tag" or "empty"; "out of items" or "out of
        time" if the budget was used up: the tree is then the best one found, not proven to
        be the best of all, or NOPARSE.
    reason : str
        The unknown word or tag.
    cost : float
        ``-log p`` (natural logarithm) of the derivation; infinite without a parse.
    derivation : Derivation or None
        Of the unbinarized grammar.
    statistics : Statistics
    lost_mass : float
        With ``objective="mcp"``, how much of the probability of all derivations the forest may
        lack, as a fraction, at the most.
    """

    tree: Tree
    status: Status
    reason: str = ""
    cost: float = inf
    derivation: Derivation | None = None
    statistics: Statistics = field(default_factory=Statistics)
    lost_mass: float = 0.0

    @property
    def log_probability(self) -> float:
        """Natural logarithm of the probability of the derivation."""
        return -self.cost


class Model:
    """A grammar, ready to parse.

    Parameters
    ----------
    grammar : Grammar
        Of any rank; it is binarized if it has to be.
    strategy : {"astar", "knuth"}
        See `ChartParser`, also for the budget of a sentence:
    max_items : float
    max_seconds : float

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

    def __init__(
        self,
        grammar: Grammar,
        strategy: Strategy = "astar",
        *,
        max_items: float = inf,
        max_seconds: float = inf,
    ) -> None:
        self.grammar = grammar if grammar.rank() <= 2 else binarize(grammar)
        self._parser = ChartParser(
            self.grammar, strategy, max_items=max_items, max_seconds=max_seconds
        )
        self._tags = {symbol for symbol in grammar.nonterminals() if symbol.kind == "tag"}
        self._lexicon = {
            word: {tag: cost(probability) for tag, probability in tags.items()}
            for word, tags in grammar.lexicon.probabilities().items()
        }

    @classmethod
    def train(cls, trees: Iterable[Tree], recipe: Recipe = _DEFAULT) -> Model:
        """Extract a grammar from transformed trees.

        Parameters
        ----------
        trees : iterable of Tree
        recipe : Recipe
            How the grammar is binarized and estimated; ``PRESETS["kallmeyer-maier"].recipe``.
        """
        return cls(recipe.grammar(trees))

    @classmethod
    def load(
        cls,
        path: str | Path,
        strategy: Strategy = "astar",
        *,
        max_items: float = inf,
        max_seconds: float = inf,
    ) -> Model:
        """Read a saved grammar of either form; the rest is as for `Model`.

        Raises
        ------
        GrammarError
            If the file is missing, damaged or not a grammar.
        """
        return cls(Grammar.load(path), strategy, max_items=max_items, max_seconds=max_seconds)

    def save(self, path: str | Path) -> None:
        """Write the binarized grammar: as YAML if the name ends in .yaml, else compressed."""
        self.grammar.save(path)

    def parse(self, sentence: Sentence, *, objective: Objective = "mpd") -> Parse:
        """Parse words, with the tags that the lexicon has for them, or pairs of word and tag.

        Parameters
        ----------
        sentence : sequence of str, or of (str, str)
        objective : {"mpd", "mcp"}
            Which derivation is wanted; see `ChartParser.parse`.
        """
        tokens = _tokens(sentence)
        tagged = all(token.tag for token in tokens)
        return self.parse_tokens(tokens, tagged=tagged, objective=objective)

    def parse_nbest(
        self, sentence: Sentence, number: int, *, derivations: bool = False
    ) -> list[Parse]:
        """Return the best parses of a sentence, the best first.

        Parameters
        ----------
        sentence : sequence of str, or of (str, str)
            As for `parse`.
        number : int
            How many; there are fewer if the sentence has no more.
        derivations : bool
            Whether several derivations of the same tree are all wanted, or only the best one.

        Returns
        -------
        list of Parse
            Without a parse, one with a NOPARSE tree.

        Examples
        --------
        >>> from plcfrs.grammar import Rule
        >>> s, a = Nonterminal("S"), tag("A")
        >>> rules = {Rule(s, (s, s), ((0, 1),)): 1, Rule(s, (a,), ((0,),)): 1}
        >>> model = Model(Grammar(rules, start=s))
        >>> [round(parse.cost, 3) for parse in model.parse_nbest([("a", "A")] * 4, 9)]
        [4.852, 4.852, 4.852, 4.852, 4.852]
        """
        tokens = _tokens(sentence)
        tagged = all(token.tag for token in tokens)
        return self.parse_tokens_nbest(tokens, number, tagged=tagged, derivations=derivations)

    def parse_tokens(
        self,
        tokens: list[Token],
        *,
        tagged: bool,
        sentence: str = "",
        objective: Objective = "mpd",
    ) -> Parse:
        """Parse the tokens of a sentence.

        Parameters
        ----------
        tokens : list of Token
        tagged : bool
            Whether to take the tags of the tokens, at no cost (Evang and Kallmeyer 2011, figure 2);
            else words are scanned with the tags and costs of the lexicon.
        sentence : str
            Identifier of the tree.
        objective : {"mpd", "mcp"}
        """
        candidates = self._candidates(tokens, tagged=tagged, sentence=sentence)
        if isinstance(candidates, Parse):
            return candidates
        result = self._parser.parse(candidates, objective)
        return self._parsed(result, tokens, sentence)

    def parse_tokens_nbest(
        self,
        tokens: list[Token],
        number: int,
        *,
        tagged: bool,
        sentence: str = "",
        derivations: bool = False,
    ) -> list[Parse]:
        """Return the best parses of the tokens of a sentence; see `parse_nbest`."""
        candidates = self._candidates(tokens, tagged=tagged, sentence=sentence)
        if isinstance(candidates, Parse):
            return [candidates]

        def printed(derivation: Derivation) -> str:
            return render(_tree(restore(derivation), tokens, sentence), 1)

        key = None if derivations else printed
        results = self._parser.parse_nbest(candidates, number, key)
        return [self._parsed(result, tokens, sentence) for result in results]

    def _candidates(
        self, tokens: list[Token], *, tagged: bool, sentence: str
    ) -> Candidates | Parse:
        """Return the possible tags of each token, or what the sentence becomes if one has none."""
        if not tokens:
            return self._failed(tokens, sentence, "empty")
        candidates: list[Mapping[Nonterminal, float]] = []
        for token in tokens:
            if tagged and tag(token.tag) not in self._tags:
                return self._failed(tokens, sentence, "unknown tag", token.tag)
            if not tagged and token.form not in self._lexicon:
                return self._failed(tokens, sentence, "unknown word", token.form)
            candidates.append({tag(token.tag): 0.0} if tagged else self._lexicon[token.form])
        return candidates

    def _parsed(self, result: ParseResult, tokens: list[Token], sentence: str) -> Parse:
        if result.derivation is None:
            failed = self._failed(tokens, sentence, result.status)
            return replace(failed, statistics=result.statistics)
        derivation = restore(result.derivation)
        return Parse(
            _tree(derivation, tokens, sentence),
            result.status,
            "",
            result.cost,
            derivation,
            result.statistics,
            result.lost_mass,
        )

    def _failed(
        self, tokens: list[Token], sentence: str, status: Status, reason: str = ""
    ) -> Parse:
        tagged = [replace(token, tag=token.tag or self._likely_tag(token.form)) for token in tokens]
        return Parse(no_parse(tagged, sentence), status, reason)

    def _likely_tag(self, word: str) -> str:
        tags = self._lexicon.get(word)
        return min(tags, key=lambda tag: tags[tag]).category if tags else UNKNOWN_TAG


def _tokens(sentence: Sentence) -> list[Token]:
    return [Token(word, "") if isinstance(word, str) else Token(*word) for word in sentence]


def _tree(derivation: Derivation, tokens: list[Token], sentence: str) -> Tree:
    """Return the tree of a derivation, as it is printed."""
    return restore_tree(remove_splits(rebuild(derivation, _tagged(tokens, derivation), sentence)))


def _tagged(tokens: list[Token], derivation: Derivation) -> list[Token]:
    """Return the tokens with the tags of a derivation."""
    tags = [node.nonterminal.category for node in derivation.bottom_up() if not node.children]
    return [
        replace(token, tag=tags[leaf])
        for token, leaf in zip(tokens, derivation.order(), strict=True)
    ]
