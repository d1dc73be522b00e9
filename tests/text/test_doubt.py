"""Detection of plain words: never wrong about a treebank, right about most of its text."""

import pytest
from demo_trees import raw_demo_trees

from plcfrs.text.splitting import doubt_about
from plcfrs.treebank import read_trees


def words_of(trees):
    for tree in trees:
        tokens = [token for token in tree.tokens if not token.is_null]
        yield [token.form for token in tokens], [token.tag for token in tokens]


def joined(words):
    """Return words as running text: marks follow words directly, opening quotes precede them."""
    text = " ".join(words)
    for mark in (",", ";", ":", ".", "?", "!", "''"):
        text = text.replace(f" {mark}", mark)
    return text.replace("`` ", "``").split()


def test_what_may_be_right():
    for text in [
        "What should we do ?",
        "Yahoo! said and/or did nothing .",
        "Mr. Smith Inc. etc. U.S.",
        "AC/DC",
        "AC/DC plays 1/2",
        "und/oder",
        "",
        "Why?",
        "z.B. p.",
        "he said ``",
        "km/h TCP/IP is fast",
    ]:
        assert doubt_about(text.split()) is None


def test_words_with_tags():
    for text in [
        "What/WP do/VB",
        "1/2/CD ``/`` a/DT",
        "What/WP ?/. no",
        "er/PPER geht/VVFIN ,/$, ./$.",
    ]:
        assert "add --tagged" in doubt_about(text.split())


def test_untokenized_text():
    for text in ["What should we do?", "No, never", "„Was sollen wir tun?“", "Über Öl."]:
        assert "put blanks before punctuation" in doubt_about(text.split())


@pytest.mark.parametrize(
    "text",
    [
        "<!DOCTYPE html> Rain",
        "Rain <br/> falls",
        "<p>Rain falls.</p>",
        "R&amp;D &#39;ok&#39;",
        "</s>",
    ],
)
def test_markup(text):
    assert "looks like markup" in doubt_about(text.split())


@pytest.mark.parametrize(
    "text", ["a < b and b > c .", "R&D ; <grin> <3", "<ann@mill.example> wrote"]
)
def test_signs_that_are_no_markup(text):
    assert doubt_about(text.split()) is None


def test_the_demo():
    for words, tags in words_of(raw_demo_trees()):
        assert doubt_about(words) is None
        assert "--tagged" in doubt_about([f"{w}/{t}" for w, t in zip(words, tags, strict=True)])
        assert doubt_about(joined(words)) is not None


@pytest.mark.full
def test_real_sentences(penn_treebank, potsdam):
    for trees, least in ((penn_treebank, 0.9), (read_trees(potsdam), 0.8)):
        found = {"tagged": 0, "untokenized": 0}
        sentences = [each for each in words_of(trees) if len(each[0]) > 1]
        for words, tags in sentences:
            assert doubt_about(words) is None
            pairs = [f"{word}/{tag}" for word, tag in zip(words, tags, strict=True)]
            found["tagged"] += "--tagged" in (doubt_about(pairs) or "")
            found["untokenized"] += doubt_about(joined(words)) is not None
        assert found["tagged"] == len(sentences)
        assert found["untokenized"] > least * len(sentences)
