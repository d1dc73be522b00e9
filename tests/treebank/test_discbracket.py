"""Brackets with positions: crossing branches, errors, round trips."""

import pytest

from plcfrs.errors import TreebankError
from plcfrs.treebank import FORMATS
from plcfrs.treebank.format import Chunk
from plcfrs.trees import Node, Token, Tree

FORMAT = FORMATS["discbracket"]
QUESTION = "(ROOT (SQ (VP (WP 0=What) (VB 3=do)) (MD 1=should) (NP-SBJ (PRP 2=we)) (. 4=?)))\n"


def read(text):
    return FORMAT.parse(Chunk("a.discbracket", 1, text, 1))


def test_crossing_branches():
    tree = read(QUESTION)
    assert [token.form for token in tree.tokens] == ["What", "should", "we", "do", "?"]
    assert [token.tag for token in tree.tokens] == ["WP", "MD", "PRP", "VB", "."]
    (question,) = tree.root.nodes
    assert question.nodes[0].children == [0, 3]
    assert question.children == [question.nodes[0], 1, question.nodes[1], 4]
    assert question.nodes[1].functions == ("SBJ",)
    assert FORMAT.render(tree, 1) == QUESTION


def test_children_are_sorted_by_their_leftmost_token():
    tree = read("(S (C 3=d)\n (X (B 2=c) (A 0=a)) (B 1=b))")
    (sentence,) = tree.root.nodes
    assert sentence.children == [sentence.nodes[0], 1, 3]
    assert sentence.nodes[0].children == [0, 2]


def test_words_in_any_order_in_a_tree_without_crossing_branches():
    tree = read("(S (VP (VB 1=sings) (RB 2=often)) (NP (PRP 0=she)))")
    assert tree == read("(S (NP (PRP 0=she)) (VP (VB 1=sings) (RB 2=often)))")
    (sentence,) = tree.root.nodes
    assert [node.category for node in sentence.children] == ["NP", "VP"]
    assert [(token.form, token.tag) for token in tree.tokens] == [
        ("she", "PRP"),
        ("sings", "VB"),
        ("often", "RB"),
    ]


def test_there_is_one_root():
    for root in ["", "ROOT", "TOP", "VROOT"]:
        assert read(f"({root} (S (NN 0=a)))") == Tree(
            Node("ROOT", children=[Node("S", children=[0])]), [Token("a", "NN")]
        )


def test_errors():
    for text, message in [
        ("(S (A 0=a) (B 2=b))", "position 1 is missing .* 0 to 1"),
        ("(S (A 1=a))", "position 0 is missing"),
        ("(S (A 0=a) (B 0=b))", "position 0 occurs twice"),
        ("(S (A a) (B 1=b))", "expected position=word, .* found 'a'"),
        ("(S (A 0=) (B 1=b))", "expected position=word"),
        ("(S (A 0=a) 1=b)", "'1=b' needs a bracket"),
        ("(S (A 0=a)", "missing '\\)'"),
    ]:
        with pytest.raises(TreebankError, match=f"^a.discbracket:1: .*{message}"):
            read(text)


def test_a_sentence_without_tokens_has_no_parse(read):
    text = FORMAT.render(Tree(Node("ROOT"), []), 1)
    assert text == "(ROOT (NOPARSE))\n"
    for written in (text, "(())\n"):
        (tree,) = read(written)
        assert (tree.tokens, [node.category for node in tree.nodes()]) == ([], ["ROOT"])
