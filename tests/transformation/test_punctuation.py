"""Punctuation at the root: by hand, and the gaps of random trees."""

import pytest
from crossing import crossing, written
from hypothesis import given
from hypothesis import strategies as st
from strategies import trees

from plcfrs.transformation import (
    Anomaly,
    Options,
    attach_punctuation,
    remove_punctuation,
    transform_all,
)
from plcfrs.trees import Node
from plcfrs.trees.heads import PUNCTUATION_TAGS, is_punctuation
from plcfrs.trees.tree import fan_out

RELATIVE_CLAUSE = """(ROOT (S (NP (ART 0=Die) (NN 1=Ziege) (S (PRELS 3=die) (VVFIN 4=singt)))
    (VAFIN 6=hat) (NP (NN 7=Durst))) ($, 2=,) ($, 5=,) ($. 8=.))"""


def test_high():
    assert written(attach_punctuation(crossing(RELATIVE_CLAUSE), "high")) == (
        "(ROOT (S (NP (ART 0=Die) (NN 1=Ziege) ($, 2=,) (S (PRELS 3=die) (VVFIN 4=singt)))"
        " ($, 5=,) (VAFIN 6=hat) (NP (NN 7=Durst)) ($. 8=.)))"
    )


def test_low():
    assert written(attach_punctuation(crossing(RELATIVE_CLAUSE), "low")) == (
        "(ROOT (S (NP (ART 0=Die) (NN 1=Ziege) ($, 2=,) (S (PRELS 3=die) (VVFIN 4=singt)"
        " ($, 5=,))) (VAFIN 6=hat) (NP (NN 7=Durst) ($. 8=.))))"
    )


def test_marks_in_a_row_go_to_one_place_and_leave_no_gap():
    text = "(ROOT (S (NP (NN 1=Heu)) (VP (VVFIN 5=ruft) (NP (PPER 6=sie)))) {})"
    marks = "($[ 0=`) ($, 2=,) ($[ 3=-) ($[ 4=`) ($. 7=!) ($[ 8=`)"
    assert written(attach_punctuation(crossing(text.format(marks)), "low")) == (
        "(ROOT (S (NP ($[ 0=`) (NN 1=Heu) ($, 2=,) ($[ 3=-) ($[ 4=`))"
        " (VP (VVFIN 5=ruft) (NP (PPER 6=sie) ($. 7=!) ($[ 8=`)))))"
    )
    assert written(attach_punctuation(crossing(text.format(marks)), "high")) == (
        "(ROOT (S ($[ 0=`) (NP (NN 1=Heu)) ($, 2=,) ($[ 3=-) ($[ 4=`)"
        " (VP (VVFIN 5=ruft) (NP (PPER 6=sie))) ($. 7=!) ($[ 8=`)))"
    )


def test_real_gaps_stay():
    text = (
        "(ROOT (S (VP (NN 0=Heu) (VVPP 4=gekauft)) ($, 1=x) (VAFIN 2=hat) (PPER 3=sie)) ($. 5=.))"
    )
    low = attach_punctuation(crossing(text), "low")
    assert low.gap_degree() == 1
    assert written(low).startswith("(ROOT (S (VP (NN 0=Heu) (VVPP 4=gekauft) ($. 5=.))")


def test_between_two_roots_the_left_one_gets_it_and_a_word_at_the_root_none():
    text = (
        "(ROOT (NP (NN 0=Heu)) ($, 1=,) (KON 2=und) ($, 3=,) (NP (NN 4=Gras)) (KON 5=und) ($. 6=.))"
    )
    expected = (
        "(ROOT (NP (NN 0=Heu) ($, 1=,)) (KON 2=und) (NP ($, 3=,) (NN 4=Gras)) (KON 5=und) ($. 6=.))"
    )
    for place in ("low", "high"):
        assert written(attach_punctuation(crossing(text), place)) == expected


def test_punctuation_inside_stays():
    text = "(ROOT (S (NP (NNS 0=Goats) (, 2=,)) (VP (VBP 1=sing) (. 3=.))))"
    assert written(attach_punctuation(crossing(text), "low")) == written(crossing(text))


def test_nothing_but_punctuation():
    text = "(ROOT ($. 0=.) ($. 1=.))"
    assert written(attach_punctuation(crossing(text), "high")) == text
    assert remove_punctuation(crossing(text)).tokens == []


