"""Unary chains collapsed, and their inverse."""

from copy import deepcopy

import pytest
from bracket import read, show
from hypothesis import given
from hypothesis import strategies as st
from strategies import trees

from plcfrs.binarization.chains import chain, collapse_chains, restore_chains
from plcfrs.trees import Node, Token, Tree
from plcfrs.trees.heads import mark_heads

ODD = st.text(st.sampled_from("AS+^@\\-"), min_size=1, max_size=4) | st.just("ROOT")


def without_functions(tree):
    for node in tree.nodes():
        node.functions, node.index, node.gap_index = (), None, None
    return tree


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(S (VP (VB Sing)))", "(ROOT+S+VP 0=Sing)"),
        ("(S (NP (PRP We)) (VP (VB sing)))", "(ROOT+S (NP 0=We) (VP 1=sing))"),
        (
            "(S (VP (VB Try) (S^INF-PRP-2 (VP (TO to) (VP (VB sing))))))",
            "(ROOT+S+VP 0=Try (S^INF+VP 1=to (VP 2=sing)))",
        ),
        ("(FRAG (NN Song)) (. !)", "(ROOT (FRAG 0=Song) 1=!)"),
    ],
)
def test_chains(text, expected):
    assert show(collapse_chains(read(text))) == expected


def test_signs_of_the_notation_are_kept_apart():
    tree = read("(S (A (NN a)))")
    _, clause, phrase = tree.nodes()
    clause.category, clause.split, phrase.category = "S+T", "A^B", "ROOT"
    before = deepcopy(tree)
    assert collapse_chains(tree).root.category == r"ROOT+S\+T^A\^B+ROOT"
    assert restore_chains(tree) == before


def test_root_below_the_top_does_not_look_like_the_top():
    tree = read("(S (ROOT (NP (NN a))) (NN b))")
    assert show(collapse_chains(tree)) == r"(ROOT+S (\ROOT+NP 0=a) 1=b)"
    assert show(restore_chains(tree)) == "(ROOT (S (ROOT (NP 0=a)) 1=b))"


def test_heads_stay():
    tree = mark_heads(read("(S (NP (PRP We)) (VP (VB sing)))"))
    collapse_chains(tree)
    assert [node.head for node in tree.nodes()] == [1, 0, 0]
    restore_chains(tree)
    assert [node.head for node in tree.nodes()] == [0, 1, 0, 0]


def test_a_long_chain_needs_no_recursion():
    tree = Tree(Node("ROOT", children=[0]), [Token("a", "A")])
    for _ in range(3000):
        tree.root.children = [Node("S", children=tree.root.children)]
    before = len(tree.nodes())
    assert len(collapse_chains(tree).nodes()) == 1
    assert len(restore_chains(tree).nodes()) == before


@given(trees(), st.data())
def test_every_chain_comes_back(tree, data):
    for node in tree.nodes()[1:]:
        node.category = data.draw(st.just(node.category) | ODD)
        node.split = data.draw(st.just("") | ODD)
    without_functions(tree)
    before = deepcopy(tree)
    collapse_chains(tree)
    assert all(len(node.children) > 1 or not node.nodes for node in tree.nodes())
    assert [node.split for node in tree.nodes()] == [""] * len(tree.nodes())
    assert restore_chains(tree) == before


@given(st.lists(st.tuples(ODD, st.just("") | ODD), min_size=1, max_size=4))
def test_chain_is_what_was_collapsed(parts):
    tree = Tree(Node("ROOT", children=[0]), [Token("a", "A")])
    node = tree.root
    for category, split in parts:
        node.children = [Node(category, split=split, children=[0])]
        node = node.nodes[0]
    assert chain(collapse_chains(tree).root.category) == [("ROOT", ""), *parts]
