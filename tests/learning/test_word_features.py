"""The features of words for the tagger."""

import numpy as np
from quick import core

from plcfrs.learning.sequences import TEMPLATES, features


def seen(words: list[str], place: int) -> dict[str, int]:
    """Return the features of a word by their templates."""
    return dict(zip(TEMPLATES, features(words)[place].tolist(), strict=True))


def same(one: dict[str, int], other: dict[str, int]) -> set[str]:
    return {template for template in TEMPLATES if one[template] == other[template]}


def test_each_template_has_a_feature_of_its_own():
    keys = features(["The", "ferry", "leaves"])
    assert keys.shape == (3, len(TEMPLATES))
    assert keys.dtype == np.uint64
    assert all(len(set(row)) == len(TEMPLATES) for row in keys.tolist())


def test_the_word_alone():
    """Words in the same place with the same ending and form, between others."""
    one, other = seen(["a", "walking", "b"], 1), seen(["c", "talking", "d"], 1)
    assert same(one, other) == {
        "suffix1[0]",
        "suffix2[0]",
        "suffix3[0]",
        "suffix4[0]",
        "suffix5[0]",
        "pattern[0]",
        "outline[0]",
        "marks[0]",
        "pattern[-1]",
        "pattern[1]",
        "pattern[-1] pattern[0]",
        "pattern[0] pattern[1]",
        "pattern[0] suffix3[0]",
    }


def test_the_words_beside_it():
    one, other = seen(["the", "cat", "sees"], 1), seen(["the", "DOG", "sees"], 1)
    assert same(one, other) == {
        "form[-1]",
        "form[1]",
        "form[-1] form[1]",
        "pattern[-1]",
        "pattern[1]",
        "suffix3[-1]",
        "suffix3[1]",
    }


def test_the_ends_of_a_sentence_are_no_words():
    first, later = seen(["ferry"], 0), seen(["ferry", "ferry"], 1)
    assert first["form[1]"] == later["form[1]"]
    assert first["form[-1]"] != later["form[-1]"]
    assert seen([""], 0)["form[0]"] != seen(["x", ""], 0)["form[1]"]


@core(
    1,
    ("one", "other", "template"),
    [
        ("1990", "23,5", "marks[0]"),
        ("DM", "NATO", "pattern[0]"),
        ("Müller", "Ölpreis", "pattern[0]"),
        ("3-jährig", "27-tägig", "pattern[0]"),
        ("Übersee", "überseeisch", "prefix4[0]"),
        ("Über", "über", "lower[0]"),
    ],
)
def test_writing(one, other, template):
    assert seen([one], 0)[template] == seen([other], 0)[template]


def test_any_text():
    words = ["\ud800", "ß" * 10_000, "\N{GRINNING FACE}", " ", "\0"]
    assert features(words).shape == (5, len(TEMPLATES))
    assert features([]).shape == (0, len(TEMPLATES))
