"""Trees and derivations sent to other processes: nothing is lost, at any depth."""

import copy
import pickle
from multiprocessing.reduction import ForkingPickler

from demo_trees import raw_demo_trees
from hypothesis import given
from strategies import trees

import plcfrs.corpus.sending  # noqa: F401 (from now on, trees are pickled as lists)
from plcfrs.grammar import Derivation, Nonterminal, tag
from plcfrs.transformation import transform_reversibly
from plcfrs.treebank import FORMATS
from plcfrs.trees import Node, Token, Tree, restore_traces
from plcfrs.trees.tree import SecondaryEdge

DEPTH = 5_000
render = FORMATS["export"].render


def sent(thing):
    return pickle.loads(ForkingPickler.dumps(thing))


@given(trees())
def test_a_tree_is_the_same(tree):
    tree.id = "tree 1"
    nodes = tree.nodes()
    tree.secondary_edges = [
        SecondaryEdge("OA", nodes[-1], nodes[0]),
        SecondaryEdge("X", 0, nodes[0]),
    ]
    nodes[-1].head, nodes[-1].moved, nodes[-1].index = 0, "*T*", 3
    again = sent(tree)
    assert again == tree
    assert again.id == "tree 1"
    assert render(again, 1) == render(tree, 1)
    last = again.nodes()[-1]
    assert (last.head, last.moved, last.index) == (0, "*T*", 3)
    assert [edge.label for edge in again.secondary_edges] == ["OA", "X"]
    assert again.secondary_edges[0].child is last


def test_trees_with_traces_are_the_same():
    found = raw_demo_trees()
    assert sent(found) == found
    assert [*map(restore_traces, sent([*map(transform_reversibly, found)]))] == found


def test_a_deep_tree():
    for through in [sent, copy.copy, copy.deepcopy]:
        node = Node("X", children=[0])
        for _ in range(DEPTH):
            node = Node("X", children=[node])
        tree = through(Tree(Node("ROOT", children=[node]), [Token("a", "A")]))
        assert len(tree.nodes()) == DEPTH + 2
        assert tree.tokens == [Token("a", "A")]


def test_a_deep_derivation():
    x, a = Nonterminal("X"), tag("A")
    derivation = Derivation(a)
    for _ in range(DEPTH):
        derivation = Derivation(x, ((0, 1),), (Derivation(a), derivation))
    again = sent(derivation)
    both = zip(again.bottom_up(), derivation.bottom_up(), strict=True)
    assert all(
        (one.nonterminal, one.yield_function, len(one.children))
        == (other.nonterminal, other.yield_function, len(other.children))
        for one, other in both
    )
