"""One word a line: chunks, names, tags and lemmas in columns."""

import pytest

from plcfrs.errors import TreebankError, TreebankWarning
from plcfrs.treebank import read_trees
from plcfrs.treebank.vertical import is_vertical

CHUNKS = "Zorbs NNS B-NP\nfell VBD B-VP\n. . O\n\nRain NN B-NP\nfell VBD O\n"
NAMES = "-DOCSTART- -X- -X- O\n\nZorb NNP B-NP B-PER\nfell VBD B-VP O\n. . O O\n"
TAGS = (
    "<text id='1'>\n<s>\nZorbs\tNNS\tzorb\n<g/>\nfell\tVBD\tfall\n</s>\n<s>\nRain\tNN\train\n</s>\n"
)
WORDS = "Zorbs\nfell\n.\n\nRain\nfell\n"


@pytest.fixture
def read(tmp_path):
    def reader(text, name="a.txt"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return list(read_trees(path))

    return reader


@pytest.mark.parametrize("name", ["a.txt", "a.conll", "a.vert", "a"])
@pytest.mark.parametrize(
    ("text", "words"),
    [(CHUNKS, [3, 2]), (NAMES, [3]), (TAGS, [2, 1]), (WORDS, [3, 2])],
)
def test_words_below_each_other(read, name, text, words):
    trees = read(text, name)
    assert [len(tree.tokens) for tree in trees] == words
    assert trees[0].words()[:2] in (["Zorbs", "fell"], ["Zorb", "fell"])


def test_tags_and_lemmas(read):
    (first, _) = read(TAGS)
    assert [(token.tag, token.lemma) for token in first.tokens] == [
        ("NNS", "zorb"),
        ("VBD", "fall"),
    ]
    (first, _) = read(CHUNKS)
    assert [(token.tag, token.lemma) for token in first.tokens[1:]] == [("VBD", ""), (".", "")]


def test_other_columns_further_on(read):
    with pytest.raises(TreebankError, match=r"a\.txt:402: expected 3 columns, but found 2"):
        read("Zorbs NNS B-NP\n\n" * 200 + "Zorbs NNS B-NP\nfell VBD\n")


def test_sentences_a_line_stay(read):
    for text in (
        "Zorbs fell .\nRain fell .\n",
        "Yes\n\nNo\n",
        "I KNOW\nYOU FELL\n",
        "Zorbs\nfell\n",
        "No No no\n",
        "NO NO\nNO NO\nNO NO\n",
        "Take the I-95\nTake the U-turn\n",
        "Take the I-95\n" * 4,
    ):
        assert not is_vertical(text.encode())
        assert len(read(text)) == text.count("\n")


def test_markup_alone():
    assert not is_vertical(b"<g/>\n\nzorbs fell\n")


def test_lines_of_a_word_are_doubted_once(read):
    with pytest.warns(
        TreebankWarning,
        match=r"a\.txt:1: Zorbs is the only word of its line, and 39 more such words: if",
    ) as caught:
        assert len(read("Zorbs\nfell\n" * 20)) == 40
    assert len(caught) == 1
