"""A grammar that is ready to parse, with exact Viterbi search."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import exp
from pathlib import Path
from typing import cast

from plcfrs.budget import DEFAULT, Budget, OutOfBudgetError
from plcfrs.chart import ChartParser, Objective, ParseResult, Strategy
from plcfrs.chart.compile import Candidates
from plcfrs.chart.forest import SymbolPosteriors
from plcfrs.chart.multipliers import train_shifts
from plcfrs.chart.trace import Course
from plcfrs.completion import Completion
from plcfrs.errors import GrammarError, InputError, TreebankError
from plcfrs.forest.forests import some_short
from plcfrs.forest.grammar_parser import FallbackOptions, GrammarParser, printed_tree
from plcfrs.forest.surprisal import PRECISION, Surprisal
from plcfrs.forest.votes import LOG_RATIO, MOST_ITEMS
from plcfrs.forest.word_by_word import Surprisals
from plcfrs.grammar import (
    PRESETS,
    Derivation,
    Grammar,
    Inspection,
    Nonterminal,
    Recipe,
    binarize,
    unbinarize,
)
from plcfrs.grammar.rules import Want
from plcfrs.grammar.words import WordModel, forms
from plcfrs.learning.runner import Runner, Step, Trainer
from plcfrs.parsers.grammar.wants import OUT_OF_BUDGET, explain_parse, problem
from plcfrs.parsing.explanation import Explanation
from plcfrs.parsing.parse import LOG_PROBABILITY, Fallback, Parse, Task
from plcfrs.parsing.registry import Family, Preset, training_trees
from plcfrs.parsing.sentence import Input, Sentence
from plcfrs.prefix import PrefixGrammar
from plcfrs.settings import setting
from plcfrs.storage.files import errors_name
from plcfrs.storage.model_file import kind_of
from plcfrs.trees import Tree
from plcfrs.trees.notation import render_discbracket

# The number of sentences that bounds of the search are learned from.
_SENTENCES = 3000


@dataclass(frozen=True)
class ChartOptions(FallbackOptions):
    """Options of parsing with a grammar."""

    strategy: Strategy = setting(
        "astar",
        "A* search guided by the component-split CFG (astar), or the search of figure 3 of the "
        "paper (knuth); both are exact.",
    )


class GrammarModel(GrammarParser):
    """A grammar that is ready to parse.

    Parameters
    ----------
    grammar : Grammar
        Of any rank; binarized if necessary.
    strategy : {"astar", "knuth"}
        See `ChartParser`.
    fallback : {"none", "flat", "partial"}
        What to do without a parse; see `GrammarParser`.
    budget : Budget
        For each sentence.

    Examples
    --------
    >>> from plcfrs.treebank import read_trees
    >>> from plcfrs.transformation import transform
    >>> model = GrammarModel.train(transform(tree) for tree in read_trees("plcfrs:demo"))
    >>> words = "What/WP should/MD we/PRP do/VB ?/.".split()
    >>> parse = model.parse([tuple(word.split("/")) for word in words])
    >>> parse.status, parse.tree.gap_degree()
    ('parsed', 1)
    """

    objectives = ("mpd", "mcp")
    capabilities = frozenset({"budget", "nbest", "sums", "surprisal"})
    kind = "grammar"
    _meaning = LOG_PROBABILITY

    def __init__(
        self,
        grammar: Grammar,
        strategy: Strategy = "astar",
        fallback: Fallback = "none",
        budget: Budget = DEFAULT,
    ) -> None:
        ChartOptions(fallback, strategy)
        binary = grammar if grammar.rank() <= 2 else binarize(grammar)
        super().__init__(binary, ChartParser(binary, strategy, budget), fallback, budget)
        self.training_set = frozenset(binary.training_set)
        self.completion = Completion.restored(binary.completion)

    @classmethod
    def train(
        cls, trees: str | Path | Iterable[Tree], recipe: Recipe | str = "evang-kallmeyer"
    ) -> GrammarModel:
        """Extract a grammar from transformed trees.

        Parameters
        ----------
        trees : iterable of Tree, str or Path
            Transformed trees, or a treebank to read and transform.
        recipe : Recipe or str
            How to binarize and estimate the grammar, or the name of a preset.

        Raises
        ------
        TreebankError
            If there are no trees.
        InputError
            If the preset is unknown.
        """
        (family,) = FAMILIES
        preset = Preset(recipe, family.transformation)
        if isinstance(recipe, str):
            preset = family.preset(recipe)
        transformed = training_trees(trees, preset.transformation)
        return Runner(GrammarTrainer(transformed, preset.settings, {})).run()

    @classmethod
    def load(
        cls,
        path: str | Path,
        strategy: Strategy = "astar",
        fallback: Fallback = "none",
        budget: Budget = DEFAULT,
    ) -> GrammarModel:
        """Read a saved grammar of any format; for the other parameters, see `GrammarModel`.

        Raises
        ------
        GrammarError
            If the file is missing, damaged or not a grammar, or has no rules for its start symbol.
        """
        if (kind := kind_of(path)) != cls.kind:
            raise GrammarError(f"{path}: a model of the kind {kind}: use load_model")
        grammar = Grammar.load(path)
        with errors_name(path):
            grammar.check_start()
            return cls(grammar, strategy, fallback, budget)

    def save(self, path: str | Path) -> None:
        """Write the binarized grammar: as YAML if the name ends in .yaml, otherwise compressed."""
        packed = self.completion.to_bytes() if self.completion else b""
        replace(self.grammar, completion=packed).save(path)

    def calibrated(
        self,
        sentences: Sequence[Tree],
        gold: Sequence[Tree],  # noqa: ARG002 (the bounds need no trees)
    ) -> GrammarModel:
        """Return a parser whose bounds are tight for a development set; parses cost the same.

        A* search gets faster, above all in long sentences. A grammar with signatures of rare words
        learns the bounds from words, other grammars from tags.
        """
        chosen = [Sentence.of(tree) for tree in some_short(sentences, _SENTENCES)]
        if self.grammar.lexicon.signatures:
            chosen = [sentence.untagged() for sentence in chosen]
        shifts = train_shifts(self.grammar, map(self._possible_tags, chosen))
        grammar = replace(self.grammar, shifts=shifts)
        return GrammarModel(grammar, fallback=self.fallback, budget=self._budget)

    def explain(
        self, sentence: Input, wants: Sequence[Want] = (), *, binarized: bool = False
    ) -> Explanation:
        """Return the best parse rule by rule, and the costs of parses with wanted constituents.

        Parameters
        ----------
        sentence : str, sequence of str, sequence of pairs, Tree or Sentence
            See `Sentence.of`.
        wants : sequence of Want
            See `plcfrs.grammar.rules.parse_want`.
        binarized : bool
            Whether to show the binarized rules that the parser used.

        Raises
        ------
        InputError
            If a word or a tag is unknown; if the budget was used up without a parse or (with wanted
            constituents) without a proof; or if the grammar lacks the category of a wanted
            constituent, or the sentence its tokens.

        Examples
        --------
        >>> from plcfrs.grammar import Rule, tag
        >>> s, a = Nonterminal("S"), tag("A")
        >>> rules = {Rule(s, (s, s), ((0, 1),)): 1, Rule(s, (a,), ((0,),)): 1}
        >>> found = GrammarModel(Grammar(rules, start=s)).explain([("a", "A")] * 2)
        >>> for row in found.rows:
        ...     print(f"{row.score:.4f}", row.clause)
        -0.6931 S(XY) -> S(X) S(Y)
        -0.6931 S(X) -> A(X)
        0.0000 A
        -0.6931 S(X) -> A(X)
        0.0000 A
        """
        read = self.read(sentence)
        tags = self._known_tags(read)
        result = self._chart.parse(tags)
        if result.status.startswith("out of") or (wants and result.gap):
            raise InputError(OUT_OF_BUDGET)
        case = self.grammar, read.words, tags
        return explain_parse(*case, result, wants, self._budget, binarized=binarized)

    def follow(self, sentence: Input, most: int) -> Course:
        """Return the course of the search for the best parse, item by item.

        Parameters
        ----------
        sentence : str, sequence of str, sequence of pairs, Tree or Sentence
            See `Sentence.of`.
        most : int
            The most items to pop.

        Returns
        -------
        Course
            See `ChartParser.follow`.

        Raises
        ------
        InputError
            If there are no words, a word or a tag is unknown, or the budget was used up.
        """
        tags = self._known_tags(self.read(sentence))
        try:
            return self._chart.follow(tags, most)
        except OutOfBudgetError:
            raise InputError(OUT_OF_BUDGET) from None

    def _known_tags(self, sentence: Sentence) -> Candidates:
        if not sentence.tokens:
            raise InputError("the sentence has no words")
        tags = self.tags_of(sentence)
        if isinstance(tags, Parse):
            raise InputError(problem(tags))
        return tags

    def surprisal(
        self,
        sentence: Input,
        analyses: int = 0,
        at: Collection[int] | None = None,
        *,
        derivation_entropy: bool = False,
        end: bool = False,
        precision: float = PRECISION,
    ) -> list[Surprisal]:
        """Return how surprising each word is, given the words before it.

        The sums are over all sentences of the grammar (see `plcfrs.prefix`). With tags, a reader
        sees the sequence of tags. If the probabilities of derivations do not sum to 1, the grammar
        is normalised (Nederhof and Satta 2003). A sentence that begins like the last one reuses its
        results.

        Parameters
        ----------
        sentence : str, sequence of str, sequence of pairs, Tree or Sentence
            See `Sentence.of`.
        analyses : int
            How many of the most probable structures after each word to return.
        at : collection of int, optional
            Positions of the words to return them for; by default all.
        derivation_entropy : bool
            Whether to compute the entropy of the whole derivation; takes several times as long.
        end : bool
            Whether to add an item for the end of the sentence.
        precision : float
            The largest distance of the proven bounds, in bits; with 0, all sums are exact.

        Raises
        ------
        GrammarError
            If the derivations of the grammar have no finite sum.

        Examples
        --------
        >>> from plcfrs.grammar import Rule, tag
        >>> s, a = Nonterminal("S"), tag("A")
        >>> rules = {Rule(s, (a, s), ((0, 1),)): 1, Rule(s, (a,), ((0,),)): 3}
        >>> for word in GrammarModel(Grammar(rules, start=s)).surprisal([("a", "A")] * 2):
        ...     print(word.word, round(word.surprisal, 4), round(word.entropy, 4))
        a 0.0 0.8113
        a 2.0 0.8113
        """
        read = self.read(sentence)
        tags = self._tag_probabilities(read)
        surprisals = self._surprisals.of(
            read.tokens,
            tags,
            analyses,
            at,
            derivation_entropy=derivation_entropy,
            end=end,
            precision=precision,
        )
        if read.tags is not None:
            return surprisals
        lexicon, length = self.words, len(read.tokens)  # the end is not a word
        words = [each._replace(known=each.word in lexicon) for each in surprisals[:length]]
        return words + surprisals[length:]

    @property
    def prefixes(self) -> PrefixGrammar:
        """The grammar of `surprisal`; ``prefixes.is_changed`` if probabilities were normalised."""
        return self._surprisals.grammar

    @cached_property
    def _surprisals(self) -> Surprisals:
        return Surprisals(PrefixGrammar(self.grammar), self._budget)

    def _tag_probabilities(self, sentence: Sentence) -> list[dict[Nonterminal, float]]:
        """Return the probability of each word given each of its tags."""
        if sentence.tags is not None:
            possible = self._possible_tags(sentence)
            return [{tag: exp(-cost) for tag, cost in tags.items()} for tags in possible]
        model = cast(WordModel, self.lexicon)
        return [dict(model.probabilities(form)) for form in forms(sentence.words)]

    def constituents(
        self,
        sentence: Sentence,
        tags: Candidates,
    ) -> SymbolPosteriors:
        """Return the posterior of each symbol and span; empty without a forest."""
        return self._chart.constituents(tags, LOG_RATIO, MOST_ITEMS, sentence.fixed)

    def _parse_tagged(self, sentence: Sentence, tags: Candidates, task: Task) -> list[Parse]:
        """Return the best parses of a sentence, exactly and in order.

        Examples
        --------
        >>> from plcfrs.grammar import Rule, tag
        >>> s, a = Nonterminal("S"), tag("A")
        >>> rules = {Rule(s, (s, s), ((0, 1),)): 1, Rule(s, (a,), ((0,),)): 1}
        >>> model = GrammarModel(Grammar(rules, start=s))
        >>> [round(parse.score, 3) for parse in model.parse_nbest([("a", "A")] * 4, 9)]
        [-4.852, -4.852, -4.852, -4.852, -4.852]
        """

        def printed(derivation: Derivation) -> str:
            return render_discbracket(printed_tree(unbinarize(derivation), sentence))

        def explained(result: ParseResult) -> Explanation | None:
            if result.derivation is None or not task.explained:
                return None
            return explain_parse(self.grammar, sentence.words, tags, result)

        key = None if task.derivations else printed
        if sentence.fixed is not None:
            results = self._chart.parse_held(tags, sentence.fixed, task.nbest or 1, key)
        elif task.nbest is None:
            results = [self._chart.parse(tags, cast(Objective, task.objective or "mpd"))]
        else:
            results = self._chart.parse_nbest(tags, task.nbest, key)
        posteriors = None
        if task.posteriors:
            is_parsed = results[0].derivation is not None
            posteriors = self.constituents(sentence, tags) if is_parsed else {}
        return [
            self._parsed(result, sentence, tags, explained(result), posteriors)
            for result in results
        ]


class GrammarTrainer(Trainer[GrammarModel]):
    """Extracts a grammar from transformed trees, in a single round.

    If the grammar is given as `extracted`, it is only binarized.
    """

    unit = "grammar"

    def __init__(
        self,
        trees: Sequence[Tree],
        recipe: Recipe,
        about: Mapping[str, str],
        extracted: Grammar | None = None,
    ) -> None:
        self._trees = trees
        self._extracted = extracted
        self._recipe = recipe
        self._about = about
        self._grammar = Grammar()

    def run(self, number: int, step: Step) -> Mapping[str, float]:  # noqa: ARG002 (there is one)
        """Extract the grammar and binarize it."""
        grammar = self._extracted or self._recipe.extract(self._trees)
        if not grammar.rules:
            raise TreebankError("no trees were selected, so there is no grammar to extract")
        self._grammar = self._recipe.binarize(grammar) if grammar.rank() > 2 else grammar
        self._grammar.options = {**self._about, **self._grammar.options}
        step()
        return {"rules": len(grammar.rules), "binarized": len(self._grammar.rules)}

    def model(self) -> GrammarModel:
        """Return the grammar as a parser."""
        return GrammarModel(self._grammar)


FAMILIES = (
    Family(
        "grammar",
        "plcfrs",
        "a PLCFRS (Evang and Kallmeyer 2011)",
        GrammarModel.load,
        GrammarTrainer,
        lambda path: Inspection(Grammar.load(path)),
        Recipe(),
        ChartOptions(),
        GrammarModel.objectives,
        GrammarModel.capabilities,
        {
            name: Preset(recipe, transformation)
            for name, (transformation, recipe) in PRESETS.items()
        },
    ),
)
