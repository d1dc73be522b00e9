"""What all parsers share: from tokens to a tree, whatever the search between them is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import inf
from typing import Generic, TypeVar

from plcfrs.binarization import restore
from plcfrs.chart import ParseResult, PartialParser, cover_by_tags, piece_costs
from plcfrs.chart.search import Candidates
from plcfrs.errors import InputError
from plcfrs.grammar import Derivation, Grammar, Nonterminal, tag
from plcfrs.pipeline.parse import (
    Fallback,
    Parse,
    Sentence,
    Status,
    Tagger,
    printed_tree,
    tagged_by,
    tags_of,
    tokens_of,
)
from plcfrs.trees import Token, no_parse

# The tag of a word that the lexicon does not know, in a sentence without a parse.
UNKNOWN_TAG = "UNKNOWN"

Goal = TypeVar("Goal", bound=str)


class SentenceParser(ABC, Generic[Goal]):
    """A parser of sentences.

    Parameters
    ----------
    objectives : tuple of str
        Which parse can be asked for; the first one is the default. None if there is no choice.
    """

    def __init__(self, objectives: tuple[Goal, ...]) -> None:
        self.objectives = objectives

    @property
    @abstractmethod
    def words(self) -> Collection[str]:
        """The words that it knows."""

    def parse(
        self, sentence: Sentence, *, objective: Goal | None = None, tagger: Tagger | None = None
    ) -> Parse:
        """Parse words, with the tags that the lexicon has for them, or with given tags.

        Parameters
        ----------
        sentence : sequence of str, or of pairs
            Words, or words with the tag of each, or with several tags and their costs:
            ``("run", {"NN": 0.7, "VB": 0.7})``.
        objective : str, optional
            Which derivation is wanted: one of `objectives`, by default the first.
        tagger : callable, optional
            Gets the words, returns for each a tag, or several with their costs.

        Raises
        ------
        InputError
            If the parser does not have the objective, or tags do not fit the words.
        """
        if tagger is not None:
            sentence = tagged_by(tagger, sentence)
        tokens, tags = tokens_of(sentence), tags_of(sentence)
        return self.parse_tokens(tokens, tagged=False, tags=tags, objective=objective)

    @abstractmethod
    def parse_tokens(
        self,
        tokens: list[Token],
        *,
        tagged: bool,
        tags: Sequence[Mapping[str, float]] | None = None,
        sentence: str = "",
        objective: Goal | None = None,
    ) -> Parse:
        """Parse the tokens of a sentence.

        Parameters
        ----------
        tokens : list of Token
        tagged : bool
            Whether to take the tags of the tokens, at no cost (Evang and Kallmeyer 2011, figure 2);
            else words are scanned with the tags and costs of the lexicon.
        tags : sequence of mapping of str to float, optional
            For each token the tags and costs to scan it with instead.
        sentence : str
            Identifier of the tree.
        objective : str, optional
            As for `parse`.

        Raises
        ------
        InputError
            If the parser does not have the objective.
        """


class NBestParser(SentenceParser[Goal]):
    """A parser that has the best parses of a sentence, not only the best one."""

    def parse_nbest(
        self,
        sentence: Sentence,
        number: int,
        *,
        derivations: bool = False,
        tagger: Tagger | None = None,
    ) -> list[Parse]:
        """Return the best parses of a sentence, the best first.

        Parameters
        ----------
        sentence : sequence of str, or of pairs
            As for `parse`.
        number : int
            How many; there are fewer if the sentence has no more, or the parser finds no more.
        derivations : bool
            Whether several derivations of the same tree are all wanted, or only the best one.
        tagger : callable, optional
            As for `parse`.

        Returns
        -------
        list of Parse
            Without a parse, one with a NOPARSE tree.
        """
        if tagger is not None:
            sentence = tagged_by(tagger, sentence)
        tokens, tags = tokens_of(sentence), tags_of(sentence)
        return self.parse_tokens_nbest(
            tokens, number, tagged=False, tags=tags, derivations=derivations
        )

    @abstractmethod
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
        """Return the best parses of the tokens of a sentence; see `parse_nbest`."""


class GrammarParser(SentenceParser[Goal]):
    """A parser of sentences with a grammar.

    Parameters
    ----------
    grammar : Grammar
        Which knows the tags.
    objectives : tuple of str
        Which derivations can be asked for; the first one is the default.
    fallback : {"none", "flat", "partial"}
        What is below NOPARSE in the tree of a sentence without a parse: its tokens, a word
        without a tag with the one that is most likely to be this word ("none"), or that the word is
        most likely to have ("flat"); or the most probable sequence of constituents and tags that
        covers it ("partial", see `PartialParser`).
    max_seconds : float
        Wall time for finding this sequence.
    """

    def __init__(
        self,
        grammar: Grammar,
        objectives: tuple[Goal, ...],
        fallback: Fallback = "none",
        max_seconds: float = inf,
    ) -> None:
        super().__init__(objectives)
        self.grammar = grammar
        self.fallback = fallback
        self._cover: Callable[[Candidates], Derivation]
        if fallback == "partial":
            self._cover = PartialParser(grammar, max_seconds).cover
        else:
            costs = piece_costs(grammar) if fallback == "flat" else {}
            self._cover = partial(cover_by_tags, costs=costs)
        self._tags = {symbol for symbol in grammar.nonterminals() if symbol.kind == "tag"}

    @property
    def words(self) -> Collection[str]:
        """Those of the lexicon."""
        return self.grammar.lexicon.words

    def parse_tokens(
        self,
        tokens: list[Token],
        *,
        tagged: bool,
        tags: Sequence[Mapping[str, float]] | None = None,
        sentence: str = "",
        objective: Goal | None = None,
    ) -> Parse:
        """Parse the tokens of a sentence; see `SentenceParser`."""
        objective = objective or self.objectives[0]
        if objective not in self.objectives:
            raise InputError(f"objective {objective}: not one of {', '.join(self.objectives)}")
        if tagged:
            tags = [{token.tag: 0.0} for token in tokens]
        candidates = self._candidates(tokens, tags, sentence)
        if isinstance(candidates, Parse):
            return candidates
        result = self._search(tokens, candidates, objective)
        return self._parsed(result, tokens, candidates, sentence)

    @abstractmethod
    def _search(
        self, tokens: list[Token], candidates: Candidates, objective: Goal
    ) -> ParseResult: ...

    @abstractmethod
    def _tags_of(self, words: list[str]) -> list[Mapping[Nonterminal, float]]:
        """Return for each word its possible tags with their costs; none for an unknown word."""

    def _candidates(
        self, tokens: list[Token], given: Sequence[Mapping[str, float]] | None, sentence: str
    ) -> Candidates | Parse:
        """Return the possible tags of each token, or what the sentence becomes if one has none."""
        if not tokens:
            return Parse(no_parse(tokens, sentence), "empty")
        candidates: Candidates
        if given is not None:
            candidates = [{tag(name): cost for name, cost in tags.items()} for tags in given]
            for names, tags in zip(given, candidates, strict=True):
                if self._tags.isdisjoint(tags):
                    reason = ", ".join(names)
                    return self._failed(tokens, candidates, sentence, "unknown tag", reason)
            return candidates
        candidates = self._tags_of([token.form for token in tokens])
        for token, tags in zip(tokens, candidates, strict=True):
            if not tags:
                return self._failed(tokens, candidates, sentence, "unknown word", token.form)
        return candidates

    def _parsed(
        self, result: ParseResult, tokens: list[Token], candidates: Candidates, sentence: str
    ) -> Parse:
        if result.derivation is None:
            failed = self._failed(tokens, candidates, sentence, result.status)
            return replace(failed, statistics=result.statistics)
        derivation = restore(result.derivation)
        return Parse(
            printed_tree(derivation, tokens, sentence),
            result.status,
            "",
            result.cost,
            derivation,
            result.statistics,
            result.lost_mass,
        )

    def _failed(
        self,
        tokens: list[Token],
        candidates: Candidates,
        sentence: str,
        status: Status,
        reason: str = "",
    ) -> Parse:
        tags = [
            {tag(token.tag): 0.0} if token.tag else tags or {tag(UNKNOWN_TAG): 0.0}
            for token, tags in zip(tokens, candidates, strict=True)
        ]
        tree = printed_tree(restore(self._cover(tags)), tokens, sentence)
        return Parse(tree, status, reason, fallback=self.fallback)
