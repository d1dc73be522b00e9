"""Unary chains collapsed, and their inverse."""

import pytest
from bracket import read, show
from hypothesis import given
from hypothesis import strategies as st
from quick import core
from strategies import trees

from plcfrs.transformation.cleanup import collapse_chains, restore_chains
from plcfrs.trees import Node, Token, Tree
from plcfrs.trees.heads import mark_heads
from plcfrs.trees.labels import is_axiom, parse_chain, render_chain

ODD = st.text(st.sampled_from("AS+^@\\-"), min_size=1, max_size=4) | st.just("ROOT")


@core(
    1,
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


def test_heads_stay():
    tree = mark_heads(read("(S (NP (PRP We)) (VP (VB sing)))"))
    collapsed = collapse_chains(tree)
    assert [node.head for node in collapsed.nodes()] == [1, 0, 0]
    assert [node.head for node in restore_chains(collapsed).nodes()] == [0, 1, 0, 0]


@pytest.mark.full
def test_a_long_chain_needs_no_recursion():
    tree = Tree(Node("ROOT", children=[0]), [Token("a", "A")])
    for _ in range(3000):
        tree.root.children = [Node("S", children=tree.root.children)]
    collapsed = collapse_chains(tree)
    assert len(collapsed.nodes()) == 1
    assert restore_chains(collapsed) == tree
    symbol = render_chain(collapsed.root.label, is_top=True)
    assert parse_chain(symbol) == collapsed.root.label


@given(trees(), st.data())
def test_every_chain_comes_back(tree, data):
    for node in tree.nodes()[1:]:
        node.category = data.draw(st.just(node.category) | ODD)
        node.split = data.draw(st.just("") | ODD)
        node.functions = ()
    collapsed = collapse_chains(tree)
    assert all(len(node.children) > 1 or not node.nodes for node in collapsed.nodes())
    assert restore_chains(collapsed) == tree


@given(st.lists(st.tuples(ODD, st.just("") | ODD), max_size=4), st.booleans())
def test_the_symbol_of_a_chain_tells_everything(parts, is_top):
    tree = Tree(Node("ROOT", children=[0]), [Token("a", "A")])
    node = tree.root
    for category, split in parts:
        node.children = [Node(category, split=split, children=[0])]
        node = node.nodes[0]
    label = collapse_chains(tree).root.label
    symbol = render_chain(label, is_top=is_top)
    assert parse_chain(symbol) == label
    assert is_axiom(symbol) == is_top


def test_signs_of_the_notation_are_kept_apart():
    tree = read("(S (A (NN a)))")
    _, clause, phrase = tree.nodes()
    clause.category, clause.split, phrase.category = "S+T", "A^B", "ROOT"
    label = collapse_chains(tree).root.label
    assert render_chain(label, is_top=True) == r"ROOT+S\+T^A\^B+ROOT"
    assert render_chain(label, is_top=False) == r"\ROOT+S\+T^A\^B+ROOT"
