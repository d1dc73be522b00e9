"""All transformations in a row."""

import copy
from dataclasses import replace

import pytest
from bracket import read, show
from crossing import crossing, written
from quick import core

from plcfrs.transformation import (
    CONTEXT_FREE,
    EVANG_KALLMEYER,
    Anomaly,
    Options,
    read_corrections,
    transform,
    transform_all,
)
from plcfrs.treebank import read_trees
from plcfrs.trees import ROOT, Node, Token, Tree
from plcfrs.trees.heads import negra

SENTENCE = """( (S (NP-SBJ-2 (NP (DT A) (NN goat)) (SBAR (-NONE- *ICH*-1))) (VP (VBZ has)
    (VP (VBN come) (SBAR-1 (WHNP-3 (-NONE- 0)) (S (NP-SBJ (-NONE- *T*-3)) (VP (TO to)
    (VP (VB sing))))))) (. .)))"""


@core(
    1,
    ("options", "expected"),
    [
        (
            EVANG_KALLMEYER,
            """(ROOT (S (NP-SBJ (NP 0=A 1=goat) (S^WH<*ICH*> (VP^HTO 4=to (VP^HINF 5=sing))))
                (VP 2=has (VP^HPART 3=come)) 6=.))""",
        ),
        (
            CONTEXT_FREE,
            """(ROOT (S (NP-SBJ (NP 0=A 1=goat)) (VP 2=has (VP^HPART 3=come
                (S^WH (VP^HTO 4=to (VP^HINF 5=sing))))) 6=.))""",
        ),
        (
            Options(reattach=("*T*",), keep_sbar=True, splits=("vp", "infinitive")),
            """(ROOT (S (NP-SBJ (NP 0=A 1=goat)) (VP 2=has (VP^HPART 3=come
                (SBAR (S^INF (VP^HTO 4=to (VP^HINF 5=sing)))))) 6=.))""",
        ),
        (
            Options(splits=("infinitive",)),
            """(ROOT (S (NP-SBJ (NP 0=A 1=goat) (S^INF<*ICH*> (VP 4=to (VP 5=sing))))
                (VP 2=has (VP 3=come)) 6=.))""",
        ),
    ],
    ids=["evang-kallmeyer", "context-free", "own", "infinitive-alone"],
)
def test_transform(options, expected):
    assert show(transform(read(SENTENCE), options)) == " ".join(expected.split())


def test_transform_marks_heads():
    tree = transform(read("(S (NP (DT the) (NN goat)) (VP (VBZ sings)))"))
    assert [node.head for node in tree.nodes()] == [0, 1, 1, 0]


def test_own_head_rules():
    rules = {"*": EVANG_KALLMEYER.head_rules["UCP"]}
    tree = transform(read("(VP (VB sing) (VP (VBN sung)))"), Options(head_rules=rules))
    assert show(tree) == "(ROOT (VP^HPART 0=sing (VP^HPART 1=sung)))"


def test_corrections_come_first(tmp_path):
    path = tmp_path / "goats.tsv"
    path.write_text("goats.mrg\t3\t*T*-4\t*T*-1\n")
    text = "(SBARQ (WHNP-1 (WP Who)) (SQ (NP-SBJ (-NONE- *T*-4)) (VP (VBD sang))))"
    anomalies = []
    options = Options(corrections=read_corrections(path))
    tree = transform(read(text, "goats:3"), options, anomalies)
    assert show(tree) == "(ROOT (SBARQ (SQ (WHNP<*T*> 0=Who) (VP 1=sang))))"
    assert anomalies == []


def test_sentences_without_tokens_are_dropped_and_reported():
    texts = ["(NP (NN one))", "(S (NP (-NONE- *)))", "(NP (NN two))", "(X (-NONE- 0))"]
    trees = [read(text, f"s{number}") for number, text in enumerate(texts, start=1)]
    anomalies = []
    kept = list(transform_all(trees, anomalies=anomalies))
    assert [tree.id for tree in kept] == ["s1", "s3"]
    assert anomalies == [Anomaly("dropped sentence", "s2"), Anomaly("dropped sentence", "s4")]


def test_transform_all_without_a_list_of_anomalies():
    assert list(transform_all([read("(S (NP (-NONE- *)))")])) == []


@pytest.mark.full
def test_deep_trees():
    node = Node("S", children=[2])
    for _ in range(2_000):
        node = Node("SBAR", children=[node])
    trace = Node("NP", children=[1])
    for _ in range(2_000):
        trace = Node("VP", children=[trace])
    tokens = [Token("what", "WP"), Token("*T*-1", "-NONE-"), Token("sing", "VB")]
    top = Node("SBARQ", children=[Node("WHNP", children=[0], index=1), trace, node])
    tree = transform(Tree(Node(ROOT, children=[top]), tokens))
    assert len(tree.nodes()) == 2_004
    assert [node.category for node in tree.nodes()][-3:] == ["VP", "WHNP", "S"]


GERMAN = """(ROOT (S (VP (NP (NN 1=Heu) (NP (NN 3=Gras))) (VVPP 7=gekauft)) (VAFIN 4=hat)
    (PPER 5=sie)) (ITJ 6=ach) ($[ 0=") ($[ 2=") ($. 8=.))"""


@core(
    1,
    ("options", "expected"),
    [
        (
            Options(punctuation="high"),
            """(ROOT (S ($[ 0=") (VP (NP (NN 1=Heu) ($[ 2=") (NP (NN 3=Gras))) (VVPP 7=gekauft))
                (VAFIN 4=hat) (PPER 5=sie) ($. 8=.)) (ITJ 6=ach))""",
        ),
        (
            Options(attach_low=True, punctuation="low", pair_marks=True, continuous="raise"),
            """(ROOT (S (NP ($[ 0=") (NN 1=Heu) ($[ 2=") (NP (NN 3=Gras))) (VAFIN 4=hat)
                (PPER 5=sie) (ITJ 6=ach) (VP (VVPP 7=gekauft) ($. 8=.))))""",
        ),
        (
            Options(attach_low=True, punctuation="remove", continuous="split"),
            """(ROOT (S (VP*1 (NP (NN 0=Heu) (NP (NN 1=Gras)))) (VAFIN 2=hat) (PPER 3=sie)
                (ITJ 4=ach) (VP*2 (VVPP 5=gekauft))))""",
        ),
    ],
    ids=["high", "raise", "split"],
)
def test_what_hangs_at_the_root_and_crossing_branches(options, expected):
    tree = transform(crossing(GERMAN), replace(options, head_rules=negra()))
    assert written(tree) == " ".join(expected.split())
    assert all(node.head is not None for node in tree.nodes())


@pytest.mark.full
def test_defaults_leave_german_trees_as_they_are(potsdam):
    for tree in read_trees(str(potsdam)):
        before = copy.deepcopy(tree)
        assert transform(tree) == before
