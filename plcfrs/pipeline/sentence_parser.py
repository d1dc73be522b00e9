"""What all parsers share: from tokens to a tree, whatever the search between them is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from typing import Generic, TypeVar

from plcfrs.binarize import restore
from plcfrs.chart import ParseResult
from plcfrs.chart.search import Candidates
from plcfrs.errors import InputError
from plcfrs.grammar import Grammar, Nonterminal, tag
from plcfrs.pipeline.parse import Parse, Sentence, Status, printed_tree, tokens_of
from plcfrs.trees import Token, no_parse

# The tag of a word that the lexicon does not know, in a sentence without a parse.
UNKNOWN_TAG = "UNKNOWN"

Goal = TypeVar("Goal", bound=str)


class SentenceParser(ABC, Generic[Goal]):
    """A parser of sentences with a grammar.

    Parameters
    ----------
    grammar : Grammar
        Which knows the tags.
    objectives : tuple of str
        Which derivations can be asked for; the first one is the default.
    """

    def __init__(self, grammar: Grammar, objectives: tuple[Goal, ...]) -> None:
        self.grammar = grammar
        self.objectives = objectives
        self._tags = {symbol for symbol in grammar.nonterminals() if symbol.kind == "tag"}

    def parse(self, sentence: Sentence, *, objective: Goal | None = None) -> Parse:
        """Parse words, with the tags that the lexicon has for them, or pairs of word and tag.

        Parameters
        ----------
        sentence : sequence of str, or of (str, str)
        objective : str, optional
            Which derivation is wanted: one of `objectives`, by default the first.
        """
        tokens = tokens_of(sentence)
        tagged = all(token.tag for token in tokens)
        return self.parse_tokens(tokens, tagged=tagged, objective=objective)

    def parse_tokens(
        self,
        tokens: list[Token],
        *,
        tagged: bool,
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
        sentence : str
            Identifier of the tree.
        objective : str, optional
            As for `parse`.

        Raises
        ------
        InputError
            If the parser does not have the objective.
        """
        objective = objective or self.objectives[0]
        if objective not in self.objectives:
            raise InputError(f"objective {objective}: not one of {', '.join(self.objectives)}")
        candidates = self._candidates(tokens, tagged=tagged, sentence=sentence)
        if isinstance(candidates, Parse):
            return candidates
        return self._parsed(self._search(tokens, candidates, objective), tokens, sentence)

    @abstractmethod
    def _search(
        self, tokens: list[Token], candidates: Candidates, objective: Goal
    ) -> ParseResult: ...

    @abstractmethod
    def _tags_of(self, words: list[str]) -> list[Mapping[Nonterminal, float]]:
        """Return for each word its possible tags with their costs; none for an unknown word."""

    def _candidates(
        self, tokens: list[Token], *, tagged: bool, sentence: str
    ) -> Candidates | Parse:
        """Return the possible tags of each token, or what the sentence becomes if one has none."""
        if not tokens:
            return self._failed(tokens, sentence, "empty")
        if tagged:
            for token in tokens:
                if tag(token.tag) not in self._tags:
                    return self._failed(tokens, sentence, "unknown tag", token.tag)
            return [{tag(token.tag): 0.0} for token in tokens]
        candidates = self._tags_of([token.form for token in tokens])
        for token, tags in zip(tokens, candidates, strict=True):
            if not tags:
                return self._failed(tokens, sentence, "unknown word", token.form)
        return candidates

    def _parsed(self, result: ParseResult, tokens: list[Token], sentence: str) -> Parse:
        if result.derivation is None:
            failed = self._failed(tokens, sentence, result.status)
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
        self, tokens: list[Token], sentence: str, status: Status, reason: str = ""
    ) -> Parse:
        candidates = self._tags_of([token.form for token in tokens])
        tagged = [
            replace(token, tag=token.tag or _likely_tag(tags))
            for token, tags in zip(tokens, candidates, strict=True)
        ]
        return Parse(no_parse(tagged, sentence), status, reason)


def _likely_tag(tags: Mapping[Nonterminal, float]) -> str:
    return min(tags, key=lambda tag: tags[tag]).category if tags else UNKNOWN_TAG
