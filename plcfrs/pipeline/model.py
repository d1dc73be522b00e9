"""A trained parser with everything that is needed to go from a sentence to a tree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import inf
from pathlib import Path

from plcfrs.binarize import binarize, restore
from plcfrs.chart import ChartParser, Objective, ParseResult, Strategy
from plcfrs.chart.search import Candidates
from plcfrs.errors import GrammarError
from plcfrs.extract import Recipe
from plcfrs.grammar import Derivation, Grammar, Nonterminal, cost
from plcfrs.pipeline.kinds import is_refined
from plcfrs.pipeline.parse import Parse, Sentence, printed_tree, tokens_of
from plcfrs.pipeline.sentence_parser import SentenceParser
from plcfrs.treebank.discbracket import render
from plcfrs.trees import Token, Tree

_DEFAULT = Recipe()


class Model(SentenceParser[Objective]):
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
        super().__init__(grammar if grammar.rank() <= 2 else binarize(grammar), ("mpd", "mcp"))
        self._parser = ChartParser(
            self.grammar, strategy, max_items=max_items, max_seconds=max_seconds
        )
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
            If the file is missing, damaged or not a grammar, or the grammar is refined.
        """
        if is_refined(path):
            raise GrammarError(f"{path}: a refined grammar: use load_model or RefinedModel.load")
        return cls(Grammar.load(path), strategy, max_items=max_items, max_seconds=max_seconds)

    def save(self, path: str | Path) -> None:
        """Write the binarized grammar: as YAML if the name ends in .yaml, else compressed."""
        self.grammar.save(path)

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
        >>> from plcfrs.grammar import Rule, tag
        >>> s, a = Nonterminal("S"), tag("A")
        >>> rules = {Rule(s, (s, s), ((0, 1),)): 1, Rule(s, (a,), ((0,),)): 1}
        >>> model = Model(Grammar(rules, start=s))
        >>> [round(parse.cost, 3) for parse in model.parse_nbest([("a", "A")] * 4, 9)]
        [4.852, 4.852, 4.852, 4.852, 4.852]
        """
        tokens = tokens_of(sentence)
        tagged = all(token.tag for token in tokens)
        return self.parse_tokens_nbest(tokens, number, tagged=tagged, derivations=derivations)

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
            return render(printed_tree(restore(derivation), tokens, sentence), 1)

        key = None if derivations else printed
        results = self._parser.parse_nbest(candidates, number, key)
        return [self._parsed(result, tokens, sentence) for result in results]

    def _search(
        self, _tokens: list[Token], candidates: Candidates, objective: Objective
    ) -> ParseResult:
        return self._parser.parse(candidates, objective)

    def _tags_of(self, words: list[str]) -> list[Mapping[Nonterminal, float]]:
        return [self._lexicon.get(word, {}) for word in words]
