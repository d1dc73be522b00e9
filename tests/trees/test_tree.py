"""Trees: equality, spans, gap degree, mothers, order; and very deep ones."""

import pytest
from bracket import read, show

from plcfrs.trees import NO_PARSE, ROOT, Node, SecondaryEdge, Token, Tree, no_parse

DEPTH = 10_000


@pytest.fixture
def crossing():
    """Return ``What should we sing ?`` with a discontinuous VP."""
    tree = read("(SBARQ (SQ (VP (NN what) (NN should)) (NN we) (NP (NN sing))) (. ?))")
    sentence = tree.root.nodes[0].nodes[0]
    verb, noun = sentence.nodes
    verb.children, noun.children = [0, 3], [2]
    sentence.children = [verb, 1, noun]
    return tree


def test_nodes_are_in_preorder(crossing):
    assert [node.category for node in crossing.nodes()] == [ROOT, "SBARQ", "SQ", "VP", "NP"]


def test_children_come_before_their_mothers(crossing):
    order = crossing.bottom_up()
    assert sorted(map(id, order)) == sorted(map(id, crossing.nodes()))
    for node in order:
        assert all(order.index(child) < order.index(node) for child in node.nodes)


def test_yields(crossing):
    spans = {node.category: span for node, span in crossing.yields().items()}
    assert spans == {ROOT: 0b11111, "SBARQ": 0b11111, "SQ": 0b1111, "VP": 0b1001, "NP": 0b100}


def test_parents(crossing):
    found = {child.category: node.category for child, node in crossing.parents().items()}
    assert found == {"SBARQ": ROOT, "SQ": "SBARQ", "VP": "SQ", "NP": "SQ"}


def test_gap_degree():
    for first, second, degree, discontinuous in [
        ([0, 1], [2, 3, 4], 0, []),
        ([0, 2], [1, 3, 4], 1, ["A", "B"]),
        ([0, 1, 4], [2, 3], 1, ["A"]),
        ([0, 2, 4], [1, 3], 2, ["A", "B"]),
    ]:
        top = Node(ROOT, children=[Node("A", children=first), Node("B", children=second)])
        tree = Tree(top, [])
        assert tree.gap_degree() == degree
        assert [node.category for node in tree.discontinuous_nodes()] == discontinuous


def test_sort_children(crossing):
    for node in crossing.nodes():
        node.children.reverse()
    crossing.sort_children()
    expected = "(ROOT (SBARQ (SQ (VP 0=what 3=sing) 1=should (NP 2=we)) 4=?))"
    assert show(crossing) == expected


def test_sorted_children_and_their_heads(crossing):
    heads = {}
    for node in crossing.nodes():
        node.children.reverse()
        heads[node], node.head = node.children[0], 0
    crossing.sort_children(heads)
    assert all(node.children[node.head] is head for node, head in heads.items())
    assert any(node.head > 0 for node in heads)


def test_replace():
    node, child = Node("S", children=[0, 1, 2]), Node("NP", children=[1])
    node.replace(1, child)
    assert node.children == [0, child, 2]
    node.replace(child, 1)
    assert node.children == [0, 1, 2]


def test_null_elements_are_known_by_their_tag():
    assert Token("*T*-1", "-NONE-").is_null
    assert not Token("*T*-1", "SYM").is_null


TEXT = "(S (NP-SBJ-1=2 (NN hay)) (VP^HINF (VB eat) (NN hay)))"


def test_equal_trees():
    tree, other = read(TEXT, "one"), read(TEXT, "two")
    node = other.nodes()[2]
    node.head, node.moved = 0, "*T*"
    other.secondary_edges.append(SecondaryEdge("SB", node, other.root))
    assert tree == other
    assert tree != TEXT


def test_trees_that_differ():
    for text in [
        TEXT.replace("SBJ", "LGS"),
        TEXT.replace("-SBJ", ""),
        TEXT.replace("-1", "-3"),
        TEXT.replace("=2", "=3"),
        TEXT.replace("^HINF", ""),
        TEXT.replace("(S ", "(X "),
        TEXT.replace("VB", "VBP"),
        TEXT.replace("eat", "eats"),
        "(S (NP-SBJ-1=2 (NN hay)) (VP^HINF (VB eat)) (NN hay))",
        "(S (NP-SBJ-1=2 (NN hay) (VP^HINF (VB eat) (NN hay))))",
    ]:
        assert text != TEXT
        assert read(text) != read(TEXT)


def test_trees_that_differ_in_positions_only():
    def tree(first, second):
        children = [Node("A", children=first), Node("B", children=second)]
        return Tree(Node(ROOT, children=children), [Token("hay", "NN")] * 4)

    assert tree([0, 2], [1, 3]) == tree([0, 2], [1, 3])
    assert tree([0, 2], [1, 3]) != tree([0, 3], [1, 2])


def test_no_parse():
    tree = no_parse([Token("hay", "NN"), Token(".", ".")], "s1")
    assert show(tree) == f"({ROOT} ({NO_PARSE} 0=hay 1=.))"
    assert tree.id == "s1"


def test_deep_trees_do_not_hit_the_recursion_limit():
    def deep_tree():
        node = Node("NP", children=[0, 2])
        for _ in range(DEPTH):
            node = Node("NP", children=[node])
        return Tree(Node(ROOT, children=[node, 1]), [Token("hay", "NN")] * 3)

    tree = deep_tree()
    assert len(tree.nodes()) == len(tree.bottom_up()) == len(tree.yields()) == DEPTH + 2
    assert len(tree.parents()) == DEPTH + 1
    assert tree.gap_degree() == 1
    assert len(tree.discontinuous_nodes()) == DEPTH + 1
    tree.sort_children()
    assert tree == deep_tree()
