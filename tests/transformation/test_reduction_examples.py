"""Worked examples of Fernández-González and Martins (2015)."""

import pytest
from bracket import read, show
from quick import core

from plcfrs.errors import InputError, TreebankError
from plcfrs.transformation import (
    from_dependencies,
    is_nested,
    is_projective,
    to_dependencies,
    without_unaries,
)
from plcfrs.transformation.dependencies import differences, from_differences
from plcfrs.trees import DependencyTree, Node, Token, Tree, mark_heads


def tree_of(text):
    return mark_heads(read(text))


def dependencies(heads, relations):
    tokens = [Token(f"w{number}", "XY") for number in range(1, len(heads) + 1)]
    return DependencyTree(tokens, heads, relations)


PUBLIC = """(S (NP (DT The) (NN public)) (VP (VBZ is) (ADVP (RB still)) (ADJP (JJ cautious)))
(. .))"""


def test_continuous_tree_of_figure_1():
    """ADVP and ADJP are dropped."""
    found = to_dependencies(tree_of(PUBLIC))
    assert found.heads == [2, 3, 0, 3, 3, 3]
    assert found.relations == ["NP#1", "S#2", "root", "VP#1", "VP#1", "S#2"]
    assert is_projective(found)
    assert is_nested(found)
    expected = without_unaries(tree_of(PUBLIC))
    assert from_dependencies(found) == expected
    assert show(expected) == ("(ROOT (S (NP 0=The 1=public) (VP 2=is 3=still 4=cautious) 5=.))")


@core(
    1,
    ("encoding", "expected"),
    [
        ("direct", ["NP#1", "S#2", "root", "VP#1|ADVP", "VP#1|ADJP", "S#2"]),
        ("delta", ["NP#1", "S#2", "root", "VP#1|ADVP", "VP#0|ADJP", "S#1"]),
        ("hall-nivre", ["#1", "NP#2", "root|VP|S", "ADVP#1", "ADJP#1", "#2"]),
    ],
)
def test_unary_nodes_of_figure_1(encoding, expected):
    tree = tree_of(PUBLIC)
    found = to_dependencies(tree, encoding, "labels")
    assert found.relations == expected
    assert from_dependencies(found, encoding) == tree


def test_discontinuous_tree():
    """A German tree like that of figure 1: the NP has a gap, since an arc is not projective."""
    nothing = Node("NP", children=[2, 3], head=1)
    subject = Node("NP", children=[0, nothing], head=1)
    clause = Node("S", children=[subject, 1], head=1)
    words = [("Es", "PPER"), ("kam", "VVFIN"), ("nichts", "PIS"), ("Neues", "NN"), (".", "$.")]
    tree = Tree(Node("ROOT", children=[clause, 4], head=0), [Token(*word) for word in words])
    found = to_dependencies(tree)
    assert found.heads == [4, 0, 4, 2, 2]
    assert found.relations == ["NP#2", "root", "NP#1", "S#1", "ROOT#2"]
    assert not is_projective(found)
    assert to_dependencies(tree, "delta").relations == ["NP#1", "root", "NP#1", "S#1", "ROOT#1"]
    assert from_dependencies(found) == tree


@core(
    1,
    ("relations", "expected"),
    [
        (["VP#1", "root", "VP#1"], "(ROOT (VP 0=w1 1=w2 2=w3))"),
        (["VP#1", "root", "VP#2"], "(ROOT (VP (VP 0=w1 1=w2) 2=w3))"),
        (["VP#2", "root", "VP#1"], "(ROOT (VP 0=w1 (VP 1=w2 2=w3)))"),
    ],
)
def test_three_structures_of_figure_2(relations, expected):
    """They differ only in the order of events."""
    given = dependencies([2, 0, 2], relations)
    tree = from_dependencies(given)
    assert show(tree) == expected
    assert to_dependencies(tree) == given


def test_spine_of_figure_3():
    given = dependencies([2, 0, 2, 2], ["Z2#2", "root", "Z1#1", "Z3#3"])
    assert show(from_dependencies(given)) == "(ROOT (Z3 (Z2 0=w1 (Z1 1=w2 2=w3)) 3=w4))"


