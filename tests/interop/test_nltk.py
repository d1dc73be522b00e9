"""Trees of NLTK: by hand, and round trips."""

import nltk
import pytest
from hypothesis import given
from quick import core
from strategies import continuous_trees, trees

from plcfrs.errors import InputError
from plcfrs.interop import from_nltk, to_nltk, to_nltk_positions
from plcfrs.trees import Node, Token, Tree

TOKENS = [Token("What", "WP"), Token("should", "MD"), Token("I", "PRP"), Token("do", "VB")]


def crossing() -> Tree:
    verb_phrase = Node("VP", children=[Node("WHNP", index=1, children=[0]), 3])
    subject = Node("NP", ("SBJ",), children=[2])
    return Tree(Node("ROOT", children=[Node("SQ", children=[verb_phrase, 1, subject])]), TOKENS)


def test_words_as_leaves():
    tree = Tree(Node("ROOT", children=[Node("NP", ("SBJ",), children=[0, 1])]), [*TOKENS[:2]])
    assert to_nltk(tree) == nltk.Tree.fromstring("(ROOT (NP-SBJ (WP What) (MD should)))")


def test_positions_as_leaves():
    positions, words = to_nltk_positions(crossing())
    assert str(positions) == ("(ROOT (SQ (VP (WHNP-1 (WP 0)) (VB 3)) (MD 1) (NP-SBJ (PRP 2))))")
    assert words == ["What", "should", "I", "do"]
    assert from_nltk(positions, words) == crossing()


def test_discontinuous_tree_over_words():
    tree = crossing()
    tree.id = "7"
    with pytest.raises(InputError, match=r"sentence 7: VP is discontinuous.*to_nltk_positions"):
        to_nltk(tree)


@core(1, "top", ["(ROOT (S (NN a)))", "(TOP (S (NN a)))", "( (S (NN a)))"])
def test_other_names_of_root(top):
    assert str(to_nltk(from_nltk(nltk.Tree.fromstring(top)))) == "(ROOT (S (NN a)))"


def test_root_is_added():
    assert str(to_nltk(from_nltk(nltk.Tree.fromstring("(S (NN a))")))) == "(ROOT (S (NN a)))"
    assert str(to_nltk(from_nltk(nltk.Tree.fromstring("(NN a)")))) == "(ROOT (NN a))"


def test_children_are_ordered_by_leftmost_token():
    tree = from_nltk(nltk.Tree.fromstring("(S (V 1) (NP (V 2) (N 0)))", read_leaf=int), list("abc"))
    assert str(to_nltk_positions(tree)[0]) == "(ROOT (S (NP (N 0) (V 2)) (V 1)))"


@core(
    1,
    ("text", "message"),
    [
        ("(S (NP the dog))", "'the' below 'NP' has no tag"),
        ("(S (NN a) (NP ))", "no words below 'NP'"),
    ],
)
def test_bad_trees(text, message):
    with pytest.raises(InputError, match=message):
        from_nltk(nltk.Tree.fromstring(text))


@core(1, "text", ["(S (A 0) (B 0))", "(S (A 0) (B 2))", "(S (A -1) (B 0))"])
def test_bad_positions(text):
    with pytest.raises(InputError, match="each leaf must be a different position in the 2 words"):
        from_nltk(nltk.Tree.fromstring(text, read_leaf=int), ["a", "b"])


def test_words_and_leaves_do_not_fit():
    over_words = nltk.Tree.fromstring("(S (A 0))")
    over_positions = nltk.Tree.fromstring("(S (A 0))", read_leaf=int)
    with pytest.raises(InputError, match="'0'"):
        from_nltk(over_words, ["a"])
    with pytest.raises(InputError, match="pass the words, too"):
        from_nltk(over_positions)
    with pytest.raises(InputError, match="only 1 position for 2 words"):
        from_nltk(over_positions, ["a", "b"])


@given(trees())
def test_positions_there_and_back(tree):
    assert from_nltk(*to_nltk_positions(tree)) == tree


@given(continuous_trees())
def test_words_there_and_back(tree):
    converted = to_nltk(tree)
    assert from_nltk(converted) == tree
    assert converted.pos() == [(token.form, token.tag) for token in tree.tokens]


@given(trees())
def test_nltk_finds_the_same_yields(tree):
    positions, _ = to_nltk_positions(tree)
    constituents = [subtree for subtree in positions.subtrees() if subtree.height() > 2]
    spans = [sum(1 << position for position in subtree.leaves()) for subtree in constituents]
    assert sorted(spans) == sorted(tree.yields().values())


@pytest.mark.full
def test_deeper_than_the_recursion_limit():
    node: Node | int = 0
    for _ in range(3000):
        node = Node("NP", children=[node])
    tree = Tree(Node("ROOT", children=[node]), [Token("a", "X")])
    assert from_nltk(to_nltk(tree)) == tree
