"""A query that is made from nodes of a tree finds them there."""

import pytest
import query_strategies
import strategies
from hypothesis import given
from hypothesis import strategies as st
from quick import examples

from plcfrs.errors import InputError
from plcfrs.query import Treebank
from plcfrs.query.example import example_query
from plcfrs.query.language import parse_query
from plcfrs.treebank.compilation import elements_of
from plcfrs.trees import Node, Token, Tree


@examples(150)
@given(strategies.trees() | query_strategies.trees(), st.data())
def test_a_query_finds_the_nodes_that_it_is_made_from(tree, data):
    elements = elements_of(tree)
    places = st.sets(st.integers(0, len(elements) - 1), min_size=1, max_size=5)
    chosen = sorted(data.draw(places))
    nodes = [elements[place] for place in chosen]
    query = parse_query(example_query(tree, nodes, functions=data.draw(st.booleans())))
    found = Treebank([tree]).find(query, query.names)
    ways = zip(*(found.named[name] for name in query.names), strict=True)
    if len(chosen) == 1:
        ways = zip(found.places, strict=True)
    assert tuple(chosen) in {tuple(map(int, way)) for way in ways}


TREE = Tree.from_string(
    "(S (VP (WP 0=What) (VB 2=do)) (NP (PRP$ 1=we)) (PP (IN 3=for) (NP (X 4=u))))"
)


def test_a_query_says_label_gap_relations_and_order():
    for places, query in [
        ([1], "S"),
        ([2], "VP[discontinuous]"),
        ([1, 2, 5], "S=a < VP=b[discontinuous] < NP=c : =b <~ =c"),
        ([1, 3, 6], 'S=a << WP=b << "PRP$"=c : =b .. =c'),
        ([7, 9], "PP=a < NP=b"),
        ([4, 8], "VB=a .. IN=b"),
        ([2, 3, 7, 9], "VP=a[discontinuous] < WP=b .. (PP=c < NP=d)"),
    ]:
        elements = elements_of(TREE)
        assert example_query(TREE, [elements[place] for place in places]) == query


def test_functions_are_said_if_they_are_wanted():
    tree = Tree.from_string("(S (NP-SBJ-TMP (NN 0=rain)) (VP (VB 1=falls)))")
    chosen = tree.root.nodes[0].nodes
    assert example_query(tree, chosen) == "NP=a .. VP=b"
    assert example_query(tree, chosen, functions=True) == "NP-SBJ-TMP=a .. VP=b"


def test_odd_labels_are_quoted_or_left_out():
    tree = Tree(
        Node("ROOT", children=[Node('a"b\\', children=[0]), 1]), [Token("(", ""), Token("b", "x|y")]
    )
    elements = elements_of(tree)
    assert example_query(tree, [elements[2]]) == '*[word="("]'
    assert example_query(tree, [elements[3]]) == '"x|y"'
    for place, element in enumerate(elements):
        assert place in Treebank([tree]).find(example_query(tree, [element])).places


def test_too_few_or_too_many_nodes_are_refused():
    for number in [0, 27]:
        tree = Tree(Node("S", children=list(range(30))), [Token("a", "A")] * 30)
        with pytest.raises(InputError, match="choose 1 to 26"):
            example_query(tree, range(number))
