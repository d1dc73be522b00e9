"""The search finds what queries mean, said with quantifiers over all elements of small trees."""

import naive_query
import pytest
from hypothesis import given
from query_strategies import OPERATORS, queries, queries_with_names, trees
from quick import examples

from plcfrs.query import find, parse_query
from plcfrs.query.relations import View, relation
from plcfrs.trees import Node, Token, Tree


@examples(60)
@given(trees(), queries())
def test_queries(tree, query):
    assert set(find(tree, query)) == naive_query.find(tree, query)


@examples(60)
@given(trees(max_tokens=3), queries_with_names())
def test_queries_with_names(tree, query):
    assert set(find(tree, query)) == naive_query.find(tree, query)


@pytest.mark.parametrize("operator", OPERATORS)
def test_all_pairs_of_a_cross_serial_sentence(operator):
    tree = cross_serial()
    naive, view = naive_query.NaiveTree(tree), View(tree)
    pairs = {
        (naive_query.element_of(one), naive_query.element_of(other))
        for one in view.order
        for other in relation(operator)(view, one, view.order)
    }
    assert pairs == {
        (one, other)
        for one in naive.elements
        for other in naive.elements
        if naive_query.related(naive, operator, one, other)
    }
    assert pairs


@examples(30)
@given(trees(), queries())
def test_order_and_uniqueness(tree, query):
    found = find(tree, parse_query(query))
    nodes = [one for one in found if isinstance(one, Node)]
    positions = [one for one in found if isinstance(one, int)]
    assert found == nodes + positions
    assert positions == sorted(set(positions))
    assert nodes == [node for node in tree.nodes() if node in nodes]


def cross_serial() -> Tree:
    """A sentence as in Dutch or Swiss German, with two objects before two verbs."""
    words = [("dat", "IN"), ("Jan", "NE"), ("Marie", "NE"), ("ziet", "VB"), ("zwemmen", "VB")]
    inner = Node("VP", children=[Node("NP", children=[2]), 4])  # interleaves with the outer one
    outer = Node("VP", children=[Node("NP", children=[1]), 3])
    return Tree(
        Node("ROOT", children=[Node("S", children=[0, outer, inner])]),
        [Token(form, tag) for form, tag in words],
    )
