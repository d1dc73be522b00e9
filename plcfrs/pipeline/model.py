"""A trained parser with everything that is needed to go from a sentence to a tree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import inf
from pathlib import Path

from plcfrs.binarization import binarize, restore
from plcfrs.chart import ChartParser, Objective, ParseResult, Strategy
from plcfrs.chart.search import Budget, Candidates
from plcfrs.errors import GrammarError, InputError
from plcfrs.extraction import Recipe
from plcfrs.grammar import Derivation, Grammar, Nonterminal
from plcfrs.grammar.positions import Want
from plcfrs.pipeline.explanation import Explanation, explain
from plcfrs.pipeline.parse import (
    Fallback,
    Parse,
    Sentence,
    printed_tree,
    tags_of,
    tokens_of,
)
from plcfrs.pipeline.sentence_parser import GrammarParser, NBestParser
from plcfrs.pipeline.wanted import WantedConstituent, explain_want
from plcfrs.storage.files import errors_name
from plcfrs.storage.model_file import kind_of
from plcfrs.tagging import WordModel
from plcfrs.treebank.discbracket import render
from plcfrs.trees import Token, Tree

_DEFAULT = Recipe()

Explained = tuple[Explanation | None, list[WantedConstituent]]
"""The best parse, None if there is none; and the wanted constituents."""


class Model(GrammarParser[Objective], NBestParser[Objective]):
    """A grammar, ready to parse.

    Parameters
    ----------
    grammar : Grammar
        Of any rank; it is binarized if it has to be.
    strategy : {"astar", "knuth"}
        See `ChartParser`, also for the budget of a sentence:
    max_items : float
    max_seconds : float
    fallback : {"none", "flat", "partial"}
        What to do without a parse; see `GrammarParser`.

    Examples
    --------
    >>> from plcfrs.treebank import read_trees
    >>> from plcfrs.transformation import transform
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
        fallback: Fallback = "none",
    ) -> None:
        binary = grammar if grammar.rank() <= 2 else binarize(grammar)
        super().__init__(binary, ("mpd", "mcp"), fallback, max_seconds)
        self._budget = Budget(max_items, max_seconds)
        self._parser = ChartParser(
            self.grammar, strategy, max_items=max_items, max_seconds=max_seconds
        )
        self._words = WordModel(grammar.lexicon)

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
        fallback: Fallback = "none",
    ) -> Model:
        """Read a saved grammar of either form; the rest is as for `Model`.

        Raises
        ------
        GrammarError
            If the file is missing, damaged or not a grammar, or the grammar is refined, or has
            no rules for its start symbol.
        """
        kind = kind_of(path)
        if kind != "grammar":
            raise GrammarError(f"{path}: a model of kind {kind}, no plain grammar: use load_model")
        grammar = Grammar.load(path)
        with errors_name(path):
            grammar.check_start()
        return cls(
            grammar,
            strategy,
            max_items=max_items,
            max_seconds=max_seconds,
            fallback=fallback,
        )

    def save(self, path: str | Path) -> None:
        """Write the binarized grammar: as YAML if the name ends in .yaml, else compressed."""
        self.grammar.save(path)

    def parse_tokens_nbest(
        self,
        tokens: list[Token],
        number: int,
        *,
        tagged: bool,
        tags: Sequence[Mapping[str, float]] | None = None,
        sentence: str = "",
        derivations: bool = False,
    ) -> list[Parse]:
        """Return the best parses of the tokens of a sentence; see `parse_nbest`.

        Examples
        --------
        >>> from plcfrs.grammar import Rule, tag
        >>> s, a = Nonterminal("S"), tag("A")
        >>> rules = {Rule(s, (s, s), ((0, 1),)): 1, Rule(s, (a,), ((0,),)): 1}
        >>> model = Model(Grammar(rules, start=s))
        >>> [round(parse.cost, 3) for parse in model.parse_nbest([("a", "A")] * 4, 9)]
        [4.852, 4.852, 4.852, 4.852, 4.852]
        """
        if tagged:
            tags = [{token.tag: 0.0} for token in tokens]
        candidates = self._candidates(tokens, tags, sentence)
        if isinstance(candidates, Parse):
            return [candidates]

        def printed(derivation: Derivation) -> str:
            return render(printed_tree(restore(derivation), tokens, sentence), 1)

        key = None if derivations else printed
        results = self._parser.parse_nbest(candidates, number, key)
        return [self._parsed(result, tokens, candidates, sentence) for result in results]

    def explain(self, sentence: Sentence, wants: Iterable[Want] = ()) -> Explained:
        """Return the best parse rule by rule, and what constituents that it lacks would cost.

        Parameters
        ----------
        sentence : sequence of str, or of (str, str)
            As for `parse`.
        wants : iterable of Want
            See `plcfrs.grammar.positions.parse_want`.

        Returns
        -------
        Explanation or None
            Of the best parse; None if there is none.
        list of WantedConstituent
            One for each of `wants`.

        Raises
        ------
        InputError
            If a word or a tag is unknown, the budget was used up, or the grammar or the sentence
            does not have what is wanted.

        Examples
        --------
        >>> from plcfrs.grammar import Rule, tag
        >>> s, a = Nonterminal("S"), tag("A")
        >>> rules = {Rule(s, (s, s), ((0, 1),)): 1, Rule(s, (a,), ((0,),)): 1}
        >>> best, _ = Model(Grammar(rules, start=s)).explain([("a", "A")] * 2)
        >>> for step in best.steps:
        ...     print(f"{step.cost:.4f}", step.clause or step.symbol)
        0.6931 S(XY) -> S(X) S(Y)
        0.6931 S(X) -> A(X)
        0.0000 A
        0.6931 S(X) -> A(X)
        0.0000 A
        """
        return self._explain(tokens_of(sentence), tags_of(sentence), wants)

    def explain_tokens(
        self, tokens: list[Token], wants: Iterable[Want] = (), *, tagged: bool
    ) -> Explained:
        """Return the best parse of the tokens of a sentence rule by rule; see `explain`."""
        tags = [{token.tag: 0.0} for token in tokens] if tagged else None
        return self._explain(tokens, tags, wants)

    def _explain(
        self,
        tokens: list[Token],
        tags: Sequence[Mapping[str, float]] | None,
        wants: Iterable[Want],
    ) -> Explained:
        candidates = self._candidates(tokens, tags, "")
        if isinstance(candidates, Parse):
            raise InputError(_problem(candidates))
        result = self._parser.parse(candidates)
        if result.status.startswith("out of"):
            raise InputError(f"the search ran {result.status} before the best parse was found")
        words = [token.form for token in tokens]
        best = None
        if result.derivation is not None:
            best = explain(self.grammar, words, candidates, result.derivation)
        found = [
            explain_want(self.grammar, words, candidates, want, best, self._budget)
            for want in wants
        ]
        return best, found

    def _search(
        self, _tokens: list[Token], candidates: Candidates, objective: Objective
    ) -> ParseResult:
        return self._parser.parse(candidates, objective)

    def _tags_of(self, words: list[str]) -> list[Mapping[Nonterminal, float]]:
        return list(self._words.tags(words))


def _problem(failed: Parse) -> str:
    """Return why a sentence cannot be parsed, and what to do."""
    if failed.status == "unknown word":
        return f"the grammar does not know the word {failed.reason}: give all words tags (--tagged)"
    if failed.status == "unknown tag":
        return f"the grammar has no tag {failed.reason}"
    return "the sentence has no words"
