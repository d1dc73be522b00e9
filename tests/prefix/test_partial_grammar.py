"""The grammar of prefixes: its derivations sum up to the prefix probability."""

from math import log

import pytest
from prefix_examples import FINITE, LEFT_RECURSIVE, A, B, S, close
from quick import core

from plcfrs.budget import UNLIMITED
from plcfrs.chart import ChartParser
from plcfrs.chart.forest import inside_outside
from plcfrs.grammar import Grammar, tag
from plcfrs.parsers.grammar.model import GrammarModel
from plcfrs.prefix import PrefixChart, PrefixGrammar
from plcfrs.prefix.partial import partial_grammar
from plcfrs.transformation import transform_all


def log_sum(parser, words):
    """The sum over all derivations of words in a grammar, as a natural logarithm."""
    return inside_outside(parser.forest([{word: 0.0} for word in words])).log_probability


@core(1, "name", FINITE)
def test_derivations_sum_up_to_the_prefix_probability(name):
    prepared = PrefixGrammar(Grammar(FINITE[name], start=S))
    parser = ChartParser(partial_grammar(prepared.rules, prepared.start).grammar)
    waiting = [()]
    while waiting:
        words = waiting.pop()
        chart = PrefixChart(prepared)
        for word in words:
            chart.extend({word: 1.0})
        if words:
            assert log_sum(parser, words) == close(chart.log_probability)
        waiting += [(*words, word) for word in chart.tags()]


def test_cycles_and_recursion():
    prepared = PrefixGrammar(LEFT_RECURSIVE)
    parser = ChartParser(partial_grammar(prepared.rules, prepared.start).grammar)
    chart, words = PrefixChart(prepared), [B, A, A, B, B, A]
    for length, word in enumerate(words, start=1):
        chart.extend({word: 1.0})
        assert log_sum(parser, words[:length]) == close(chart.log_probability)


@pytest.mark.full
def test_treebank_grammars(penn_treebank):
    trees = list(transform_all(penn_treebank[:1500]))
    prepared = GrammarModel.train(trees).prefixes
    partial = partial_grammar(prepared.rules, prepared.start)
    parser = ChartParser(partial.grammar, budget=UNLIMITED)
    for tree in trees[::150]:
        chart = PrefixChart(prepared)
        tags = [tag(token.tag) for token in tree.tokens[:12]]
        for each in tags:
            chart.extend({each: 1.0})
        assert log_sum(parser, tags) == pytest.approx(chart.log_probability, rel=1e-9)
        assert chart.log_probability > log(1e-30)
