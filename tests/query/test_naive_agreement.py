"""The search finds what queries mean, said with quantifiers over all elements of small trees."""

from itertools import product

import naive_query
import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from query_strategies import OPERATORS, queries, queries_with_names, trees
from quick import examples

from plcfrs.query import Treebank, find, parse_query
from plcfrs.query.joins import join_of
from plcfrs.query.segment import Segment
from plcfrs.treebank.compilation import compile_trees
from plcfrs.trees import Node, Token, Tree


@examples(60)
@given(trees(), queries())
def test_queries(tree, query):
    assert set(find(tree, query)) == naive_query.find(tree, query)


@examples(60)
@given(trees(max_tokens=3), queries_with_names())
def test_queries_with_names(tree, query):
    assert set(find(tree, query)) == naive_query.find(tree, query)


@examples(60)
@given(st.lists(trees(), min_size=1, max_size=4), queries() | queries_with_names())
def test_all_trees_at_once(some, query):
    """The trees of a treebank have the matches that each of them has alone."""
    found = Treebank(some).find(query)
    starts = found.trees.tree_places[found.trees_of]
    assert list(zip(found.trees_of, found.places - starts, strict=True)) == [
        (number, place)
        for number, tree in enumerate(some)
        for place in naive_query.places(naive_query.NaiveTree(tree), query)
    ]


def test_all_pairs_of_a_cross_serial_sentence():
    for operator in OPERATORS:
        assert check_pairs(cross_serial(), operator)


@examples(60)
@given(trees(), st.sampled_from(OPERATORS))
def test_all_pairs(tree, operator):
    check_pairs(tree, operator)


def check_pairs(tree: Tree, operator: str) -> set[tuple[int, int]]:
    """Check all that a join says against all pairs of elements, which have the same order."""
    naive = naive_query.NaiveTree(tree)
    numbers = range(len(naive.elements))
    pairs = {
        (one, other)
        for one, other in product(numbers, numbers)
        if naive_query.related(naive, operator, naive.elements[one], naive.elements[other])
    }
    trees = compile_trees([tree])
    segment = Segment(trees, range(1))
    elements = segment.all_elements()
    join, is_inverse = join_of(operator)
    found = np.concatenate([np.stack(each, 1) for each in join.pairs(segment, elements, elements)])
    if is_inverse:
        pairs = {(other, one) for one, other in pairs}
    assert set(map(tuple, found.tolist())) == pairs
    assert len(found) == len(pairs)
    left, right = join.left(segment, elements, elements), join.right(segment, elements, elements)
    assert set(np.flatnonzero(left)) == {one for one, _ in pairs}
    assert set(np.flatnonzero(right)) == {other for _, other in pairs}
    every = np.array([*product(numbers, numbers)])
    holds = join.holds(segment, elements[every[:, 0]], elements[every[:, 1]])
    assert set(map(tuple, every[holds].tolist())) == pairs
    return pairs


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
    words.append(("*-1", "-NONE-"))
    # It interleaves with the outer one.
    inner = Node("VP", children=[Node("NP", index=1, children=[2]), 4, 5])
    outer = Node("VP", children=[Node("NP", children=[1]), 3])
    return Tree(
        Node("ROOT", children=[Node("S", children=[0, outer, inner])]),
        [Token(form, tag) for form, tag in words],
    )
