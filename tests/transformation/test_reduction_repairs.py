"""Whatever a parser predicts becomes a tree."""

from bracket import show
from hypothesis import given
from hypothesis import strategies as st
from quick import core
from reduction_strategies import ENCODINGS, predictions

from plcfrs.transformation import from_dependencies, is_nested, is_projective
from plcfrs.transformation.dependencies import repaired_heads
from plcfrs.trees import DependencyTree, Token
from plcfrs.trees.tree import check_tree, leftmost


def tree_of(heads, relations, encoding="direct"):
    tokens = [Token(letter, "XY") for letter in "abcdefgh"[: len(heads)]]
    return show(from_dependencies(DependencyTree(tokens, heads, relations), encoding))


@given(predictions(), st.sampled_from(ENCODINGS), st.booleans())
def test_any_prediction_is_a_tree(dependencies, encoding, nested):
    before = DependencyTree(
        dependencies.tokens.copy(), dependencies.heads.copy(), dependencies.relations.copy()
    )
    tree = from_dependencies(dependencies, encoding, nested=nested)
    assert dependencies == before
    assert tree.tokens == dependencies.tokens
    is_projective(dependencies), is_nested(dependencies, encoding)
    if not tree.tokens:
        assert show(tree) == "(ROOT)"
        return
    check_tree(tree)
    spans = tree.yields()
    positions = [child for node in spans for child in node.children if isinstance(child, int)]
    assert sorted(positions) == list(range(len(tree.tokens)))
    for node in spans:
        firsts = [c if isinstance(c, int) else leftmost(spans[c]) for c in node.children]
        assert firsts == sorted(firsts)
        assert node.head in range(len(node.children))
        assert not node.chain


@given(predictions())
def test_results_have_tokens_of_their_own(dependencies):
    tree = from_dependencies(dependencies)
    assert not {id(token) for token in tree.tokens} & {id(token) for token in dependencies.tokens}


@core(
    1,
    ("heads", "expected"),
    [
        ([2, 0], [2, 0]),
        ([1, 1], [0, 1]),  # its own head
        ([-1, 3], [0, 0]),
        ([2, 3, 1], [0, 3, 1]),  # no root
        ([0, 4, 2, 3], [0, 0, 2, 3]),
        ([3, 4, 1, 2], [0, 0, 1, 2]),
        ([3, 3, 2], [3, 0, 2]),
    ],
)
def test_heads_are_repaired(heads, expected):
    assert repaired_heads(heads) == [0, *expected]


@core(
    1,
    ("heads", "relations", "expected"),
    [
        # Several roots are children of the top node.
        ([0, 0, 2], ["root", "root", "NP#1"], "(ROOT 0=a (NP 1=b 2=c))"),
        ([0, 0, 2], ["root", "root", "ROOT#1"], "(ROOT 0=a 1=b 2=c)"),
        # The label ROOT attaches to the top node from anywhere.
        ([2, 0, 4, 2], ["NP#1", "root", "ROOT#1", "S#2"], "(ROOT (S (NP 0=a 1=b) 3=d) 2=c)"),
        ([2, 0, 2], ["ROOT#1", "root", "S#2"], "(ROOT 0=a (S 1=b 2=c))"),
        ([0, 1, 1], ["root", "ROOT#1", "S#2"], "(ROOT (S 0=a 2=c) 1=b)"),
        # No label: the first event, and X.
        ([2, 0, 2], ["nsubj", "root", "obj"], "(ROOT (X 0=a 1=b 2=c))"),
        ([2, 0, 2], ["nsubj", "root", "S#1"], "(ROOT (S 0=a 1=b 2=c))"),
        ([2, 0, 2], ["nsubj", "root", "S#2"], "(ROOT (S (X 0=a 1=b) 2=c))"),
        ([2, 0, 2], ["#3", "root", "S#2"], "(ROOT (X 0=a (S 1=b 2=c)))"),
        # Labels of one event: the nearest, or the left one.
        ([3, 3, 0, 3], ["A#1", "B#1", "root", "C#1"], "(ROOT (B 0=a 1=b 2=c 3=d))"),
        ([3, 3, 0, 3], ["A#1", "B#2", "root", "C#1"], "(ROOT (B (C 0=a 2=c 3=d) 1=b))"),
        # Numbers need not be dense.
        ([2, 0, 2], ["S#9", "root", "VP#-4"], "(ROOT (S 0=a (VP 1=b 2=c)))"),
        # A relation of a dependent at the root, and the other way round.
        ([2, 0], ["root", "S#1|NP"], "(ROOT (X 0=a (NP 1=b)))"),
        ([2, 0], ["S#1|NP", "S"], "(ROOT (S (NP 0=a) 1=b))"),
    ],
)
def test_direct(heads, relations, expected):
    assert tree_of(heads, relations) == expected


@core(
    1,
    ("relations", "expected"),
    [
        (["nsubj", "root", "S#1", "S#1"], "(ROOT (S (S 0=a 1=b 2=c) 3=d))"),
        (["VP#1", "root", "S#2", "obj"], "(ROOT (S (VP 0=a 1=b) 2=c 3=d))"),
        (["VP#1", "root", "S#-2", "T#1"], "(ROOT (VP 0=a (T (S 1=b 2=c) 3=d)))"),
    ],
)
def test_delta(relations, expected):
    assert tree_of([2, 0, 2, 2], relations, "delta") == expected


@core(
    1,
    ("relations", "expected"),
    [
        (["NP#1", "root|VP|S", "#7"], "(ROOT (S (VP (NP 0=a) 1=b) 2=c))"),
        (["NP#2", "root", "QP#0"], "(ROOT (X (NP 0=a) 1=b (QP 2=c)))"),
        (["NP#2", "VP|S#1", "obj"], "(ROOT (S (NP 0=a) (VP 1=b 2=c)))"),
        (["NP#1", "root|ROOT|S", "#2"], "(ROOT (NP 0=a) (S 1=b 2=c))"),
    ],
)
def test_hall_nivre(relations, expected):
    assert tree_of([2, 0, 2], relations, "hall-nivre") == expected
