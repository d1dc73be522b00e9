"""Prefix probabilities: against enumeration of all strings, closed forms, and inside sums."""

from collections import defaultdict
from itertools import product
from math import exp, log
from random import Random

import pytest
from prefix_examples import FINITE, LEFT_RECURSIVE, A, B, C, D, S, T, close, strings_of_derivations
from quick import core

from plcfrs.chart import ChartParser
from plcfrs.chart.forest import inside_outside
from plcfrs.errors import GrammarError
from plcfrs.grammar import Grammar, Nonterminal, Rule, tag
from plcfrs.prefix import PrefixChart, PrefixGrammar
from plcfrs.prefix import chart as chart_module


def prefix_probability(grammar, words):
    chart = PrefixChart(PrefixGrammar(grammar))
    for word in words:
        chart.extend({word: 1.0})
    return exp(chart.log_probability)


@core(1, "name", FINITE)
def test_all_strings_of_finite_grammars(name):
    grammar = Grammar(FINITE[name], start=S)
    prefixes = defaultdict(float)
    whole = defaultdict(float)
    for words, p in strings_of_derivations(grammar):
        whole[words] += p
    for words, p in whole.items():
        for length in range(len(words) + 1):
            prefixes[words[:length]] += p
    prepared = PrefixGrammar(grammar)
    assert not prepared.is_changed
    for words, expected in prefixes.items():
        chart = PrefixChart(prepared)
        for word in words:
            chart.extend({word: 1.0})
        assert exp(chart.log_probability) == close(expected)
        assert chart.end() * expected == close(whole.get(words, 0.0))
        assert sum(chart.tags().values()) + chart.end() == close(1.0)
        for word, p in chart.tags().items():
            assert p * expected == close(prefixes.get((*words, word), 0.0))


def test_counting_language():
    v, w, z, inner = (
        Nonterminal(name, fan_out) for name, fan_out in zip("VWZI", (4, 2, 2, 4), strict=True)
    )
    rules = {  # a^n b^n c^n d^n
        Rule(S, (T,), ((0, 0),)): 1,
        Rule(T, (v,), ((0, 0), (0, 0))): 1,
        Rule(v, (w, z), ((0,), (0,), (1,), (1,))): 2,
        Rule(v, (inner, w), ((1, 0), (1, 0), (0,), (0,))): 1,
        Rule(inner, (v, z), ((0,), (0,), (1, 0), (1, 0))): 1,
        Rule(w, (A, B), ((0,), (1,))): 1,
        Rule(z, (C, D), ((0,), (1,))): 1,
    }
    grammar = Grammar(rules, start=S)
    for n in range(1, 4):
        assert prefix_probability(grammar, [A] * n) == close((1 / 3) ** (n - 1))
        for more in ([B], [B] * n, [B] * n + [C], [B] * n + [C] * n + [D] * n):
            assert prefix_probability(grammar, [A] * n + more) == close(2 / 3 * (1 / 3) ** (n - 1))
    assert prefix_probability(grammar, [A, A, B, C]) == 0.0


def test_copy_language():
    pair = Nonterminal("P", 2)
    rules = {Rule(S, (T,), ((0, 0),)): 1, Rule(T, (pair, T), ((0, 1), (0, 1))): 1}
    rules[Rule(T, (pair,), ((0,), (0,)))] = 1
    rules[Rule(pair, (A, A), ((0,), (1,)))] = 1
    rules[Rule(pair, (B, B), ((0,), (1,)))] = 3
    grammar = Grammar(rules, start=S)

    def chance(half):
        p = 0.5 ** len(half)
        for word in half:
            p *= 0.25 if word == A else 0.75
        return p

    for words in product((A, B), repeat=4):
        expected = 2 * chance(words)  # the copy has not begun
        for border in range(1, 4):  # the first half ends here, or what follows is its copy so far
            half, copied = words[:border], words[border:]
            if len(copied) <= border and half[: len(copied)] == copied:
                expected += chance(half)
        assert prefix_probability(grammar, words) == close(expected)


def jelinek_lafferty(rules, symbol, words):
    """The prefix probability in a context-free grammar, by iteration of its equations."""
    length = len(words)
    symbols = {each for lhs, rhs, _ in rules for each in (lhs, *rhs)}
    value = defaultdict(float)
    for each in symbols:
        value[each, length, length] = 1.0
        for i in range(length):
            value[each, i, i + 1] = float(each == words[i])
    for _ in range(300):  # (i, length): from i over the end of the prefix
        for i in range(length - 1, -1, -1):
            for j in range(i + 1, length + 1):
                sums = defaultdict(float)
                for (lhs, rhs, _), p in rules.items():
                    if len(rhs) == 1:
                        sums[lhs] += p * value[rhs[0], i, j]
                    else:
                        middles = range(i + 1, j + (j == length))
                        sums[lhs] += p * sum(
                            value[rhs[0], i, m] * value[rhs[1], m, j] for m in middles
                        )
                for each, total in sums.items():
                    value[each, i, j] = total
    return value[symbol, 0, length]


@core(1, "words", ["a", "b", "ba", "aba", "aabba", "bbaab"])
def test_jelinek_and_lafferty(words):
    found = prefix_probability(LEFT_RECURSIVE, list(map(tag, words)))
    rules = LEFT_RECURSIVE.probabilities()
    assert found == close(jelinek_lafferty(rules, S, list(map(tag, words))))


