"""Trees as text: `print`, `repr`, `Tree.from_string` and others."""

import pytest
from demo_trees import demo_trees
from hypothesis import given
from strategies import continuous_trees, trees

from plcfrs import derivation_of, draw, extract
from plcfrs.errors import InputError
from plcfrs.treebank import FORMATS
from plcfrs.trees import Node, Token, Tree

QUESTION = "(ROOT (SQ (VP (WP 0=What) (VB 3=do)) (MD 1=should) (NP (PRP 2=we)) (. 4=?)))"


@given(trees())
def test_a_printed_tree_comes_back(tree):
    assert Tree.from_string(str(tree)) == tree
    assert "\n" not in str(tree)


@given(continuous_trees())
def test_brackets_are_told_apart(tree):
    text = FORMATS["brackets"].render(tree, 1)
    positions = [token.form.partition("=")[0].isdigit() for token in tree.tokens]
    if not all(positions):
        assert Tree.from_string(text) == tree


def test_question():
    tree = Tree.from_string(QUESTION)
    assert [node.category for node in tree.discontinuous_nodes()] == ["VP"]
    assert tree.words() == ["What", "should", "we", "do", "?"]
    assert str(tree) == QUESTION
    assert repr(tree) == "<Tree: 5 tokens, 4 nodes>"
    assert tree.pretty() == draw(tree)


def test_null_elements_are_no_words():
    tree = Tree.from_string("(S (NP (-NONE- *)) (VP (VB Sing)))")
    assert tree.words() == ["Sing"]


def test_names_are_short():
    for tree in demo_trees():
        assert repr(tree).startswith(f"<Tree {tree.id}: ")
        derivation = derivation_of(tree)
        assert len(repr(derivation)) < 50
        assert str(derivation).count("\n") == 0
    grammar = extract([tree])
    assert len(repr(grammar)) < 80
    assert len(str(grammar).splitlines()) == 5


def test_a_deep_tree_has_a_name():
    node = Node("S", children=[0])
    for _ in range(2000):
        node = Node("S", children=[node])
    tree = Tree(Node("ROOT", children=[node]), [Token("a", "A")])
    assert repr(tree) == "<Tree: 1 tokens, 2002 nodes>"
    assert repr(tree.root) == "<Node ROOT: 1 children>"
    assert str(tree).count("(S ") == 2001


def test_what_is_no_tree():
    for text, message in [
        ("", "not a tree: expected brackets such as"),
        ("(S (NN a)", r"missing '\)': 1 more"),
        ("(S (NN a)) (S (NN b))", "more than one tree"),
        ("a song", "character 1: 'a' is outside all brackets"),
        ("(S (NP))", r"character 7: empty constituent: \(NP\)"),
        ("(S (A 0=a) (B 2=b))", "position 1 is missing"),
        ("(S (A 0=a) (B 0=b))", "position 0 occurs twice"),
    ]:
        with pytest.raises(InputError, match=message):
            Tree.from_string(text)
