"""Sentences that take too long, and work that grows with the length and no faster."""

from collections import Counter
from itertools import cycle, islice
from unittest.mock import Mock, patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from quick import core, full
from random_networks import demo, random_model, random_network, random_span_model

from plcfrs import load_model
from plcfrs.budget import UNLIMITED, Deadline, OutOfTimeError
from plcfrs.errors import InputError
from plcfrs.parsers.neural import configuration
from plcfrs.parsers.neural import model as model_module
from plcfrs.parsers.neural.outline import Outline
from plcfrs.parsing.parse import BEST_PARSE, Task
from plcfrs.parsing.sentence import Sentence
from plcfrs.stopping import StoppedError, stoppable
from plcfrs.trees import Node
from plcfrs.trees.tree import span_of


def stopping_after(number):
    """Let the time of each sentence be over after a number of checks."""
    checks = Counter()

    def check(deadline):
        checks[deadline] += 1
        if checks[deadline] > number:
            raise OutOfTimeError

    return patch.object(Deadline, "check_time", check)


@core(
    1,
    "wanted",
    [BEST_PARSE, Task(posteriors=True), Task(explained=True), Task(nbest=3)],
    ids=["best", "posteriors", "explained", "nbest"],
)
@core(1, "make", [random_model, random_span_model])
def test_every_sentence_has_an_output_however_soon_its_time_is_over(make, wanted):
    model, trees = make(), sorted(demo(), key=lambda tree: len(tree.tokens))[60:64]
    sentences = [Sentence.of(tree) for tree in trees]
    seen = set()
    for number in (*range(0, 60, 6), 100, 200, 400):
        with stopping_after(number):
            parses = [found[0] for found in model.parse_together(sentences, wanted)]
        assert [parse.tree.words() for parse in parses] == [tree.words() for tree in trees]
        seen |= {parse.status for parse in parses}
        for parse in parses:
            assert (parse.posteriors is not None) == wanted.posteriors
    assert seen == {"parsed", "out of time"}


@pytest.mark.full
def test_a_parse_that_nobody_has_time_to_explain(monkeypatch):
    model, sentence = random_model(), demo()[0]
    monkeypatch.setattr(model, "_explained", Mock(side_effect=OutOfTimeError))
    with pytest.raises(InputError, match="the time was over before the parse was explained"):
        model.explain(sentence)


@core(1, "last", [10, 1, 40])
def test_the_network_ends_when_nobody_waits(last):
    network, checks = random_network(), 0

    def check():
        nonlocal checks
        checks += 1
        if checks == last:
            raise StoppedError("nobody waits")

    with pytest.raises(StoppedError), stoppable(check):
        network.read([tree.tokens for tree in demo()[:3]], 1)
    assert checks == last


@given(st.lists(st.booleans(), min_size=1, max_size=12), st.data())
def test_an_outline_finds_the_tokens_of_words_and_back(starts, data):
    borders = [0, *(word for word, is_start in enumerate(starts, start=1) if is_start)]
    borders.append(len(starts) + 1)
    joined = span_of([word for word in range(len(starts) + 1) if word not in borders])
    outline = Outline(borders, joined, {})
    words = data.draw(st.sets(st.integers(0, len(starts))))
    tokens = [place for place, word in enumerate(borders[:-1]) if word in words]
    assert outline.narrowed(span_of(sorted(words))) == span_of(tokens)
    inside = [word for token in tokens for word in range(borders[token], borders[token + 1])]
    assert outline.widened(span_of(tokens)) == span_of(inside)
    assert outline.has_whole(span_of(sorted(words))) == (words == {*inside})


@pytest.mark.parametrize("length", [50, full(500)])
def test_a_tree_of_sets_looks_at_each_of_them_twice(length):
    """Here each set has the next word, too, so that all are nested."""
    sets = [(2 << last) - 1 for last in range(1, length)]
    with patch.object(configuration, "leftmost", wraps=configuration.leftmost) as leftmost:
        root = configuration.nested(length, sets, lambda _, children: Node("X", children=children))
    assert leftmost.call_count == 3 * len(sets)
    assert len(list(root.preorder())) == len(sets)


@pytest.mark.full
def test_a_sentence_with_many_tokens_that_are_not_sure_has_no_forest(monkeypatch):
    model, sentence = random_model(), demo()[0]
    assert model.parse(sentence).statistics.items
    monkeypatch.setattr(model_module, "_LONGEST", 1)
    parse = model.parse(sentence)
    assert (parse.status, parse.meaning) == ("parsed", "log probability of the transitions")
    assert not parse.statistics.items


@pytest.mark.full
def test_a_network_reads_long_sentences_in_windows_whose_number_grows_linearly():
    model = load_model("plcfrs:english", UNLIMITED)
    (encoder,) = model.network.inputs
    few, many = (len(list(encoder._windows([words_of(n)]))) for n in (4_000, 20_000))
    assert many <= 6 * few
    parse = model.parse(words_of(4_000))
    assert parse.status == "parsed"
    assert parse.tree.words() == words_of(4_000)


@pytest.mark.full
@pytest.mark.parametrize("number", [5, 500])
def test_of_20000_words_none_is_lost(number):
    model = load_model("plcfrs:english")
    with stopping_after(number):
        parse = model.parse(words_of(20_000))
    assert parse.status == "out of time"
    assert parse.tree.words() == words_of(20_000)


def words_of(number):
    return list(islice(cycle(demo()[0].words()), number))
