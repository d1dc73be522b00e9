"""Orders of tokens that make trees continuous."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prepared import ORDERS, heads, prepared_trees, reflection, sentence
from quick import core
from strategies import continuous_trees, trees

from plcfrs.errors import InputError
from plcfrs.parsers.transition.stack_and_queue import reorder, reorder_tree
from plcfrs.transformation import transform_all
from plcfrs.treebank import read_trees
from plcfrs.trees import Node, SecondaryEdge, Tree
from plcfrs.trees.labels import parse_chain


def embracing(category):
    """Return a tree in which A has a gap of two tokens, filled by B."""
    parts = [Node("A", children=[0, 3]), Node("B", children=[1, 2])]
    root = Node("ROOT", children=[Node(*parse_chain(category))])
    root.nodes[0].children = parts
    return Tree(root, sentence("a b c d"))


orders = st.sampled_from(ORDERS)


@core(
    1,
    ("order", "expected"),
    [
        ("left", "Darüber nachgedacht werden muss"),
        ("right", "muss werden nachgedacht Darüber"),
        ("rightd", "muss Darüber nachgedacht werden"),
        ("label", "muss Darüber nachgedacht werden"),
        ("dist1", "muss Darüber nachgedacht werden"),
        ("dist2", "Darüber nachgedacht werden muss"),  # the gap is one token long
    ],
)
def test_the_example_of_the_paper(order, expected):
    tree = reflection()
    words = [tree.tokens[position].form for position in reorder(tree, order)]
    assert " ".join(words) == expected
    assert [token.form for token in reorder_tree(tree, order).tokens] == words


@core(
    1,
    ("category", "expected"),
    [("S", [1, 2, 0, 3]), ("NP", [0, 3, 1, 2]), ("PP", [0, 3, 1, 2]), ("S+NP", [0, 3, 1, 2])],
)
def test_labels_that_are_left(category, expected):
    assert reorder(embracing(category), "label") == expected


@core(1, ("order", "expected"), [("dist2", [1, 2, 0, 3]), ("dist3", [0, 3, 1, 2])])
def test_distances(order, expected):
    assert reorder(embracing("S"), order) == expected


def test_only_the_creator_of_the_gap_is_reordered():
    # B fills the gap of A in C; C continues after D, in S.
    wide = Node("C", children=[Node("A", children=[0, 2]), 1, 4])
    tree = Tree(Node("ROOT", children=[wide, 3]), sentence("a b c d e"))
    assert reorder(tree, "rightd") == [3, 0, 2, 1, 4]
    assert reorder(tree, "right") == [3, 4, 1, 2, 0]


@given(trees(), orders)
def test_trees_become_continuous(tree, order):
    positions = reorder(tree, order)
    assert sorted(positions) == list(range(len(tree.tokens)))
    reordered = reorder_tree(tree, "left")
    assert reordered.gap_degree() == 0
    assert [node.category for node in reordered.nodes()] == [node.category for node in tree.nodes()]


@given(prepared_trees(), orders)
def test_binary_trees_stay_as_they_are_but_for_the_order(tree, order):
    positions = reorder(tree, order)
    before, tree = tree, reorder_tree(tree, order)
    assert tree.gap_degree() == 0
    assert tree.tokens == [before.tokens[position] for position in positions]
    assert _heads(tree, list(range(len(positions)))) == _heads(before, _inverse(positions))
    # With the old positions of its tokens, the tree is the old one.
    back = dict(enumerate(positions))
    for node in tree.nodes():
        node.children = [back.get(child, child) for child in node.children]
    tree.sort_children()
    tree.tokens = before.tokens
    assert tree == before


@given(continuous_trees())
def test_continuous_trees_stay(tree):
    expected = list(range(len(tree.tokens)))
    for order in ORDERS:
        assert (reorder(tree, order) == expected) == (order != "right" or _is_chain(tree))


def test_heads_and_secondary_edges_go_along():
    tree = reflection()
    tree.secondary_edges = [SecondaryEdge("SB", 1, tree.nodes()[2])]
    tree = reorder_tree(tree, "rightd")
    assert heads(tree) == [0, 0, 1, 1]
    assert [edge.child for edge in tree.secondary_edges] == [0]


def test_an_order_must_be_one():
    for order in ("", "up", "dist", "dist0", "dist-1", "dist²"):
        with pytest.raises(InputError, match="is not an order of tokens: choose from left"):
            reorder(reflection(), order)


@pytest.mark.full
@pytest.mark.parametrize("order", ORDERS)
def test_all_trees_become_continuous(penn_treebank, potsdam, order):
    trees = [*transform_all(penn_treebank), *transform_all(read_trees(potsdam))]
    assert max(tree.gap_degree() for tree in trees) > 2
    assert max(reorder_tree(tree, order).gap_degree() for tree in trees) == 0


def _is_chain(tree):
    return all(len(node.children) == 1 for node in tree.nodes())


def _inverse(positions):
    return sorted(range(len(positions)), key=positions.__getitem__)


def _heads(tree, place):
    """Return the place of the lexical head of every node, in a set with its yield."""
    spans, found = tree.yields(), set()
    for node in tree.nodes():
        head = node
        while not isinstance(head, int):
            head = head.children[head.head]
        tokens = [token for token in range(len(place)) if spans[node] >> token & 1]
        found.add((frozenset(place[token] for token in tokens), place[head]))
    return found
