"""The Penn Treebank sample, against NLTK's own reader."""

import re

import pytest

from plcfrs.treebank import FORMATS
from plcfrs.trees import render_label


def check(tree, expected):
    """Check words, tags, labels and structure against a tree as NLTK reads it."""
    from nltk.tree import Tree

    for node in expected.subtrees():  # a few labels have their two indices the other way round
        node.set_label(re.sub(r"(=\d+)(-\d+)$", r"\2\1", node.label()))
    assert [(token.form, token.tag) for token in tree.tokens] == expected.pos()
    labels = [render_label(node) for node in tree.nodes()[1:]]
    assert labels == [node.label() for node in expected.subtrees(lambda node: node.height() > 2)]
    assert Tree.fromstring(FORMATS["brackets"].render(tree, 1))[0] == expected


def test_a_few_files(first_penn_trees):
    from nltk.corpus import treebank

    expected = treebank.parsed_sents(treebank.fileids()[:5])
    for tree, other in zip(first_penn_trees[: len(expected)], expected, strict=True):
        check(tree, other)


@pytest.mark.full
def test_all_files(penn_treebank):
    from nltk.corpus import treebank

    for tree, expected in zip(penn_treebank, treebank.parsed_sents(), strict=True):
        check(tree, expected)


@pytest.mark.full
@pytest.mark.parametrize("name", ["brackets", "discbracket", "export"])
def test_round_trip(penn_treebank, name):
    format = FORMATS[name]
    assert len(penn_treebank) == 3914
    for tree in penn_treebank:
        for node in tree.nodes() if name == "export" else ():
            node.index = node.gap_index = None  # which export cannot hold
        (chunk,) = format.split(format.render(tree, 1).splitlines(keepends=True), "a")
        assert format.parse(chunk) == tree
