"""The Penn Treebank sample, against NLTK's own reader."""

import pytest

from plcfrs.treebank import FORMATS
from plcfrs.trees import render_label


def same(tree, expected):
    assert [(token.form, token.tag) for token in tree.tokens] == expected.pos()
    labels = [render_label(node) for node in tree.nodes()[1:]]
    assert labels == [node.label() for node in expected.subtrees(lambda node: node.height() > 2)]
    children = len(tree.root.children) == 1 and tree.root.nodes[0].children
    assert not children or len(children) == len(expected)


def test_a_few_files(penn_treebank):
    from nltk.corpus import treebank

    files = treebank.fileids()[:5]
    expected = treebank.parsed_sents(files)
    for tree, other in zip(penn_treebank[: len(expected)], expected, strict=True):
        same(tree, other)


@pytest.mark.full
def test_all_files(penn_treebank):
    from nltk.corpus import treebank
    from nltk.tree import Tree

    for tree, expected in zip(penn_treebank, treebank.parsed_sents(), strict=True):
        same(tree, expected)
        assert Tree.fromstring(FORMATS["brackets"].render(tree, 1))[0] == expected


@pytest.mark.full
@pytest.mark.parametrize("name", ["brackets", "discbracket", "export"])
def test_round_trip(penn_treebank, name):
    format = FORMATS[name]
    assert len(penn_treebank) == 3914
    for tree in penn_treebank:
        lines = format.render(tree, 1).splitlines(keepends=True)
        (chunk,) = format.split(lines, "a")
        for node in tree.nodes() if name == "export" else ():
            node.index = node.gap_index = None  # which export cannot hold
        assert format.parse(chunk) == tree
