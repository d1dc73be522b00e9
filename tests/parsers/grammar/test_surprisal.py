"""Surprisal of words: sums over the vocabulary, tags, the end of the budget, unknown words."""

from itertools import pairwise
from math import exp, fsum, inf, log

import pytest
from quick import core

from plcfrs.budget import Budget
from plcfrs.grammar import Grammar, Lexicon, Nonterminal, Rule, tag
from plcfrs.parsers.grammar.model import GrammarModel

S, T = Nonterminal("S"), Nonterminal("T", 2)
A, B = tag("A"), tag("B")
RULES = {
    Rule(S, (T, S), ((0, 1, 0),)): 1,
    Rule(S, (A,), ((0,),)): 2,
    Rule(T, (A, B), ((0,), (1,))): 1,
}
WORDS = {"x": {A: 3.0, B: 1.0}, "y": {A: 1.0}, "z": {B: 2.0}}
MODEL = GrammarModel(Grammar(RULES, Lexicon(WORDS), S))


def chance(*words):
    return exp(MODEL.surprisal(list(words))[-1].log_prefix_probability)


def test_words_and_the_end_sum_to_one():
    assert fsum(chance(word) for word in WORDS) == pytest.approx(1.0, rel=1e-9)
    only = 2 / 3 * 0.75  # the sentence x
    assert fsum(chance("x", word) for word in WORDS) + only == pytest.approx(chance("x"), rel=1e-9)


def test_the_end_has_what_no_word_has():
    *_, word, end = MODEL.surprisal(["x"], end=True)
    only = 2 / 3 * 0.75  # the sentence x
    assert exp(end.log_prefix_probability) == pytest.approx(only, rel=1e-9)
    assert end.surprisal == pytest.approx(log(chance("x") / only, 2))
    assert (end.word, end.entropy, end.known) == ("</s>", 0.0, None)
    assert end.entropy_reduction == pytest.approx(word.entropy)
    *_, end = MODEL.surprisal(["x", "x"], end=True)  # the copy is missing
    assert (end.surprisal, end.status) == (inf, "no sentence")


def test_known_words_are_marked():
    assert [word.known for word in MODEL.surprisal(["x", "w"], end=True)] == [True, False, None]
    assert [word.known for word in MODEL.surprisal([("x", "A"), ("w", "A")])] == [None, None]


def test_parts_sum_up():
    for word in MODEL.surprisal(["x", "x", "x", "z"]):
        assert word.status == "read"
        assert word.tag_surprisal + word.word_surprisal == pytest.approx(word.surprisal)


def test_entropy_is_reduced_or_not():
    first, second, third = MODEL.surprisal([("?", "A"), ("?", "A"), ("?", "B")])
    certain, open_ = 0.0, second.entropy  # A; then A or the end; after the copy only B
    assert first.entropy_reduction == 0.0 < first.entropy
    assert second.entropy_reduction == pytest.approx(max(0.0, first.entropy - open_))
    assert third.entropy == pytest.approx(certain)
    assert third.entropy_reduction == pytest.approx(open_)


def test_tags_alone():
    words = MODEL.surprisal([("?", "A"), ("?", "A"), ("?", "B")])
    assert words[1].surprisal == pytest.approx(log(3, 2))
    assert [word.word_surprisal for word in words] == pytest.approx([0, 0, 0])


def test_no_sentence_begins_so():
    words = MODEL.surprisal(["z", "x"])
    assert [(word.surprisal, word.status) for word in words] == [(inf, "no sentence")] * 2


def test_the_end_of_the_budget():
    model = GrammarModel(Grammar(RULES, Lexicon(WORDS), S), budget=Budget(max_seconds=0.0))
    words = model.surprisal(["x", "x"])
    assert [(word.surprisal, word.status) for word in words] == [(None, "out of time")] * 2


@pytest.fixture(scope="module")
def demo():
    return GrammarModel.train("plcfrs:demo")


@core(1, "limit", [4, 8, 16, 32, 64])
@core(1, "kind", ["max_items", "max_memory"])
def test_bounds_are_true_when_half_of_the_budget_is_used_up(demo, kind, limit):
    limits = {"max_items": limit} if kind == "max_items" else {"max_memory": limit / 2**14}
    text = "What did the teacher say that the children should read ?"
    exact = demo.surprisal(text, end=True)
    model = GrammarModel(demo.grammar, budget=Budget(**limits))
    shortage = "out of items" if kind == "max_items" else "out of memory"
    for word, expected in zip(model.surprisal(text, end=True), exact, strict=True):
        assert word.status in ("read", "bounded", shortage)
        if word.status != shortage:
            assert word.at_least <= word.surprisal <= word.at_most
            assert word.at_least <= expected.surprisal + 1e-9
            assert expected.surprisal <= word.at_most + 1e-9
        if word.status == "read":
            assert word.surprisal == pytest.approx(expected.surprisal)


def test_the_entropy_of_derivations(demo):
    words = demo.surprisal("What should we do ?", derivation_entropy=True)
    assert [word.derivation_entropy for word in demo.surprisal("What ?")] == [None, None]
    for before, after in pairwise(words):
        fall = before.derivation_entropy - after.derivation_entropy
        assert after.derivation_entropy_reduction == pytest.approx(max(0.0, fall))
        assert after.derivation_entropy > 0
    assert words[0].derivation_entropy_reduction > 0
    model = GrammarModel(demo.grammar, budget=Budget(max_items=120))
    short = model.surprisal("What should we do ?", derivation_entropy=True)
    assert short[0].derivation_entropy == pytest.approx(words[0].derivation_entropy)
    assert short[-1].derivation_entropy is None


def test_unknown_words_need_signatures():
    words = MODEL.surprisal(["w", "x"])
    assert [word.status for word in words] == ["unknown word", "no sentence"]
