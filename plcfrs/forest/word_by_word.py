"""Reading word by word with a grammar: what is left out, and what is shared with the last sentence.

Nearly all probability lies in few constituents. The others are left out, as long as the bounds of
all surprisals differ by no more than the precision.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from math import exp, inf, log, log1p, log2
from typing import NamedTuple

from plcfrs.budget import (
    Budget,
    Deadline,
    OutOfBudgetError,
    OutOfItemsError,
    Shortage,
    within_memory,
)
from plcfrs.forest.surprisal import END, PRECISION, Analysis, PrefixParser, Status, Surprisal
from plcfrs.grammar import Nonterminal
from plcfrs.prefix import PrefixChart, PrefixGrammar
from plcfrs.prefix.chart import EntropyChart, Tempered, entropy_error, tempered
from plcfrs.trees import Token

_BIT = log(2.0)

Tags = Mapping[Nonterminal, float]
"""The probability of a word given each of its tags; 1 for a given tag."""

# Each stage leaves out constituents with at most this probability, given the prefix. The first one
# has most of the budget, each other one half of what remains.
_LEAST = (0.0, 1e-12, 1e-9, 1e-6)
_FIRST_SHARE = 2 / 3

# A rough reading leaves out more. If that makes the sentence impossible, the next one is tried.
_ROUGH = (1e-5, 1e-8, 1e-11)

# Nothing is left out of a chart with fewer sums.
_SMALL = 5_000

# The plan is for this part of the precision, since the rough reading is not exact.
_PLANNED = 0.7

# The largest chart that is kept for the next sentence, in GiB and as a part of the budget.
_KEPT, _KEPT_PART = 0.125, 0.125

# Bounds that differ by less, in bits, differ by rounding.
_ROUNDING = 1e-9

_READ = ("read", "bounded")


class Surprisals:
    """Finds how surprising words are, with a grammar.

    Parameters
    ----------
    budget : Budget
        For each sentence, and once more for the entropy of derivations. When most of it is used up,
        more is left out than the precision allows. If that does not help, words have the status
        "out of time", "out of items" or "out of memory".
    """

    def __init__(self, grammar: PrefixGrammar, budget: Budget) -> None:
        self.grammar = grammar
        self._budget = budget
        self._unused: list[_KeptChart] = []

    def __getstate__(self) -> dict[str, object]:
        """Leave out the charts, which may be large, when the object is pickled."""
        return {**self.__dict__, "_unused": []}

    def of(
        self,
        tokens: Sequence[Token],
        tags: Sequence[Tags],
        analyses: int = 0,
        at: Collection[int] | None = None,
        *,
        derivation_entropy: bool = False,
        end: bool = False,
        precision: float = PRECISION,
    ) -> list[Surprisal]:
        """Return how surprising each word of a sentence is.

        Parameters
        ----------
        tags : sequence of mapping of Nonterminal to float
            The probability of each word given each of its tags; 1 for a given tag.
        analyses, at, derivation_entropy, end, precision : int, collection of int, bool, bool, float
            As for `PrefixReader.surprisal`.
        """
        try:
            kept = self._unused.pop()  # one atomic step: threads may share this object
        except IndexError:
            kept = _KeptChart(PrefixChart(self.grammar), [], [])
        planned = entropy_error(precision) if derivation_entropy else precision
        reading = _Reading(self.grammar, kept, tags, self._budget, precision, planned, end=end)
        words = reading.words([token.form for token in tokens])
        last = [reading.end()] if end else []
        if derivation_entropy:
            words = self._with_entropy(words, tags, reading.plan, max(planned, _ROUNDING))
        if analyses:
            places = range(len(words)) if at is None else at
            words = self._with_analyses(words, tokens, tags, analyses, places)
        if kept.chart.memory <= min(_KEPT, _KEPT_PART * self._budget.max_memory):
            self._unused.append(kept)
        return words + last

    def _with_entropy(
        self, words: list[Surprisal], tags: Sequence[Tags], plan: Plan | None, exactness: float
    ) -> list[Surprisal]:
        """Add the entropy of the derivation after each word, as far as the budget goes."""
        stage = _Stage(0.0, self._budget, 1.0)
        chart = EntropyChart(self._tempered)
        check = stage.check_of(*chart.charts)
        before = chart.entropy(0.0) / _BIT
        extended: list[Surprisal] = []
        with suppress(OutOfBudgetError), within_memory():
            for word, weights in zip(words, tags, strict=True):
                if word.status != "read":
                    break
                assert word.surprisal is not None
                assert word.at_most is not None
                assert word.log_prefix_probability is not None
                error = max(word.at_most - word.surprisal, log1p(chart.missing) / _BIT)
                if error > exactness:
                    break
                chart.extend(weights, stage.max_memory, check, plan and plan.may_lose)
                entropy = chart.entropy(word.log_prefix_probability) / _BIT
                reduction = max(0.0, before - entropy)
                before = entropy
                extended.append(
                    word._replace(
                        derivation_entropy=entropy, derivation_entropy_reduction=reduction
                    )
                )
        return [*extended, *words[len(extended) :]]

    def _with_analyses(
        self,
        words: list[Surprisal],
        tokens: Sequence[Token],
        tags: Sequence[Tags],
        number: int,
        places: Collection[int],
    ) -> list[Surprisal]:
        """Add the most probable analyses after the words at some positions."""
        analysed = []
        for length, word in enumerate(words, start=1):
            best: list[Analysis] = []
            if word.status in _READ and length - 1 in places:
                assert word.log_prefix_probability is not None
                best = self._parser.best(
                    tokens[:length], tags[:length], word.log_prefix_probability, number
                )
            analysed.append(word._replace(analyses=tuple(best)))
        return analysed

    @cached_property
    def _tempered(self) -> tuple[Tempered, Tempered]:
        return tempered(self.grammar)

    @cached_property
    def _parser(self) -> PrefixParser:
        return PrefixParser(self.grammar, self._budget)


class Plan(NamedTuple):
    """How much may be left out at each word, so that all later words have the wanted precision.

    At most, what was left out has the next word with its highest probability. So the missing part
    grows by that probability, divided by the probability of the word given the prefix. A rough
    reading of the whole sentence finds these factors.

    Parameters
    ----------
    growth : sequence of float
        The factor by which each word lets the missing part grow.
    most : sequence of float
        The part that may be missing after each number of words.
    """

    growth: Sequence[float]
    most: Sequence[float]

    @classmethod
    def of(cls, growth: Sequence[float], end: float, precision: float) -> Plan:
        """Return the plan for a precision in bits; `end` is the growth by the end, or 0."""
        worst = [1.0 + end]
        for factor in reversed(growth):
            worst.append(max(1.0 + factor, factor * worst[-1]))
        return cls(growth, [_PLANNED * precision * _BIT / each for each in reversed(worst)])

    def may_lose(self, chart: PrefixChart) -> float:
        """Return the part that may be left out at the next word of a chart."""
        if chart.items < _SMALL:
            return 0.0
        left = self.most[chart.length + 1] - chart.missing * self.growth[chart.length]
        return max(0.0, left / (len(self.growth) - chart.length))


class _KeptChart(NamedTuple):
    """A chart, with the tags and surprisals of the first words, which were read exactly."""

    chart: PrefixChart
    tags: list[Tags]
    surprisals: list[Surprisal]

    def rewind(self, tags: Sequence[Tags]) -> None:
        """Forget all but the words that another sentence shares."""
        shared = 0
        while shared < min(len(tags), len(self.tags)) and tags[shared] == self.tags[shared]:
            shared += 1
        self.chart.rewind(shared)
        del self.tags[shared:], self.surprisals[shared:]


class _Reading:
    """The reading of a sentence.

    Words whose bounds differ by up to `precision` bits are "read"; the plan is for `planned` bits.
    """

    def __init__(
        self,
        grammar: PrefixGrammar,
        kept: _KeptChart,
        tags: Sequence[Tags],
        budget: Budget,
        precision: float,
        planned: float,
        *,
        end: bool,
    ) -> None:
        self._grammar = grammar
        self._kept, self._tags = kept, tags
        kept.rewind(tags)
        self._chart = kept.chart
        self._entropy = _entropy(kept.chart)
        self._stages = [
            _Stage(least, budget, 1.0 - (1.0 - _FIRST_SHARE) * 0.5**number)
            for number, least in enumerate(_LEAST)
        ]
        self._shortage: Shortage = "out of time"
        self._precision, self._planned = max(precision, _ROUNDING), planned
        self._has_end = end
        self._wants_plan = planned > 0.0
        self.plan: Plan | None = None

    def words(self, forms: Sequence[str]) -> list[Surprisal]:
        """Return how surprising each word is."""
        kept = self._kept
        words = [
            surprisal._replace(word=form)
            for surprisal, form in zip(kept.surprisals, forms, strict=False)
        ]
        for form, weights in zip(forms[len(words) :], self._tags[len(words) :], strict=True):
            words.append(self._read(form, weights))
            is_exact = words[-1].status == "read" and not self._chart.missing
            if is_exact and len(kept.surprisals) == len(words) - 1:
                kept.tags.append(weights)
                kept.surprisals.append(words[-1])
        return words

    def _read(self, word: str, weights: Tags) -> Surprisal:
        """Return how surprising the next word is."""
        chart, before = self._chart, self._chart.log_probability
        missing = chart.missing
        syntactic = _bits(sum(p for tag, p in chart.tags().items() if weights.get(tag)))
        if not self._extend(weights):
            return Surprisal(word, status=self._shortage)
        if chart.log_probability == -inf:
            if missing:  # there may be sentences in what was left out
                self._stages.clear()
                return Surprisal(word, status=self._shortage)
            status: Status = "no sentence" if weights else "unknown word"
            return _impossible(word, status)
        total = max(0.0, before - chart.log_probability) / _BIT
        highest = max(weights.values())  # the probability of the word after what was left out
        entropy_before, self._entropy = self._entropy, _entropy(chart)
        return self._bounded(word, total, missing, highest)._replace(
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
            return _impossible(END, "no sentence")
        total = _bits(probability)
        return self._bounded(END, total, chart.missing, 1.0)._replace(
            log_prefix_probability=chart.log_probability - total * _BIT,
            entropy=0.0,
            entropy_reduction=self._entropy,
            tag_surprisal=total,
            word_surprisal=0.0,
        )

    def _bounded(self, word: str, total: float, missing: float, highest: float) -> Surprisal:
        """Return a surprisal with bounds; `highest` is its probability after what is missing."""
        chart = self._chart
        least = min(total, _bits(min(highest, 2.0**-total + missing * highest)))
        most = total + log1p(missing) / _BIT
        is_read = max(most - least, log1p(chart.missing) / _BIT) <= self._precision
        status: Status = "read" if is_read else "bounded"
        log_probability = chart.log_probability
        return Surprisal(
            word, total, least, most, log_prefix_probability=log_probability, status=status
        )

    def _extend(self, weights: Tags) -> bool:
        """Read a word in the first stage that has enough budget left; return whether one has."""
        while self._stages:
            stage = self._stages[0]
            check = stage.check_of(self._chart)
            try:
                with within_memory():
                    if self._wants_plan and self._chart.items >= _SMALL:
                        self._wants_plan = False
                        self.plan = self._make_plan(check)
                    lost = self.plan.may_lose(self._chart) if self.plan else 0.0
                    self._chart.extend(weights, stage.least, stage.max_memory, check, may_lose=lost)
            except OutOfBudgetError as error:
                self._shortage = error.shortage
                del self._stages[0]
            else:
                return True
        return False

    def _make_plan(self, check: Callable[[], None]) -> Plan | None:
        """Return a plan after a rough reading; None if it finds no sentence with these words."""
        for least in _ROUGH:
            chart = PrefixChart(self._grammar)
            growth = []
            for weights in self._tags:
                before = chart.log_probability
                chart.extend(weights, least, self._stages[0].max_memory, check)
                if chart.log_probability == -inf:
                    break
                growth.append(exp(log(max(weights.values())) + before - chart.log_probability))
            else:
                last = chart.end() if self._has_end else 0.0
                return Plan.of(growth, 1.0 / last if last else 0.0, self._planned)
        return None


def _impossible(word: str, status: Status) -> Surprisal:
    """Return the surprisal of a word that no sentence of the grammar has here."""
    return Surprisal(word, inf, inf, inf, log_prefix_probability=-inf, status=status)


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
