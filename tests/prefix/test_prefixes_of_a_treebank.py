"""Prefix probabilities of grammars of NLTK's sample of the Penn Treebank."""

from math import log
from random import Random

import pytest

from plcfrs.chart import ChartParser
from plcfrs.grammar import tag
from plcfrs.pipeline import GrammarModel
from plcfrs.prefix import PrefixChart
from plcfrs.transformation import transform_all

pytestmark = pytest.mark.full


@pytest.fixture(params=["evang-kallmeyer", "markov-v1h1"])
def model(request, penn_treebank):
    return GrammarModel.train(transform_all(penn_treebank[:1500]), request.param)


@pytest.fixture
def sentences(penn_treebank):
    trees = transform_all(penn_treebank[1500:])
    chosen = [tree for tree in trees if len(tree.tokens) <= 20]
    return Random(1).sample(chosen, 20)


def read(model, tags):
    """Read tags as long as some sentence begins so; return the chart and the probabilities."""
    chart = PrefixChart(model.prefixes)
    steps = [chart.log_probability]
    for each in tags:
        if not chart.tags().get(each):
            break
        chart.extend({each: 1.0})
        steps.append(chart.log_probability)
    return chart, steps


def test_what_may_follow_sums_to_one(model, sentences):
    random = Random(2)
    for tree in sentences:
        tags = [tag(token.tag) for token in tree.tokens]
        chart, steps = read(model, tags[: random.randrange(len(tags))])
        assert sum(chart.tags().values()) + chart.end() == pytest.approx(1.0, abs=1e-6)
        assert steps == sorted(steps, reverse=True)


def test_the_end_gives_the_probability_of_the_sentence(model, sentences):
    parser = ChartParser(model.grammar)
    compared = 0
    for tree in sentences:
        tags = [tag(token.tag) for token in tree.tokens]
        chart, steps = read(model, tags)
        expected = parser.expectations([{each: 0.0} for each in tags])
        if expected is None:
            assert len(steps) <= len(tags) or chart.end() == 0
            continue
        compared += 1
        whole = chart.log_probability + log(chart.end())
        assert whole == pytest.approx(expected.log_probability, rel=1e-9)
    assert compared > 5
