"""What parsers with a grammar share: the tags of words, a search, and a fallback."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from math import inf
from typing import Protocol, runtime_checkable

from plcfrs.budget import DEFAULT, Budget, Deadline, OutOfTimeError
from plcfrs.chart import ChartParser, Forest, ParseResult, PartialParser, cover_by_tags, piece_costs
from plcfrs.chart.compile import Candidates
from plcfrs.chart.forest import SymbolPosteriors
from plcfrs.chart.trace import Course
from plcfrs.forest.posteriors import posteriors_of
from plcfrs.forest.votes import (
    LOG_RATIO,
    MOST_ITEMS,
    ForestScores,
    Judge,
    posteriors_in_trees,
    votes,
)
from plcfrs.grammar import Derivation, Grammar, rebuild, tag, unbinarize
from plcfrs.grammar.grammar import improper_sums, tags_without_words
from plcfrs.grammar.words import WordModel
from plcfrs.parsing import Explanation, SentenceParser
from plcfrs.parsing.parse import Constituent, Fallback, Parse, Posterior, Status, Task
from plcfrs.parsing.sentence import UNKNOWN_TAG, Input, Sentence
from plcfrs.settings import Checked, setting
from plcfrs.stopping import stoppable
from plcfrs.trees import Fixed, Tree
from plcfrs.wording import some


@dataclass(frozen=True)
class FallbackOptions(Checked):
    """What a parser with a grammar does if a sentence has no parse."""

    fallback: Fallback = setting(
        "none",
        "The tree of a sentence without a parse: only its words (none), words with their tags "
        "(flat), or the most probable sequence of constituents (partial).",
    )


class WordTags(Protocol):
    """A lexicon that knows the tags of words."""

    def tags(self, words: Sequence[str], /) -> Candidates:
        """Return the possible tags of each word with their costs; an unknown word has none."""


class GrammarParser(SentenceParser):
    """A parser of sentences with a grammar.

    Parameters
    ----------
    grammar : Grammar
        The grammar, which defines the tags.
    chart : ChartParser
        Of the grammar.
    fallback : {"none", "flat", "partial"}
        What is below NOPARSE in the tree of a sentence without a parse: its tokens, where a word
        without a tag gets the tag that is most likely to generate it ("none"), or the tag that the
        word is most likely to have ("flat"); or the most probable sequence of constituents and
        tags that covers it ("partial", see `PartialParser`).
    budget : Budget
        For each sentence, and once more for the search for this sequence.
    """

    def __init__(
        self,
        grammar: Grammar,
        chart: ChartParser,
        fallback: Fallback = "none",
        budget: Budget = DEFAULT,
    ) -> None:
        FallbackOptions(fallback)
        self.grammar = grammar
        self.fallback = fallback
        self._budget = budget
        self._chart = chart
        self._cover: Callable[[Candidates], Derivation]
        if fallback == "partial":
            self._cover = PartialParser(grammar, budget).cover
        else:
            costs = piece_costs(grammar) if fallback == "flat" else {}
            self._cover = partial(cover_by_tags, costs=costs)
        self._tags = {symbol for symbol in grammar.nonterminals() if symbol.kind == "tag"}

    @cached_property
    def lexicon(self) -> WordTags:
        """The lexicon that knows the tags of words; given tags do not need it."""
        return WordModel(self.grammar.lexicon)

    @property
    def words(self) -> Collection[str]:
        """The words of the lexicon."""
        return self.grammar.lexicon.words

    @property
    def tags(self) -> Collection[str]:
        """The tags of the grammar."""
        return {symbol.category for symbol in self._tags}

    @property
    def categories(self) -> Collection[str]:
        """The categories of the grammar."""
        symbols = self.grammar.nonterminals()
        return {symbol.category for symbol in symbols if symbol.kind == "category"}

    @property
    def about(self) -> Mapping[str, str]:
        """The options of the grammar."""
        return self.grammar.options

    @property
    def warning(self) -> str:
        """The symbols whose probabilities do not sum to one, and the tags without words."""
        slips = ""
        if wordless := tags_without_words(self.grammar):
            slips = f"neither rules nor words: {some(wordless)}; are they misspelt?"
        return "; ".join(filter(None, [improper_sums(self.grammar), slips]))

    def _parse(self, sentences: Sequence[Sentence], task: Task) -> Iterator[list[Parse]]:
        for sentence in sentences:
            yield self._parse_in_time(sentence, task)

    def _parse_in_time(self, sentence: Sentence, task: Task) -> list[Parse]:
        """Return the parses of a sentence that are found in time, or why there is none."""
        try:
            with stoppable(Deadline(self._budget).check_time):
                sentence = self.tagged(sentence)
                tags = self.tags_of(sentence)
                if not isinstance(tags, Parse):
                    return self._parse_tagged(sentence, tags, task)
        except OutOfTimeError:
            tags = self._failed(sentence, self._possible_tags(sentence), "out of time")
        return [replace(tags, posteriors=[] if task.posteriors else None)]

    @abstractmethod
    def _parse_tagged(self, sentence: Sentence, tags: Candidates, task: Task) -> list[Parse]:
        """Return the parses of a sentence with these possible tags."""

    @abstractmethod
    def constituents(self, sentence: Sentence, tags: Candidates) -> SymbolPosteriors:
        """Return the posterior of each symbol and span; empty without a forest."""

    @property
    @abstractmethod
    def _meaning(self) -> str:
        """The meaning of the scores of parses."""

    def parse_with_forest(
        self,
        tags: Candidates,
        log_ratio: float = LOG_RATIO,
        fixed: Fixed | None = None,
    ) -> tuple[ParseResult, Forest | None]:
        """Return the best parse of the grammar, and the forest of parses that are not much worse.

        These parses are up to ``e**log_ratio`` times less probable than the best one. See
        `ChartParser.parse_with_forest`.
        """
        return self._chart.parse_with_forest(tags, log_ratio, MOST_ITEMS, fixed=fixed)

    def chances(self, posteriors: SymbolPosteriors) -> Mapping[Constituent, float]:
        """Return the probability of each constituent, given those of symbols and spans."""
        return posteriors_in_trees(posteriors)

    def judge(self, sentence: Sentence, forest: Forest) -> ForestScores | None:
        """Return the scores of the edges and items of a forest of another parser: here, votes."""
        chances = self.vote(sentence)
        return None if chances is None else votes(forest, chances)

    @property
    def judges(self) -> Mapping[str, Judge]:
        """The judges of forests by name: the parser itself, without a name, or its heads."""
        return {"": self.judge}

    def vote(self, sentence: Sentence) -> Mapping[Constituent, float] | None:
        """Return the posterior probabilities of constituents; None without a forest."""
        tags = self.tags_of(sentence)
        posteriors = {} if isinstance(tags, Parse) else self.constituents(sentence, tags)
        return self.chances(posteriors) if posteriors else None

    def tagged(self, sentence: Sentence) -> Sentence:
        """Return a sentence with the tags of another parser, if that one finds them."""
        return sentence

    def tags_of(self, sentence: Sentence) -> Candidates | Parse:
        """Return the possible tags of each token with their costs.

        If a token has none, the result is a failed parse.
        """
        possible = self._possible_tags(sentence)
        if sentence.tags is not None:
            for names, tags in zip(sentence.tags, possible, strict=True):
                if self._tags.isdisjoint(tags):
                    return self._failed(sentence, possible, "unknown tag", ", ".join(names))
            return possible
        for word, tags in zip(sentence.words, possible, strict=True):
            if not tags:
                return self._failed(sentence, possible, "unknown word", word)
        return possible

    def _possible_tags(self, sentence: Sentence) -> Candidates:
        if sentence.tags is None:
            return with_fixed_tags(sentence, self.lexicon.tags(sentence.words))
        tags = [{tag(name): cost for name, cost in tags.items()} for tags in sentence.tags]
        return with_fixed_tags(sentence, tags)

    def _parsed(
        self,
        result: ParseResult,
        sentence: Sentence,
        tags: Candidates,
        explanation: Explanation | None = None,
        posteriors: SymbolPosteriors | None = None,
    ) -> Parse:
        """Return the parse of a result, with posteriors if there are any."""
        if result.derivation is None:
            failed = self._failed(sentence, tags, result.status)
            nothing: list[Posterior] | None = None if posteriors is None else []
            return replace(failed, statistics=result.statistics, posteriors=nothing)
        derivation = unbinarize(result.derivation)
        tree = printed_tree(derivation, sentence)
        probabilities = (
            None if posteriors is None else posteriors_of(tree, self.chances(posteriors))
        )
        return Parse(
            tree,
            result.status,
            score=-result.cost,
            meaning=self._meaning,
            derivation=derivation,
            statistics=result.statistics,
            lost_mass=result.lost_mass,
            explanation=explanation,
            optimality_gap=result.gap,
            posteriors=probabilities,
        )

    def _failed(
        self, sentence: Sentence, possible: Candidates, status: Status, reason: str = ""
    ) -> Parse:
        tags = [
            {tag(token.tag): 0.0} if token.tag else tags or {tag(UNKNOWN_TAG): 0.0}
            for token, tags in zip(sentence.tokens, possible, strict=True)
        ]
        tree = printed_tree(unbinarize(self._cover(tags)), sentence)
        return Parse(tree, status, reason, score=-inf, fallback=self.fallback)


def with_fixed_tags(sentence: Sentence, possible: Candidates) -> Candidates:
    """Return the possible tags of each token, of which only a fixed one stays."""
    tags = list(possible)
    for position, name in (sentence.fixed.tags if sentence.fixed else {}).items():
        tags[position] = {tag(name): tags[position].get(tag(name), 0.0)}
    return tags


def printed_tree(derivation: Derivation, sentence: Sentence) -> Tree:
    """Return the tree, without splits, of a derivation without binarization."""
    tagged = zip(sentence.tokens, derivation.tags(), strict=True)
    tokens = [replace(token, tag=tag.category) for token, tag in tagged]
    return rebuild(derivation, tokens, sentence.id).forget_splits()


def judges_of(parser: SentenceParser) -> Mapping[str, Judge]:
    """Return the judges of forests by their names; a parser without a grammar votes."""
    if isinstance(parser, GrammarParser):
        return parser.judges

    def judge(sentence: Sentence, forest: Forest) -> ForestScores | None:
        chances = parser.vote(sentence)
        return None if chances is None else votes(forest, chances)

    return {"": judge}


@runtime_checkable
class SearchFollower(Protocol):
    """A parser whose search can be followed item by item."""

    grammar: Grammar

    def follow(self, sentence: Input, most: int) -> Course:
        """Return the course of the search for the best parse, up to `most` items."""
