"""Trees for transition systems."""

import pytest
from bracket import read, show
from hypothesis import given
from hypothesis import strategies as st
from prepared import headed_trees, heads, reflection, simplified
from quick import core

from plcfrs.errors import TreebankError
from plcfrs.parsers.transition.system import prepare, printed_tree, symbols
from plcfrs.transformation import transform_all
from plcfrs.treebank import read_trees
from plcfrs.trees import Node, Tree
from plcfrs.trees.heads import mark_heads
from plcfrs.trees.labels import is_axiom


@core(
    1,
    ("order", "expected", "expected_heads"),
    [
        # The head is the VP: first the NP, then the ADVP, then the full stop.
        (
            "head-outward",
            "(ROOT+S (ROOT+S (ADVP 0=Now) (ROOT+S (NP 1=we) (VP 2=sing))) 3=.)",
            [0, 1, 0, 1, 0, 0],
        ),
        # First the full stop, then the NP, then the ADVP.
        (
            "head-outward-right",
            "(ROOT+S (ADVP 0=Now) (ROOT+S (NP 1=we) (ROOT+S (VP 2=sing) 3=.)))",
            [1, 0, 1, 0, 0, 0],
        ),
    ],
)
def test_orders(order, expected, expected_heads):
    tree = mark_heads(read("(S (ADVP (RB Now)) (NP (PRP we)) (VP (VBP sing)) (. .))"))
    tree = prepare(tree, order)
    assert show(tree) == expected
    assert heads(tree) == expected_heads
    assert [node.intermediate for node in tree.nodes()] == [
        node.category == "ROOT" and node is not tree.root for node in tree.nodes()
    ]


def test_functions_are_not_kept():
    tree = mark_heads(read("(S-TPC-1 (NP-SBJ (PRP We)) (VP (VB sing)))"))
    assert show(printed_tree(prepare(tree))) == "(ROOT (S (NP 0=We) (VP 1=sing)))"


def test_only_the_top_is_an_axiom():
    tree = mark_heads(read("(ROOT (ROOTS (NN a) (NN b)) (NN c))"))
    assert list(symbols(prepare(tree)).values()) == ["ROOT+ROOT", r"\ROOTS"]
    assert not is_axiom(r"\ROOTS")


def test_heads_are_needed():
    tree = reflection()
    tree.id, tree.nodes()[2].head = "7", None
    with pytest.raises(TreebankError, match=r"sentence 7: the head of a node VP is not marked"):
        prepare(tree)


def test_nodes_need_children():
    with pytest.raises(TreebankError, match="a node NP is empty"):
        prepare(Tree(Node("ROOT", children=[0, Node("NP")], head=0), []))


@given(headed_trees(), st.sampled_from(["head-outward", "head-outward-right"]))
def test_random_trees_come_back(tree, order):
    prepared = prepare(tree, order)
    for node, symbol in symbols(prepared).items():
        assert len(node.children) == 2 or isinstance(node.children[0], int)
        assert is_axiom(symbol) == (node is prepared.root) or node.intermediate
    assert printed_tree(prepared) == tree
    assert heads(printed_tree(prepared)) == heads(tree)


@pytest.mark.full
def test_all_trees_of_the_penn_treebank_come_back(penn_treebank):
    assert _come_back(penn_treebank) == 3914


@pytest.mark.full
def test_all_trees_of_the_potsdam_corpus_come_back(potsdam):
    assert _come_back(read_trees(potsdam)) > 2100


def _come_back(treebank):
    treebank = list(map(simplified, transform_all(treebank)))
    for tree in treebank:
        restored = printed_tree(prepare(tree))
        assert restored == tree
        assert heads(restored) == heads(tree)
    return len(treebank)