def test_removed():
    assert written(remove_punctuation(crossing(RELATIVE_CLAUSE))) == (
        "(ROOT (S (NP (ART 0=Die) (NN 1=Ziege) (S (PRELS 2=die) (VVFIN 3=singt)))"
        " (VAFIN 4=hat) (NP (NN 5=Durst))))"
    )
    inside = "(ROOT (S (NP (NNS 0=Goats) (PRN (-LRB- 1=-LRB-) (-RRB- 2=-RRB-))) (VP (VBP 3=sing))))"
    expected = "(ROOT (S (NP (NNS 0=Goats)) (VP (VBP 1=sing))))"
    assert written(remove_punctuation(crossing(inside))) == expected


def test_sentences_of_punctuation_are_dropped_and_reported():
    tree = crossing("(ROOT (NP ($. 0=.) ($. 1=.)))")
    tree.id = "s1"
    anomalies = []
    assert list(transform_all([tree], Options(punctuation="remove"), anomalies)) == []
    assert anomalies == [Anomaly("dropped sentence", "s1")]


def with_marks(tree, marks):
    """Return a tree with some of its tokens as punctuation at its root, and no empty nodes."""
    for node in tree.nodes():
        node.children = [child for child in node.children if child not in marks]
    for node in tree.bottom_up():
        node.children = [
            child for child in node.children if not isinstance(child, Node) or child.children
        ]
    tree.root.children += marks
    for position, token in enumerate(tree.tokens):
        token.tag = "$," if position in marks else "NN"
    tree.sort_children()
    return tree


@st.composite
def trees_with_marks(draw):
    tree = draw(trees())
    positions = range(len(tree.tokens))
    return with_marks(tree, [place for place in positions if draw(st.booleans())])


def numbered(tree):
    """Number the nodes, to identify them in copies."""
    for number, node in enumerate(tree.nodes()):
        node.index = number
    return tree


def fan_outs(tree):
    return {node.index: fan_out(span) for node, span in tree.yields().items()}


@given(trees_with_marks().map(numbered), st.sampled_from(["low", "high"]))
def test_no_gap_too_many_and_none_too_few(tree, place):
    """With its marks attached, a constituent has as many gaps as without all marks."""
    bare = fan_outs(remove_punctuation(tree))
    before = fan_outs(tree)
    tokens = list(tree.tokens)
    attach_punctuation.in_place(tree, place)
    after = fan_outs(tree)
    assert tree.tokens == tokens
    assert after.keys() == before.keys()
    assert all(after[node] <= before[node] for node in before)
    if tree.root.nodes:
        assert after == bare


@given(trees_with_marks(), st.sampled_from(["low", "high"]))
def test_marks_stay_only_beside_words_at_the_root(tree, place):
    tree = attach_punctuation(tree, place)
    at_root = [child for child in tree.root.children if isinstance(child, int)]
    if any(is_punctuation(tree.tokens[child]) for child in at_root) and tree.root.nodes:
        assert any(not is_punctuation(tree.tokens[child]) for child in at_root)


@given(trees_with_marks().map(numbered))
def test_high_is_above_low(tree):
    high = attach_punctuation(tree, "high").yields()
    low = {node.index: span for node, span in attach_punctuation(tree, "low").yields().items()}
    inside = {node.index: span & ~low[node.index] for node, span in high.items()}
    outside = {node.index: low[node.index] & ~span for node, span in high.items()}
    assert not any(inside.values())
    assert not outside[0]


@pytest.mark.full
def test_deep_trees():
    node = Node("S", children=[0, 2])
    for _ in range(10_000):
        node = Node("S", children=[node])
    tree = crossing("(ROOT (X (NN 0=Heu) (NN 2=Gras)) ($, 1=,))")
    tree.root.children[0] = node
    assert attach_punctuation(tree, "high").gap_degree() == 0


@pytest.mark.full
@pytest.mark.parametrize("place", ["low", "high"])
def test_the_penn_treebank_has_no_such_punctuation(penn_treebank, place):
    for tree in penn_treebank:
        if len(tree.root.children) == 1:
            assert attach_punctuation(tree, place) == tree


def test_tags():
    assert {",", "``", "-LRB-", "$(", "PUNCT", "let"} <= PUNCTUATION_TAGS
    assert "$" not in PUNCTUATION_TAGS