def test_the_end_symbol_gives_the_probability_of_the_sentence():
    chart = PrefixChart(PrefixGrammar(LEFT_RECURSIVE))
    parser = ChartParser(LEFT_RECURSIVE)
    words = [A, B, A, B, B, A]
    last = 0.0
    for length, word in enumerate(words, start=1):
        chart.extend({word: 1.0})
        assert chart.log_probability <= last + 1e-12
        last = chart.log_probability
        if word == A:
            sums = inside_outside(parser.forest([{each: 0.0} for each in words[:length]]))
            assert last + log(chart.end()) == close(sums.log_probability)


@core(
    1,
    "least",
    [*(pytest.param(least, marks=pytest.mark.full) for least in (0.5, 0.01, 1e-4)), 0.1, 0.0],
)
@core(1, "name", [*FINITE, "left-recursive"])
def test_what_is_left_out_is_no_more_than_is_missing(name, least):
    grammar = LEFT_RECURSIVE if name == "left-recursive" else Grammar(FINITE[name], start=S)
    prepared = PrefixGrammar(grammar)
    waiting = [()]
    while waiting:
        words = waiting.pop()
        exact, chart = PrefixChart(prepared), PrefixChart(prepared)
        for word in words:
            exact.extend({word: 1.0})
            chart.extend({word: 1.0}, least)
        known = exp(chart.log_probability)
        assert known <= exp(exact.log_probability) * (1 + 1e-9)
        if known:
            assert exp(exact.log_probability) <= known * (1 + chart.missing) * (1 + 1e-9)
            rest = sum(chart.tags().values()) + chart.end()
            assert 1 - chart.missing <= rest * (1 + 1e-9)
            assert least or not chart.missing
            waiting += [(*words, word) for word in exact.tags() if len(words) < 6]


def test_a_word_that_is_interrupted_has_not_been_read():
    prepared = PrefixGrammar(LEFT_RECURSIVE)
    chart, expected = PrefixChart(prepared), PrefixChart(prepared)
    for word in (B, A, B, B, A):
        calls = iter(range(100))
        for allowed in range(6):

            def check(allowed=allowed, calls=calls):
                if next(calls) >= allowed:
                    raise TimeoutError

            length, probability = chart.length, chart.log_probability
            with pytest.raises(TimeoutError):
                chart.extend({word: 1.0}, check=check)
            assert (chart.length, chart.log_probability) == (length, probability)
        chart.extend({word: 1.0})
        expected.extend({word: 1.0})
        assert chart.log_probability == expected.log_probability
        assert chart.tags() == expected.tags()
        assert chart.end() == expected.end()


def state(chart):
    return chart.log_probability, chart.missing, chart.tags(), chart.end(), chart.items


@core(1, "name", [*FINITE, "left-recursive"])
def test_a_chart_that_is_rewound_is_as_if_words_had_never_been_read(name):
    grammar = LEFT_RECURSIVE if name == "left-recursive" else Grammar(FINITE[name], start=S)
    prepared, random = PrefixGrammar(grammar), Random(7)
    chart, words = PrefixChart(prepared), []
    for _ in range(60):
        length = random.randrange(len(words) + 1)
        chart.rewind(length)
        words = [*words[:length], *(random.choice([A, B, C]) for _ in range(random.randrange(9)))]
        expected = PrefixChart(prepared)
        for place, word in enumerate(words):
            expected.extend({word: 1.0}, may_lose=0.01)
            if place >= length:
                chart.extend({word: 1.0}, may_lose=0.01)
        assert state(chart) == state(expected)


@pytest.mark.full
@core(2, "may_lose", [0.5, 0.1])
@core(2, "name", [*FINITE, "left-recursive"])
def test_no_more_is_lost_than_may_be(name, may_lose, monkeypatch):
    monkeypatch.setattr(chart_module, "_LOST_PER_LEAST", 1.0)
    grammar = LEFT_RECURSIVE if name == "left-recursive" else Grammar(FINITE[name], start=S)
    prepared, waiting, lost = PrefixGrammar(grammar), [()], 0.0
    while waiting:
        words = waiting.pop()
        exact, chart, missing = PrefixChart(prepared), PrefixChart(prepared), 0.0
        for word in words:
            missing /= chart.tags().get(word, 1.0)
            exact.extend({word: 1.0})
            chart.extend({word: 1.0}, may_lose=may_lose)
            assert chart.missing <= (missing + may_lose) * (1 + 1e-9)
            missing = chart.missing
        known = exp(chart.log_probability)
        if known:
            assert known <= exp(exact.log_probability) * (1 + 1e-9)
            assert exp(exact.log_probability) <= known * (1 + missing) * (1 + 1e-9)
            lost += missing
            waiting += [(*words, word) for word in exact.tags() if len(words) < 5]
    assert lost


def test_improper_probabilities_are_normalised():
    half = Grammar(
        {Rule(S, (S, S), ((0, 1),)): 0.6, Rule(S, (A,), ((0,),)): 0.4},
        start=S,
        weights="probabilities",
    )
    prepared = PrefixGrammar(half)  # derivations have 2/3 of the mass: S -> S S gets 0.4
    assert prepared.is_changed
    chart = PrefixChart(prepared)
    chart.extend({A: 1.0})
    assert chart.end() == pytest.approx(0.6, rel=1e-7)


@pytest.mark.full
def test_infinite_sums_are_refused():
    rules = {Rule(S, (S,), ((0,),)): 1.0, Rule(S, (A,), ((0,),)): 0.5}
    with pytest.raises(GrammarError, match="no finite sum"):
        PrefixGrammar(Grammar(rules, start=S, weights="probabilities"))
