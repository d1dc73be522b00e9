"""Searches for named nodes find each way to match, said with quantifiers over all elements."""

from itertools import product

import naive_query
import pytest
from hypothesis import given
from hypothesis import strategies as st
from query_strategies import queries_with_names, trees
from quick import examples

from plcfrs.errors import InputError
from plcfrs.query import Treebank
from plcfrs.query.language import parse
from plcfrs.treebank.compilation import elements_of
from plcfrs.trees import Tree

NAMES = [("a",), ("b",), ("a", "b"), ("b", "a")]


def ways(tree, query, names):
    """Return the places of the match and of the named nodes, for each way to match."""
    naive, pattern, places = naive_query.NaiveTree(tree), parse(query), elements_of(tree)
    return {
        tuple(places.index(each[1]) for each in (element, *(ab[name] for name in names)))
        for element in naive.elements
        for ab in (dict(zip("ab", pair, strict=True)) for pair in product(naive.elements, repeat=2))
        if naive_query.matches(naive, pattern, element, ab)
    }


@examples(60)
@given(
    st.lists(trees(max_tokens=3), min_size=1, max_size=3),
    queries_with_names(),
    st.sampled_from(NAMES),
)
def test_each_way_to_match_is_found_once(some, query, names):
    found = Treebank(some).find(query, names)
    starts = found.trees.tree_places[found.trees_of].tolist()
    columns = (found.places, *(found.named[name] for name in names))
    rows = zip(found.trees_of, starts, *columns, strict=True)
    places = [(int(tree), *(int(at) - start for at in row)) for tree, start, *row in rows]
    expected = {(n, *way) for n, tree in enumerate(some) for way in ways(tree, query, names)}
    assert sorted(places) == sorted(expected)


TREE = Tree.from_string("(S (NP (DT 0=the) (NN 1=cook)) (VP (VB 2=sees) (NP (NN 3=us))))")


def test_two_ways_to_the_same_nodes_are_one():
    found = Treebank([TREE]).find("S [< NP=n | << NP=n]", ["n"])
    assert list(found.values("n.words")) == ["the cook", "us"]


def test_named_nodes_have_values():
    found = Treebank([TREE]).find("S << NP=n << VP=v", ["n", "v"])
    assert list(zip(found.values("n.words"), found.values("v.label"), strict=True)) == [
        ("the cook", "VP"),
        ("us", "VP"),
    ]


def test_a_hit_knows_its_named_nodes():
    (hit,) = Treebank([TREE]).find("VP < NP=n", ["n"])
    assert hit.named == {"n": elements_of(TREE).index(TREE.root.nodes[0].nodes[1].nodes[0])}


def test_a_named_node_that_was_not_asked_for_is_told():
    with pytest.raises(InputError, match="no node of the query has the name n"):
        Treebank([TREE]).find("S << NP=n").values("n.words")
