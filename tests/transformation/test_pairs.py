"""Pairs of quotes, brackets and dashes."""

import copy

import pytest
from crossing import crossing, written
from hypothesis import given
from hypothesis import strategies as st
from quick import core
from strategies import trees

from plcfrs.transformation import find_pairs, pair_marks, transform_all
from plcfrs.trees import Token
from plcfrs.trees.tree import fan_out


@core(
    1,
    ("text", "pairs"),
    [
        ("( x )", [(0, 2)]),
        ("`` x ''", [(0, 2)]),
        ("-LRB- x -RRB-", [(0, 2)]),
        ("„ x “ y “ z ”", [(0, 2), (4, 6)]),
        ("» x « y « z »", [(0, 2), (4, 6)]),
        ('" x " y " z "', [(0, 2), (4, 6)]),
        ("a - b - c - d", [(1, 3)]),
        ("— a -- b — c --", [(0, 4)]),
        ("( a ( b ) c )", [(2, 4), (0, 6)]),
        ("a ) b ( c", []),
        ("( a [ b )", [(0, 4)]),
        ("- ( a - b ) -", [(1, 5), (0, 6)]),
        ('" ( a " b )', [(1, 5)]),
        ("x , y .", []),
    ],
)
def test_find_pairs(text, pairs):
    tokens = [Token(form, "NN" if form.isalpha() else "$(") for form in text.split()]
    assert find_pairs(tokens) == pairs


def test_words_that_look_like_marks():
    assert find_pairs([Token("-", "SYM"), Token("x", "NN"), Token("-", "$(")]) == []


@core(
    1,
    ("text", "expected"),
    [
        (  # both to the phrase between them
            "(ROOT (S (NP (ART 0=Das) ($[ 1=`)) (VP (NN 2=Heu) (VVFIN 3=hilft) ($[ 4='))))",
            "(ROOT (S (NP (ART 0=Das)) (VP ($[ 1=`) (NN 2=Heu) (VVFIN 3=hilft) ($[ 4='))))",
        ),
        (  # one would leave a gap there, so both are attached higher
            """(ROOT (S ($[ 0=-) (NP (NN 1=Heu) (VP (VVPP 2=ja) ($[ 3=-))) (VVFIN 4=hilft)))""",
            """(ROOT (S (NP ($[ 0=-) (NN 1=Heu) (VP (VVPP 2=ja)) ($[ 3=-)) (VVFIN 4=hilft)))""",
        ),
        (  # nowhere, since the NP would have a gap without its mark
            "(ROOT (S (NP (NN 0=Heu) ($[ 1=-) (NN 2=Gras)) (VVFIN 3=hilft) ($[ 4=-)))",
            "(ROOT (S (NP (NN 0=Heu) ($[ 1=-) (NN 2=Gras)) (VVFIN 3=hilft) ($[ 4=-)))",
        ),
        (  # already the same mother
            "(ROOT (NP (NP (NN 0=Heu)) (PRN ($[ 1=-LRB-) (NP (NN 2=Gras)) ($[ 3=-RRB-))))",
            "(ROOT (NP (NP (NN 0=Heu)) (PRN ($[ 1=-LRB-) (NP (NN 2=Gras)) ($[ 3=-RRB-))))",
        ),
        (  # the root does not count as a mother
            '(ROOT (S (NP (NN 1=Heu) (NN 2=Gras)) (VVFIN 4=hilft)) ($[ 0=") ($[ 3="))',
            '(ROOT (S (NP ($[ 0=") (NN 1=Heu) (NN 2=Gras) ($[ 3=")) (VVFIN 4=hilft)))',
        ),
        (  # no node is left empty
            "(ROOT (S (X ($[ 0=-)) (NP (NN 1=Heu) (NN 2=Gras)) (VP (VVFIN 4=hilft)) ($[ 3=-)))",
            "(ROOT (S (X ($[ 0=-)) (NP (NN 1=Heu) (NN 2=Gras)) ($[ 3=-) (VP (VVFIN 4=hilft))))",
        ),
        (  # nothing between them
            '(ROOT (S (NP (NN 0=Heu) ($[ 1=")) (VP ($[ 2=") (VVFIN 3=hilft))))',
            '(ROOT (S (NP (NN 0=Heu) ($[ 1=")) (VP ($[ 2=") (VVFIN 3=hilft))))',
        ),
        (  # inner pairs first
            '(ROOT (S (X ($[ 0=") ($[ 1=-) (NP (NN 2=a))) (VP ($[ 3=-) ($[ 4=") (VB 5=b))))',
            '(ROOT (S (X (NP ($[ 0=") ($[ 1=-) (NN 2=a) ($[ 3=-) ($[ 4="))) (VP (VB 5=b))))',
        ),
    ],
)
def test_examples(text, expected):
    assert written(pair_marks(crossing(text))) == expected


@given(trees(), st.data())
def test_no_constituent_gets_a_gap_or_is_lost(tree, data):
    marks = st.sampled_from(["(", ")", '"', "-", "„", "“", "x"])
    for token in tree.tokens:
        token.form = data.draw(marks)
        token.tag = "NN" if token.form == "x" else "$("
    before = {node: fan_out(span) for node, span in tree.yields().items()}
    paired = {mark for pair in find_pairs(tree.tokens) for mark in pair}
    others = {node: set(node.children) - paired for node in before}
    tokens = copy.deepcopy(tree.tokens)
    pair_marks.in_place(tree)
    after = {node: fan_out(span) for node, span in tree.yields().items()}
    assert after.keys() == before.keys()
    assert all(0 < after[node] <= before[node] for node in before)
    assert tree.tokens == tokens
    assert all(others[node] == set(node.children) - paired for node in before)


@pytest.mark.full
def test_penn_treebank(penn_treebank):
    changed = 0
    for tree in transform_all(penn_treebank):
        paired = pair_marks(tree)
        assert paired.gap_degree() <= tree.gap_degree()
        changed += paired != tree
    assert 0 < changed < 1000
