"""What a refined grammar knows about words, by worked examples."""

from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plcfrs.grammar import Grammar, Nonterminal, Rule, tag
from plcfrs.refine import RefinedGrammar
from plcfrs.refine.words import Words
from plcfrs.tagging import WordClasses

NN, NE, VB = (tag(name) for name in ("NN", "NE", "VB"))
S = Nonterminal("S")
COUNTS = {
    ("ferry", NN): 6,
    ("run", NN): 2,
    ("run", VB): 4,
    ("tug", NN): 1,
    ("oar", NN): 2,
    ("Ems", NE): 3,
    ("row", VB): 1,
    ("row", NN): 1,
}


def grammar_with(counts) -> RefinedGrammar:
    """Return a grammar whose words seen three times or less are rare."""
    grammar = Grammar({Rule(S, (symbol,), ((0,),)): 1.0 for symbol in (NN, NE, VB)}, start=S)
    sentences = [["0", word] for (word, _), count in counts.items() for _ in range(count)]
    classes = WordClasses.learn(sentences)
    pairs: dict = {}
    for (word, symbol), count in counts.items():
        grammar.lexicon.add(symbol, word, count)
        pair = symbol, classes.of_sentence(["0", word])[1]
        pairs[pair] = pairs.get(pair, 0.0) + count
    return RefinedGrammar(grammar, classes, pairs)


@pytest.fixture
def refined():
    return grammar_with(COUNTS)


def tags_of(refined, word):
    return Words(refined).tags(["0", word])[1]


def test_a_frequent_word_has_the_tags_it_was_seen_with(refined):
    assert tags_of(refined, "ferry") == pytest.approx({NN: log(12 / 6)})
    assert tags_of(refined, "run") == pytest.approx({NN: log(12 / 2), VB: log(5 / 4)})


def test_an_unknown_word_has_the_tags_of_its_class(refined):
    # Rare words in lower case: tug, oar and row, four times NN and once VB.
    assert tags_of(refined, "quay") == pytest.approx({NN: log(12 / 4), VB: log(5 / 1)})
    assert set(tags_of(refined, "Ulm")) == {NE}


def test_a_rare_word_is_more_probable_with_the_tags_it_was_seen_with(refined):
    unknown, seen = tags_of(refined, "quay"), tags_of(refined, "row")
    # Of its class 0.8 are NN and 0.2 VB, of itself and one of its class 1.8 / 3 and 1.2 / 3.
    ratio = log((1.8 / 3) / (1.2 / 3)) - log(0.8 / 0.2)
    assert seen[VB] - seen[NN] == pytest.approx(unknown[VB] - unknown[NN] + ratio)


def test_a_word_that_is_written_like_no_rare_word_has_the_tags_of_rare_words(refined):
    assert set(tags_of(refined, "eBay")) == {NN, NE, VB}
    assert set(Words(grammar_with({("run", VB): 9})).tags(["0", "eBay"])[1]) == {VB}


@given(st.dictionaries(st.sampled_from(list(COUNTS)), st.integers(1, 5), min_size=1))
def test_costs_are_never_negative(counts):
    """The search needs that (Knuth 1977)."""
    words = Words(grammar_with(counts))
    for candidates in words.tags([word for word, _ in COUNTS]):
        assert candidates
        assert all(cost >= -1e-12 for cost in candidates.values())


def test_which_pair_stands_for_a_word(refined):
    number = {pair: place for place, pair in enumerate(refined.pairs)}
    words = ["0", "run", "tug", "ferry", "Ems", "eBay"]
    _, run, tug, ferry, ems, unknown = Words(refined).pairs(words)
    assert run == {NN: number[NN, "run"], VB: number[VB, "run"]}
    assert tug == {NN: number[NN, "lower -"], VB: number[VB, "lower -"]}
    # Seen as a noun only; as a verb it is known by the way it is written.
    assert ferry == {NN: number[NN, "ferry"], VB: number[VB, "lower -"]}
    assert ems == {NE: number[NE, "Capital -"]}
    assert unknown == {}
