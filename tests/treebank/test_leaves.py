"""Leaves in brackets that other programs write in their own way."""

import pytest
from quick import core

from plcfrs.errors import TreebankError
from plcfrs.treebank import read_trees


@pytest.fixture
def read(tmp_path):
    def reader(text, name="a.mrg"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return list(read_trees(path))

    return reader


@core(
    4,
    "text, expected",
    [
        ("(S (NN (zorb)) (VB (falls down)))", "(S (NN 0=zorb) (VB (VB 1=falls) (VB 2=down)))"),
        ("(S (NN (\xa0)) (VB (fell)))", "(S (NN 0=\xa0) (VB 1=fell))"),
        ("(S (NN zorb) (.))", "(S (NN 0=zorb) (. 1=.))"),
        ("(S (PRP (I)) (VB (fall)) (. (.)))", "(S (PRP 0=I) (VB 1=fall) (. 2=.))"),
        ("(S (NP (NN (zorb))) (VP (VB fell)))", "(S (NP (NN 0=zorb)) (VP (VB 1=fell)))"),
        (
            "(S (NP (-LRB- () (NN Zorb) (-RRB- ))) (NN rain))",
            "(S (NP (-LRB- 0=-LRB-) (NN 1=Zorb) (-RRB- 2=-RRB-)) (NN 3=rain))",
        ),
        ("(S (CD 1) (-RRB- ))\n  (NN rain))", "(S (CD 0=1) (-RRB- 1=-RRB-) (NN 2=rain))"),
    ],
)
def test_words_in_brackets_and_brackets_as_words(read, text, expected):
    for name in ("a.mrg", "a.txt"):
        (tree,) = read(text, name)
        assert str(tree) == f"(ROOT {expected})"


def test_lemmas_behind_words(read):
    (tree,) = read("(S (da0 El el) (vs0 es ser) (Fp . .) (sn.e *0*))", "a.tbf")
    assert tree.words() == ["El", "es", ".", "*0*"]
    assert [token.lemma for token in tree.tokens] == ["el", "ser", ".", ""]


@core(
    2,
    "text",
    [
        "(S (NP (NN)) (VP (VB go)))",
        "(S (NP the zorb) (VP sang))",
        "(S (NP the zorb) (. .))",
        "(NP New York City)",
        "(s (np (n)) (v went))",
        "(S (NP ()) (VP (VB go)))",
    ],
)
def test_malformed_trees_stay_errors(read, text):
    with pytest.raises(TreebankError) as caught:
        read(text)
    assert "skeleton" not in str(caught.value)


def test_features_in_tags(read):
    (tree,) = read(
        "(ROOT (NP##g=f##-SUJ (D##lemma=le|g=m|n=s## le) (N-HD##lem=b=c## b) (A#B #) (P## a##b)))"
    )
    assert str(tree) == "(ROOT (NP-SUJ (D 0=le) (N-HD 1=b) (A#B 2=#) (P## 3=a##b)))"
    assert [(token.lemma, token.morph) for token in tree.tokens] == [
        ("le", "g=m|n=s"),
        ("b=c", ""),
        ("", ""),
        ("", ""),
    ]
