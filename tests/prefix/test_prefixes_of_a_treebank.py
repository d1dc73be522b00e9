"""Prefix probabilities of grammars of NLTK's sample of the Penn Treebank."""

from collections import Counter
from math import log, log1p
from random import Random

import pytest

from plcfrs.chart import ChartParser
from plcfrs.grammar import tag
from plcfrs.grammar.words import UNKNOWN, Form, WordClasses, WordModel, forms
from plcfrs.parsers.grammar.model import GrammarModel
from plcfrs.prefix import PrefixChart
from plcfrs.transformation import transform_all

pytestmark = pytest.mark.full

TRAINING = 3396  # trees in files 0001-0159
MODELS = {}


@pytest.fixture(params=["evang-kallmeyer", "markov-v1h1"])
def model(request, penn_treebank):
    if request.param not in MODELS:
        trees = transform_all(penn_treebank[:TRAINING])
        MODELS[request.param] = GrammarModel.train(trees, request.param)
    return MODELS[request.param]


@pytest.fixture
def sentences(penn_treebank):
    trees = transform_all(penn_treebank[TRAINING:])
    chosen = [tree for tree in trees if len(tree.tokens) <= 20]
    return Random(1).sample(chosen, 20)


def vocabulary(lexicon):
    """P(word | tag) of all words after the first, and of an unseen one for each signature.

    The formula is that of plcfrs.grammar.words.
    """
    counts = {name: Counter(tags) for name, tags in lexicon.signatures.items()}
    counts[UNKNOWN] = sum(counts.values(), Counter())
    share = {name: {t: n / tags.total() for t, n in tags.items()} for name, tags in counts.items()}
    classes = WordClasses(frozenset(), frozenset(lexicon.signatures))
    model, total, found = WordModel(lexicon), {}, []
    for word, seen in lexicon.words.items():
        form = Form(word, False)
        found.append(model.probabilities(form))
        for each, p in found[-1].items():
            of_signature = share.get(classes.signature(form), {}).get(each, 0.0)
            total[each] = (seen.get(each, 0.0) + 0.5 * of_signature) / p
    return [
        *found,
        *(
            {each: 0.5 * part / total[each] for each, part in tags.items()}
            for tags in share.values()
        ),
    ]


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


def test_the_next_words_and_the_end_sum_to_one(model, sentences):
    random = Random(3)
    words = vocabulary(model.grammar.lexicon)
    for tree in sentences:
        sentence = tree.words()[: random.randrange(1, len(tree.tokens))]
        chart = PrefixChart(model.prefixes)
        for weights in words_of(model, sentence):
            chart.extend(weights)
        following = chart.tags()
        total = sum(following.get(each, 0.0) * p for word in words for each, p in word.items())
        assert total + chart.end() == pytest.approx(1.0, abs=1e-6)


def words_of(model, sentence):
    """P(word | tag) of the words of a sentence."""
    found = WordModel(model.grammar.lexicon)
    return [found.probabilities(form) for form in forms(sentence)]


def test_bounds_hold_where_a_part_is_left_out(model, sentences):
    for tree in sentences[:8]:
        sentence = words_of(model, tree.words())
        exact, chart = PrefixChart(model.prefixes), PrefixChart(model.prefixes)
        for weights in sentence:
            exact.extend(weights)
            chart.extend(weights, 1e-6)
            known, total = chart.log_probability, exact.log_probability
            assert known <= total + 1e-9
            assert total <= known + log1p(chart.missing) + 1e-9
