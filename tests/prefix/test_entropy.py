"""The entropy of derivations: against enumeration and linear equations."""

from collections import defaultdict
from math import exp, log

import numpy as np
import pytest
from prefix_examples import FINITE, LEFT_RECURSIVE, A, B, S, strings_of_derivations
from quick import core

from plcfrs.grammar import Grammar
from plcfrs.parsers.grammar.model import GrammarModel
from plcfrs.prefix import PrefixChart, PrefixGrammar
from plcfrs.prefix.chart import EntropyChart, tempered


@core(1, "name", FINITE)
def test_enumeration(name):
    grammar = Grammar(FINITE[name], start=S)
    by_prefix = defaultdict(list)
    for words, p in strings_of_derivations(grammar):
        for length in range(len(words) + 1):
            by_prefix[words[:length]].append(p)
    prepared = PrefixGrammar(grammar)
    grammars = tempered(prepared)
    for words, probabilities in by_prefix.items():
        total = sum(probabilities)
        expected = -sum(p / total * log(p / total) for p in probabilities)
        entropies, chart = EntropyChart(grammars), PrefixChart(prepared)
        for word in words:
            entropies.extend({word: 1.0})
            chart.extend({word: 1.0})
        assert entropies.entropy(chart.log_probability) == pytest.approx(expected, abs=1e-6)


def prior(grammar):
    """The entropy of all derivations in nats (Grenander 1967): a system of linear equations."""
    rules = grammar.probabilities()
    symbols = list({rule.lhs for rule in rules})
    matrix, constant = np.eye(len(symbols)), np.zeros(len(symbols))
    for rule, p in rules.items():
        constant[symbols.index(rule.lhs)] -= p * log(p)
        for child in rule.rhs:
            if child in symbols:
                matrix[symbols.index(rule.lhs), symbols.index(child)] -= p
    return np.linalg.solve(matrix, constant)[symbols.index(grammar.start)]


@pytest.mark.full
def test_the_entropy_before_the_first_word():
    for grammar in (LEFT_RECURSIVE, GrammarModel.train("plcfrs:demo").grammar):
        found = EntropyChart(tempered(PrefixGrammar(grammar))).entropy(0.0)
        assert found == pytest.approx(prior(grammar), abs=1e-4)


def test_the_entropy_of_now_is_the_mean_of_that_after_the_next_word():
    """H(derivation) = H(next word) + sum over words of p(word) H(derivation given the word)."""
    prepared = PrefixGrammar(LEFT_RECURSIVE)
    grammars = tempered(prepared)

    def read(words):
        entropies, chart = EntropyChart(grammars), PrefixChart(prepared)
        for word in words:
            entropies.extend({word: 1.0})
            chart.extend({word: 1.0})
        return entropies.entropy(chart.log_probability), chart

    for words in ([B], [A, B], [A, A, B]):
        entropy, chart = read(words)
        assert not chart.end()
        mean = sum(p * (read([*words, word])[0] - log(p)) for word, p in chart.tags().items())
        assert mean == pytest.approx(entropy, abs=1e-5)
        assert sum(chart.tags().values()) == pytest.approx(1.0)
        assert exp(chart.log_probability) > 0
