"""Reading word by word: what is left out within a precision, and what sentences share."""

from itertools import pairwise
from math import log2

import pytest
from prefix_examples import FINITE, LEFT_RECURSIVE, A, B, S, strings_of_derivations
from quick import core

from plcfrs.budget import Budget
from plcfrs.forest import word_by_word
from plcfrs.forest.word_by_word import Plan
from plcfrs.grammar import Grammar
from plcfrs.parsers.grammar.model import GrammarModel
from plcfrs.prefix import PrefixChart

TEXT = "What did the teacher say that the children should read ?"
PRECISIONS = (0.5, 0.01, 0.001)


@pytest.fixture(autouse=True)
def _leaves_out_from_the_first_word(monkeypatch):
    monkeypatch.setattr(word_by_word, "_SMALL", 0)


@pytest.fixture(scope="module")
def demo():
    return GrammarModel.train("plcfrs:demo", "markov-v1h1")


def tagged(words):
    return [(word.category, word.category) for word in words]


@core(1, "precision", PRECISIONS)
@core(1, "name", FINITE)
def test_the_truth_lies_between_the_bounds(name, precision):
    grammar = Grammar(FINITE[name], start=S)
    strings = list(strings_of_derivations(grammar))
    model = GrammarModel(grammar)
    for words in {words for words, _ in strings}:
        *found, end = model.surprisal(tagged(words), end=True, precision=precision)
        mass = [
            sum(p for other, p in strings if other[:length] == words[:length])
            for length in range(len(words) + 1)
        ]
        mass.append(sum(p for other, p in strings if other == words))
        for (before, after), word in zip(pairwise(mass), [*found, end], strict=True):
            assert word.status == "read"
            assert word.at_least - 1e-9 <= log2(before / after) <= word.at_most + 1e-9
            assert word.at_most - word.at_least <= precision + 1e-9


@pytest.mark.full
@core(1, "precision", PRECISIONS)
def test_bounds_of_a_treebank_grammar(demo, precision):
    words = [(each, each) for each in ("DT", "NN", "IN", "NN", "VBD", "DT", "NN", "IN", "DT", "NN")]
    exact = demo.surprisal(words, end=True, precision=0.0)
    found = GrammarModel(demo.grammar).surprisal(words, end=True, precision=precision)
    for word, expected in zip(found, exact, strict=True):
        assert expected.at_most - expected.at_least < 1e-9
        assert word.status == "read"
        assert word.at_least - 1e-9 <= expected.surprisal <= word.at_most + 1e-9
        assert word.at_most - word.at_least <= precision
        assert word.entropy == pytest.approx(expected.entropy, abs=10 * precision)
    assert any(word.at_most > word.surprisal for word in found) or precision < 0.01


@pytest.mark.full
@core(1, "precision", [0.01, 0.001])
def test_the_entropy_of_derivations_has_the_precision_too(demo, precision):
    exact = demo.surprisal(TEXT, derivation_entropy=True, precision=0.0)
    model = GrammarModel(demo.grammar)
    found = model.surprisal(TEXT, derivation_entropy=True, precision=precision)
    for word, expected in zip(found, exact, strict=True):
        assert word.derivation_entropy == pytest.approx(expected.derivation_entropy, abs=precision)


def test_endless_sentences_of_a_recursive_grammar():
    words = tagged([B, A, B, B, A, B, A, A, B])
    exact = GrammarModel(LEFT_RECURSIVE).surprisal(words, precision=0.0)
    found = GrammarModel(LEFT_RECURSIVE).surprisal(words)
    for word, expected in zip(found, exact, strict=True):
        assert word.at_least - 1e-9 <= expected.surprisal <= word.at_most + 1e-9


@pytest.mark.full
def test_no_sentence_and_unlikely_sentences(demo):
    for words in (tagged([A, A]), [("What", "WP"), ("?", "."), ("What", "WP")]):
        found = GrammarModel(demo.grammar).surprisal(words)
        exact = GrammarModel(demo.grammar).surprisal(words, precision=0.0)
        assert [word.status for word in found] == [word.status for word in exact]


def test_a_plan_keeps_the_precision_at_every_word():
    plan = Plan.of([2.0, 50.0, 3.0], end=10.0, precision=0.001)
    missing = [each / word_by_word._PLANNED / 0.001 / word_by_word._BIT for each in plan.most]
    assert missing == pytest.approx([1 / 3300, 1 / 1650, 1 / 33, 1 / 11])


@pytest.fixture
def count_words(monkeypatch):
    read, extend = [], PrefixChart.extend

    def counted(each, *arguments, **named):
        read.append(each.length)
        extend(each, *arguments, **named)

    monkeypatch.setattr(PrefixChart, "extend", counted)
    return read


@pytest.mark.full
def test_what_was_read_exactly_is_shared(demo, count_words, monkeypatch):
    monkeypatch.setattr(word_by_word, "_SMALL", 5_000)
    model = GrammarModel(demo.grammar)
    others = [TEXT, "What did the teacher say ?", TEXT, "What did the"]
    for text in others:
        count_words.clear()
        shared = model.surprisal(text, 1, derivation_entropy=True, end=True)
        assert shared == GrammarModel(demo.grammar).surprisal(
            text, 1, derivation_entropy=True, end=True
        )
    first, again = model.surprisal("Who left ?"), model.surprisal("Who left !")
    assert first[:2] == again[:2]
    count_words.clear()
    model.surprisal("Who left ?")
    model.surprisal("Who left here ?")
    assert count_words == [2, 2, 3]


@pytest.mark.full
def test_charts_that_are_too_large_are_not_kept(demo, count_words):
    model = GrammarModel(demo.grammar, budget=Budget(max_memory=1e-3))
    model.surprisal("Who left ?")
    count_words.clear()
    model.surprisal("Who left ?")
    assert 0 in count_words


def test_a_pickled_model_has_no_charts(demo):
    demo.surprisal(TEXT)
    assert demo._surprisals._unused
    assert not demo._surprisals.__getstate__()["_unused"]
