"""How surprising each word is, given the words before it: surprisal and entropy in bits."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from math import inf, log, log1p, log2
from typing import Literal, NamedTuple, Protocol

from plcfrs.chart.budget import (
    Budget,
    Deadline,
    OutOfBudgetError,
    OutOfItemsError,
    Shortage,
    within_memory,
)
from plcfrs.grammar import Nonterminal
from plcfrs.parsing.analyses import Analysis, PrefixParser
from plcfrs.parsing.sentence import Input
from plcfrs.prefix import PrefixChart, PrefixGrammar
from plcfrs.prefix.chart import EntropyChart, Tempered, tempered
from plcfrs.trees import Token

_BIT = log(2.0)

# Constituents with at most this probability, given the prefix, are left out, one stage after the
# other: each of them has half of what remains of the budget.
_LEAST = (0.0, 1e-12, 1e-9, 1e-6)

_READ = ("read", "bounded")

END = "</s>"
"""The end of a sentence, where its surprisal is wanted."""

Status = Literal[
    "read",
    "bounded",
    "no sentence",
    "unknown word",
    "out of time",
    "out of memory",
    "out of items",
    "crashed",
    "no words",
]


class Surprisal(NamedTuple):
    """How surprising a word is, given the words before it (Hale 2001).

    Parameters
    ----------
    surprisal : float
        ``-log2 P(word | words before)``, in bits; with given tags, of the tag. inf if no sentence
        of the grammar begins so; None if the budget was used up.
    at_least, at_most : float
        Proven bounds of the surprisal; the same if the status is "read". None as above.
    log_prefix_probability : float
        The natural logarithm of the probability of all sentences that begin so; None as above.
    entropy : float
        Of the next tag or the end, after the word, in bits; None as above, or if no sentence
        begins so.
    entropy_reduction : float
        By how much the word lowered the entropy: that before it less that after it, or 0 where it
        rose (Hale 2006, who has the entropy of whole derivations instead); None as above.
    tag_surprisal, word_surprisal : float
        Two parts of the surprisal: that the next tag is one of the word (syntactic), and that it
        is this word of these tags (lexical; Roark et al. 2009).
    derivation_entropy, derivation_entropy_reduction : float
        Of the whole derivation down to the tags, after the word, in bits, and by how much the word
        lowered it, or 0 (Hale 2006); None unless it is wanted and the status is "read".
    analyses : tuple of Analysis
        The most probable structures after the word, the best one first.
    known : bool
        Whether the lexicon has the word; None if tags were read, and for the end of a sentence.
    status : str
        "read", or "bounded": then improbable constituents were left out, since the sentence had
        used up half of its budget, and all numbers but the bounds are estimates. Otherwise there
        are no numbers: "no sentence", "unknown word" (the lexicon has neither it nor signatures for
        unknown words), "out of time", "out of memory", "out of items", "crashed" or "no words".
    """

    word: str
    surprisal: float | None = None
    at_least: float | None = None
    at_most: float | None = None
    log_prefix_probability: float | None = None
    entropy: float | None = None
    entropy_reduction: float | None = None
    tag_surprisal: float | None = None
    word_surprisal: float | None = None
    derivation_entropy: float | None = None
    derivation_entropy_reduction: float | None = None
    analyses: tuple[Analysis, ...] = ()
    known: bool | None = None
    status: Status = "out of time"


class PrefixReader(Protocol):
    """A model of a family with the capability "surprisal"."""

    @property
    def prefixes(self) -> PrefixGrammar:
        """The grammar of `surprisal`; ``prefixes.is_changed`` if probabilities were normalised."""

    def surprisal(
        self,
        sentence: Input,
        analyses: int = 0,
        at: Collection[int] | None = None,
        *,
        derivation_entropy: bool = False,
        end: bool = False,
    ) -> list[Surprisal]:
        """Return how surprising each word is, and the `analyses` best structures at some places."""


class Surprisals:
    """Finds how surprising words are, with a grammar.

    Parameters
    ----------
    budget : Budget
        For each sentence, and once more for the entropy of derivations. When half of it is used up,
        improbable constituents are left out; words for which it is too short even then have the
        status "out of time", or of items or memory.
    """

    def __init__(self, grammar: PrefixGrammar, budget: Budget) -> None:
        self.grammar = grammar
        self._budget = budget

    def of(
        self,
        tokens: Sequence[Token],
        tags: Sequence[Mapping[Nonterminal, float]],
        analyses: int = 0,
        at: Collection[int] | None = None,
        *,
        derivation_entropy: bool = False,
        end: bool = False,
    ) -> list[Surprisal]:
        """Return how surprising each word of a sentence is.

        Parameters
        ----------
        tags : sequence of mapping of Nonterminal to float
            The probability of each word given each of its tags; 1 for a given tag.
        analyses, at, derivation_entropy, end : int, collection of int, bool, bool
            As for `PrefixReader.surprisal`.
        """
        reader = _Reader(self.grammar, self._budget)
        words = [
            reader.read(token.form, weights) for token, weights in zip(tokens, tags, strict=True)
        ]
        last = [reader.end()] if end else []
        if derivation_entropy:
            words = self._with_entropy(words, tags)
        if analyses:
            places = range(len(words)) if at is None else at
            words = self._with_analyses(words, tokens, tags, analyses, places)
        return words + last

    def _with_entropy(
        self, words: list[Surprisal], tags: Sequence[Mapping[Nonterminal, float]]
    ) -> list[Surprisal]:
        """Add the entropy of the derivation after each word, as far as the budget goes."""
        stage = _Stage(0.0, self._budget, 1.0)
        chart = EntropyChart(self._tempered)
        check = stage.check_of(*chart.charts)
        before = chart.entropy(0.0) / _BIT
        found: list[Surprisal] = []
        with suppress(OutOfBudgetError), within_memory():
            for word, weights in zip(words, tags, strict=True):
                if word.status != "read":  # an estimate is not exact enough
                    break
                assert word.log_prefix_probability is not None
                chart.extend(weights, stage.max_memory, check)
                entropy = chart.entropy(word.log_prefix_probability) / _BIT
                reduction = max(0.0, before - entropy)
                before = entropy
                found.append(
                    word._replace(
                        derivation_entropy=entropy, derivation_entropy_reduction=reduction
                    )
                )
        return [*found, *words[len(found) :]]

    def _with_analyses(
        self,
        words: list[Surprisal],
        tokens: Sequence[Token],
        tags: Sequence[Mapping[Nonterminal, float]],
        number: int,
        places: Collection[int],
    ) -> list[Surprisal]:
        """Add the most probable analyses after the words at some positions."""
        found = []
        for length, word in enumerate(words, start=1):
            best: list[Analysis] = []
            if word.status in _READ and length - 1 in places:
                assert word.log_prefix_probability is not None
                best = self._parser.best(
                    tokens[:length], tags[:length], word.log_prefix_probability, number
                )
            found.append(word._replace(analyses=tuple(best)))
        return found

    @cached_property
    def _tempered(self) -> tuple[Tempered, Tempered]:
        return tempered(self.grammar)

    @cached_property
    def _parser(self) -> PrefixParser:
        return PrefixParser(self.grammar, self._budget)


class _Reader:
    """Reads words, and leaves out more constituents as the budget is used up."""

    def __init__(self, grammar: PrefixGrammar, budget: Budget) -> None:
        self._chart = PrefixChart(grammar)
        self._entropy = _entropy(self._chart)
        self._stages = [
            _Stage(least, budget, 1.0 - 0.5**number) for number, least in enumerate(_LEAST, start=1)
        ]
        self._shortage: Shortage = "out of time"

    def read(self, word: str, weights: Mapping[Nonterminal, float]) -> Surprisal:
        """Return how surprising the next word is."""
        chart, before = self._chart, self._chart.log_probability
        missing = chart.missing
        syntactic = _bits(sum(p for tag, p in chart.tags().items() if weights.get(tag)))
        if not self._extend(weights):
            return Surprisal(word, status=self._shortage)
        if chart.log_probability == -inf:
            if missing:  # there may be sentences among all that was left out
                self._stages.clear()
                return Surprisal(word, status=self._shortage)
            status: Status = "no sentence" if weights else "unknown word"
            return Surprisal(word, inf, inf, inf, -inf, status=status)
        total = max(0.0, before - chart.log_probability) / _BIT
        highest = max(weights.values())  # the probability of the word after what was left out
        entropy_before, self._entropy = self._entropy, _entropy(chart)
        found = self._bounded(word, total, missing, highest)
        return found._replace(
            entropy=self._entropy,
            entropy_reduction=max(0.0, entropy_before - self._entropy),
            tag_surprisal=syntactic,
            word_surprisal=max(0.0, total - syntactic),
        )

    def end(self) -> Surprisal:
        """Return how surprising it is that the sentence ends here."""
        chart = self._chart
        if not self._stages:
            return Surprisal(END, status=self._shortage)
        probability = 0.0 if chart.log_probability == -inf else chart.end()
        if not probability and not chart.missing:
            return Surprisal(END, inf, inf, inf, -inf, status="no sentence")
        total = _bits(probability)
        return self._bounded(END, total, chart.missing, 1.0)._replace(
            log_prefix_probability=chart.log_probability - total * _BIT,
            entropy=0.0,
            entropy_reduction=self._entropy,
            tag_surprisal=total,
            word_surprisal=0.0,
        )

    def _bounded(self, word: str, total: float, missing: float, highest: float) -> Surprisal:
        """Return a surprisal with its bounds: the word follows what is missing with `highest`."""
        chart = self._chart
        most = min(highest, 2.0**-total + missing * highest)
        return Surprisal(
            word,
            total,
            min(total, _bits(most)),
            total + log1p(missing) / _BIT,
            chart.log_probability,
            status="bounded" if chart.missing else "read",
        )

    def _extend(self, weights: Mapping[Nonterminal, float]) -> bool:
        """Read a word in the first stage that has enough budget left; return whether one has."""
        while self._stages:
            stage = self._stages[0]
            try:
                with within_memory():
                    self._chart.extend(
                        weights, stage.least, stage.max_memory, stage.check_of(self._chart)
                    )
            except OutOfBudgetError as error:
                self._shortage = error.shortage
                del self._stages[0]
            else:
                return True
        return False


class _Stage:
    """The reading of a sentence up to a share of its budget.

    Constituents with at most the probability `least`, given the prefix, are left out.
    """

    def __init__(self, least: float, budget: Budget, share: float) -> None:
        self.least = least
        self.max_memory = share * budget.max_memory
        self._max_items = share * budget.max_items
        self._deadline = Deadline(budget._replace(max_seconds=share * budget.max_seconds))

    def check_of(self, *charts: PrefixChart) -> Callable[[], None]:
        """Return a function that raises an error if the share is used up."""

        def check() -> None:
            self._deadline.check()
            if sum(chart.items for chart in charts) > self._max_items:
                raise OutOfItemsError

        return check


def _entropy(chart: PrefixChart) -> float:
    """Return the entropy of the next tag or the end, in bits."""
    probabilities = [*chart.tags().values(), chart.end()]
    total = sum(probabilities)  # 1 unless something was left out
    return sum(p / total * _bits(p / total) for p in probabilities if p)


def _bits(probability: float) -> float:
    return max(0.0, -log2(probability)) if probability else inf
