"""The entropy of the derivation of a sentence, given its first words.

With the probability p(d) of each derivation d of sentences that begin with the words, let

    G(s) = ln sum_d p(d)^s.

Then the entropy of the derivation given the words is G(1) - G'(1), in nats (Hale 2006 intersects
the grammar with the prefix, and solves a system of equations). G(s) is a prefix probability, too:
that of the grammar whose rules have the probabilities to the power of s, normalised. G' is found
from G at three places.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf, log
from typing import NamedTuple

from plcfrs.grammar import Grammar, Nonterminal
from plcfrs.prefix.chart import PrefixChart, PrefixGrammar
from plcfrs.prefix.consistency import normalised, totals

# Large enough for the rounding of probabilities, small enough for the third cumulant of ln p(d):
# the entropies of treebank grammars are right to about 0.0001 bits.
_STEP = 2e-6


class Tempered(NamedTuple):
    """A grammar with rule probabilities to the power of `exponent`, normalised.

    `log_total` is the natural logarithm of the sum over all derivations before normalisation.
    """

    exponent: float
    grammar: PrefixGrammar
    log_total: float


def tempered(grammar: PrefixGrammar) -> tuple[Tempered, Tempered]:
    """Return a grammar with exponents a little above 1, for which all sums are finite."""
    return _tempered(grammar, 1.0 + _STEP), _tempered(grammar, 1.0 + 2 * _STEP)


def _tempered(grammar: PrefixGrammar, exponent: float) -> Tempered:
    rules = {rule: p**exponent for rule, p in grammar.rules.items()}
    total = totals(rules)[grammar.start]
    changed, _ = normalised(Grammar(rules, start=grammar.start, weights="probabilities"))
    again = Grammar(changed, start=grammar.start, weights="probabilities")
    return Tempered(exponent, PrefixGrammar(again), log(total))


class EntropyChart:
    """The entropy of the derivation of a sentence, given a prefix that grows; see `tempered`.

    >>> from plcfrs.grammar import Rule, tag
    >>> s, a = Nonterminal("S"), tag("a")
    >>> rules = {Rule(s, (a, s), ((0, 1),)): 1, Rule(s, (a,), ((0,),)): 1}
    >>> chart = EntropyChart(tempered(PrefixGrammar(Grammar(rules, start=s))))
    >>> round(chart.entropy(0.0) / log(2), 4)
    2.0
    """

    def __init__(self, grammars: tuple[Tempered, Tempered]) -> None:
        self._grammars = grammars
        self.charts = [PrefixChart(each.grammar) for each in grammars]

    def extend(
        self,
        word: Mapping[Nonterminal, float],
        max_memory: float = inf,
        check: Callable[[], None] | None = None,
    ) -> None:
        """Read a word; see `PrefixChart.extend`. The chart cannot be used after an error."""
        for (exponent, _, _), chart in zip(self._grammars, self.charts, strict=True):
            weights = {tag: p**exponent for tag, p in word.items()}
            chart.extend(weights, 0.0, max_memory / 2, check)

    def entropy(self, log_probability: float) -> float:
        """Return the entropy in nats, given the natural logarithm of the prefix probability."""
        near, far = (
            each.log_total + chart.log_probability
            for each, chart in zip(self._grammars, self.charts, strict=True)
        )
        slope = (4.0 * near - far - 3.0 * log_probability) / (2 * _STEP)
        return max(0.0, log_probability - slope)
