"""The tags of words, by a worked example and by properties."""

from collections import Counter
from math import exp, fsum, inf, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plcfrs.grammar import Lexicon, tag
from plcfrs.grammar.words import UNKNOWN, Form, WordModel, learn_signatures

NN, NE, VB = (tag(name) for name in ("NN", "NE", "VB"))

# A word of a lexicon counts half an occurrence as one of its signature, and an unseen word
# of each signature, too: lower -, Capital - and unknown -.
LEXICON = Lexicon(
    {
        "ferry": {NN: 6},
        "run": {NN: 2, VB: 4},
        "tug": {NN: 1},
        "row": {NN: 1, VB: 1},
        "Ems": {NE: 1},
    },
    {"lower -": {NN: 2, VB: 1}, "Capital -": {NE: 1}},
)
# Five words in lower case, one of them unseen; two of all four rare ones are NN.
ALL_NN = 10 + 0.5 * (5 * 2 / 3 + 2 / 4)
ALL_VB = 5 + 0.5 * (5 * 1 / 3 + 1 / 4)


def probabilities(word, lexicon=LEXICON):
    return WordModel(lexicon).probabilities(Form(word, False))


def test_a_word_that_was_seen():
    assert probabilities("ferry") == pytest.approx(
        {NN: (6 + 0.5 * 2 / 3) / ALL_NN, VB: 0.5 / 3 / ALL_VB}
    )
    assert probabilities("row") == pytest.approx(
        {NN: (1 + 0.5 * 2 / 3) / ALL_NN, VB: (1 + 0.5 / 3) / ALL_VB}
    )


def test_a_word_that_was_never_seen():
    assert probabilities("quay") == pytest.approx({NN: 0.5 * 2 / 3 / ALL_NN, VB: 0.5 / 3 / ALL_VB})
    assert set(probabilities("Elbe")) == {NE}


def test_a_word_that_is_written_like_no_rare_word():
    found = probabilities("eBay")
    assert set(found) == {NN, NE, VB}
    assert found[NN] == pytest.approx(0.5 * 2 / 4 / ALL_NN)


def test_costs_are_of_probabilities():
    _, quay = WordModel(LEXICON).tags(["0", "quay"])
    assert quay == pytest.approx({tag: -log(p) for tag, p in probabilities("quay").items()})


def test_a_tag_that_a_word_hardly_ever_has_is_left_out():
    words = {"ferry": {NN: 1000}, "sail": {VB: 1000}}
    (found,) = WordModel(Lexicon(words, LEXICON.signatures)).tags(["ferry"])
    assert set(found) == {NN}
    assert set(probabilities("ferry", Lexicon(words, LEXICON.signatures))) == {NN, VB}


def test_words_at_the_beginning_have_signatures_of_their_own():
    lexicon = Lexicon({"Ems": {NE: 1}}, {"Capital -": {NE: 1}, "Capital first -": {VB: 1}})
    first, second = WordModel(lexicon).tags(["Quay", "Quay"])
    assert (set(first), set(second)) == ({VB}, {NE})


def test_without_signatures_words_are_as_they_were_seen():
    model = WordModel(Lexicon({"run": {NN: 2, VB: 6}, "ferry": {NN: 2}}))
    run, ferry, unknown = model.tags(["run", "ferry", "quay"])
    assert run == pytest.approx({NN: log(2), VB: 0})
    assert ferry == pytest.approx({NN: log(2)})
    assert unknown == {}


def test_probabilities_as_weights():
    """A grammar that was written by hand may have them."""
    assert WordModel(Lexicon({"run": {NN: 0.25}, "dog": {NN: 0.75}})).tags(["run"])[0] == {
        NN: pytest.approx(log(4))
    }


WORDS = st.sampled_from(["a", "at", "The", "the", "NATO", "7", "x-ray", "walking", "eBay", "..."])
PAIRS = st.tuples(WORDS, st.sampled_from([NN, NE, VB]))
TREEBANKS = st.lists(st.lists(PAIRS, min_size=1, max_size=5), min_size=1, max_size=5)


def lexicon_of(sentences) -> Lexicon:
    lexicon = Lexicon()
    for sentence in sentences:
        for place, (word, symbol) in enumerate(sentence):
            lexicon.add(symbol, word, is_initial=place == 0)
    return lexicon


@given(TREEBANKS, st.booleans())
def test_the_probabilities_of_a_tag_sum_to_one(sentences, is_first):
    """Over all words of the lexicon, and an unseen word for each signature."""
    lexicon = lexicon_of(sentences)
    learn_signatures(lexicon)
    model = WordModel(lexicon)
    of_tags: dict = {}
    for word in lexicon.words:
        for symbol, p in model.probabilities(Form(word, is_first)).items():
            of_tags.setdefault(symbol, []).append(p)
    totals = model._totals(is_first)
    rare = sum(map(Counter, lexicon.signatures.values()), Counter())
    for counts in [*lexicon.signatures.values(), *([rare] if rare else [])]:
        for symbol, count in counts.items():
            unseen = 0.5 * count / sum(counts.values()) / totals[symbol]
            of_tags.setdefault(symbol, []).append(unseen)
    assert set(of_tags) == set(lexicon.totals())
    for numbers in of_tags.values():
        assert fsum(numbers) == pytest.approx(1)


@given(TREEBANKS, st.lists(st.text(max_size=5), max_size=5))
def test_every_word_has_a_tag_if_there_are_rare_words(sentences, words):
    lexicon = lexicon_of(sentences)
    learn_signatures(lexicon)
    for word, tags in zip(words, WordModel(lexicon).tags(words), strict=True):
        assert tags or not lexicon.signatures
        assert UNKNOWN not in lexicon.signatures
        assert all(0 <= cost < inf for cost in tags.values()), word
        assert all(0 < exp(-cost) <= 1 for cost in tags.values())


@given(TREEBANKS, TREEBANKS)
def test_counts_of_two_halves_are_those_of_the_whole(one, other):
    merged, whole = lexicon_of(one), lexicon_of(one + other)
    merged.merge(lexicon_of(other))
    assert merged == whole
    learn_signatures(merged)
    learn_signatures(whole)
    assert merged == whole
    assert list(merged.words) == list(whole.words)