@core(
    1,
    ("given", "is_flat", "expected"),
    [
        (dependencies([0, 1, 1], ["root", "B#2", "A#1"]), True, "(ROOT (B (A 0=w1 2=w3) 1=w2))"),
        (dependencies([0, 1, 1], ["root", "A#1", "B#2"]), True, "(ROOT (B (A 0=w1 1=w2) 2=w3))"),
        (dependencies([3, 0, 2], ["A#1", "root", "B#1"]), False, "(ROOT (B (A 0=w1 2=w3) 1=w2))"),
    ],
)
def test_discontinuity_of_figure_4(given, is_flat, expected):
    """A node has a gap since the order is not nested, or an arc is not projective."""
    tree = from_dependencies(given)
    assert show(tree) == expected
    assert is_projective(given) == is_flat
    assert is_nested(given) == (given.relations[1] != "B#2")


def test_repair_of_nesting():
    """The index of the nearer token is lowered (section 4.3), and so gets the same label."""
    given = dependencies([0, 1, 1], ["root", "B#2", "A#1"])
    assert show(from_dependencies(given, nested=True)) == "(ROOT (B 0=w1 1=w2 2=w3))"


def test_differences_of_the_footnote():
    """Figures 1, 3, 4 to the left and 2, 3, 3, 5 to the right of the head."""
    heads = [0, 4, 4, 4, 0, 4, 4, 4, 4]
    orders = [0, 4, 3, 1, 0, 2, 3, 3, 5]
    assert differences(heads, orders) == [0, 1, 2, 1, 0, 2, 1, 0, 2]
    assert from_differences(heads, differences(heads, orders)) == orders


def test_differences_are_negative_where_trees_have_gaps():
    given = dependencies([0, 1, 1], ["root", "B#2", "A#1"])
    found = to_dependencies(from_dependencies(given), "delta")
    assert found.relations == ["root", "B#2", "A#-1"]
    assert not is_nested(found, "delta")
    assert from_dependencies(found, "delta") == from_dependencies(given)


@core(
    1,
    ("text", "direct", "hall_nivre"),
    [
        ("(NN a)", ["root"], ["root"]),
        ("(NP (NN a))", ["root|NP"], ["root|NP"]),
        ("(S (NP (NN a)))", ["root|S+NP"], ["root|NP|S"]),
        ("(NN a) (NN b)", ["root", "ROOT#1"], ["root|ROOT", "#1"]),
        ("(ROOT (NN a) (NN b))", ["root", "\\ROOT#1"], ["root|\\ROOT", "#1"]),
        ("(S (ROOT (NN a) (NN b)))", ["root", "S+\\ROOT#1"], ["root|\\ROOT|S", "#1"]),
    ],
)
def test_small_trees(text, direct, hall_nivre):
    tree = read(text)
    for node in tree.nodes():
        node.head = 0
    for encoding, expected in (("direct", direct), ("hall-nivre", hall_nivre)):
        found = to_dependencies(tree, encoding, "labels")
        assert found.relations == expected
        assert from_dependencies(found, encoding) == tree


def test_splits_are_kept_but_no_function_tags():
    tree = tree_of("(S-TPC-1 (NP-SBJ (PRP We)) (VP^INF (TO to) (VP (VB sing))))")
    found = from_dependencies(to_dependencies(tree, unaries="labels"))
    assert show(found) == "(ROOT (S (NP 0=We) (VP^INF 1=to (VP 2=sing))))"


def test_heads_are_needed():
    tree = tree_of(PUBLIC)
    tree.id, tree.nodes()[2].head = "7", None
    with pytest.raises(TreebankError, match="sentence 7: the head of a node NP is not marked"):
        to_dependencies(tree)


def test_null_elements_are_refused():
    with pytest.raises(TreebankError, match=r"null element \*T\*: transform the treebank first"):
        to_dependencies(tree_of("(S (NP (-NONE- *T*)) (VP (VB sing)))"))


def test_names_are_checked():
    tree = tree_of(PUBLIC)
    with pytest.raises(InputError, match="encoding: 'hn' is not one of direct, delta, hall-nivre"):
        to_dependencies(tree, "hn")
    with pytest.raises(InputError, match="unaries: 'no' is not one of dropped, labels"):
        to_dependencies(tree, unaries="no")
    with pytest.raises(InputError, match="encoding: 'hn' is not one of direct"):
        from_dependencies(to_dependencies(tree), "hn")
