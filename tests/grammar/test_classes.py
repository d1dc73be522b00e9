"""Classes of words: frequent ones, signatures of the others, by worked examples and properties."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nasty import texts
from quick import core

from plcfrs.grammar.words import UNKNOWN, WordClasses, forms

WORDS = texts().filter(lambda word: " " not in word) | st.sampled_from(["the", "The", "7", "ly"])
SENTENCES = st.lists(st.lists(WORDS, max_size=6), max_size=6)


def learn(sentences, rare=3, least=10):
    """Return the classes that are learned from the counts of sentences."""
    counts = Counter(form for sentence in sentences for form in forms(sentence))
    return WordClasses.learn(counts, rare, least)


def of(classes, word, is_first):
    """Return the class of a word at the beginning of a sentence, or after a number."""
    return classes.of_sentence([word] if is_first else ["0", word])[-1]


RARE = ["Hasselbrook", "Ilmenau", "walking", "eagerly", "7", "so-called", "1990-91", "NATO", "%"]


@pytest.fixture
def classes():
    """Without endings: no ten words share one."""
    sentences = [["When", "the", "ferry", "left"]] * 4 + [["the", *RARE]]
    return learn(sentences, rare=3)


def test_frequent_words_are_classes_of_their_own(classes):
    assert classes.words == {"When", "the", "ferry", "left"}
    for word in classes.words:
        assert of(classes, word, True) == of(classes, word, False) == word
    assert of(classes, "when", False) != "when"


def test_how_often_a_word_is_frequent():
    sentences = [["a", "a", "b"], ["a", "b"], ["b", "a", "c"]]
    assert learn(sentences, rare=2).words == {"a", "b"}
    assert learn(sentences, rare=3).words == {"a"}
    assert learn(sentences, rare=0).words == {"a", "b", "c"}
    assert learn(sentences, rare=4).words == set()


@core(
    1,
    ("word", "signature"),
    [
        ("Wandsbek", "Capital -"),
        ("jumping", "lower -"),
        ("12", "digit -"),
        ("1,000.5", "digit -"),
        ("x2", "digit -"),
        ("well-known", "lower hyphen -"),
        ("2001-02", "digit hyphen -"),
        ("UNO", "CAPITALS -"),
        ("--", "sign -"),
        ("$", "sign -"),
        ("", "sign -"),
        ("A", "Capital -"),
        ("Straße", "Capital -"),
        ("日本", "lower -"),  # without upper case
        ("Ярославль", "Capital -"),
    ],
)
def test_signatures(classes, word, signature):
    assert of(classes, word, False) == signature


@core(1, "word", ["eBay", "So-called", "N-BOMB", "iPad-mini"])
def test_words_that_are_written_like_no_rare_word(classes, word):
    assert of(classes, word, False) == UNKNOWN
    assert UNKNOWN not in classes.signatures


def test_capitals_at_the_beginning_of_a_sentence():
    sentences = [["Foxes", "bark"], ["``", "Owls", "call", "Berta"], ["In", "Ulm"]]
    classes = learn(sentences, rare=1)
    assert of(classes, "Wolves", True) == "Capital first -"
    assert of(classes, "Wolves", False) == "Capital -"
    found = classes.of_sentence(["``", "(", "Wolves", "howl", "in", "Emden", "."])
    assert found[2:6] == ["Capital first -", "lower -", "lower -", "Capital -"]
    assert classes.of_sentence(["1", "Wolf"])[1] == "Capital -"
    assert classes.of_sentence([]) == []


def test_endings_are_learned_from_words_that_share_them():
    verbs = [f"{letter}alking" for letter in "bcdfghjklm"]
    classes = learn([["x", *verbs]], rare=1)
    assert of(classes, "mewing", False) == "lower -"  # no other rare word has this ending
    assert of(classes, "stalking", False) == "lower -king"
    assert of(classes, "KING", False) == UNKNOWN
    nine = learn([["x", *verbs[1:]]], rare=1)
    assert of(nine, "stalking", False) == "lower -"


def test_the_longest_ending_that_is_frequent_enough():
    words = [f"{letter}{ending}" for ending in ("ating", "oding") for letter in "bcdfg"]
    classes = learn([["x", *words, "sat"]], rare=1, least=6)
    assert of(classes, "reading", False) == "lower -ing"
    assert of(classes, "rating", False) == "lower -ing"
    assert of(classes, "ing", False) == "lower -"  # nothing before the ending


@given(SENTENCES, st.integers(0, 3), st.integers(1, 3), st.lists(WORDS, min_size=1))
def test_every_word_has_a_class(sentences, rare, least, unseen):
    classes = learn(sentences, rare, least)
    assert not any(" " in word for word in classes.words)
    assert all(" " in signature for signature in classes.signatures)
    for word in unseen:
        for is_first in (False, True):
            found = of(classes, word, is_first)
            assert found in {*classes.words, *classes.signatures, UNKNOWN}
            assert (found == word) == (word in classes.words)
    for sentence in sentences:
        found = classes.of_sentence(sentence)
        assert len(found) == len(sentence)
        assert UNKNOWN not in found  # of a word of the treebank


@given(SENTENCES, st.randoms())
def test_the_order_of_sentences_does_not_matter(sentences, random):
    other = random.sample(sentences, len(sentences))
    assert learn(sentences) == learn(other)
