"""Raising, splitting and merging: by hand, and on random trees and real ones."""

import copy

import pytest
from bracket import show
from crossing import crossing, written
from hypothesis import given
from quick import core
from strategies import trees

from plcfrs.errors import TreebankError
from plcfrs.transformation import Options, merge_nodes, raise_nodes, split_nodes, transform_all
from plcfrs.treebank import FORMATS, read_trees
from plcfrs.treebank.format import Chunk
from plcfrs.trees import Node, SecondaryEdge
from plcfrs.trees.heads import lexical_heads, mark_heads, negra

QUESTION = """(ROOT (SBARQ (SQ (VP (WHNP (WP 0=What)) (VB 4=do) (ADVP (RB 5=now))) (MD 1=should)
    (NP (DT 2=the) (NN 3=goat))) (. 6=?)))"""


def headed(text, rules=None):
    return mark_heads(crossing(text), rules)


def test_raising_keeps_the_part_with_the_head():
    assert written(raise_nodes(headed(QUESTION))) == (
        "(ROOT (SBARQ (SQ (WHNP (WP 0=What)) (MD 1=should) (NP (DT 2=the) (NN 3=goat))"
        " (VP (VB 4=do) (ADVP (RB 5=now)))) (. 6=?)))"
    )


def test_raising_goes_on_until_there_is_no_gap():
    # 0=Heu moves from the inner VP to the outer one, where it is not beside the head either.
    text = """(ROOT (S (VP (VP (NN 0=Heu) (VVPP 3=gekauft)) (VAINF 4=haben)) (VMFIN 1=kann)
        (PPER 2=sie)))"""
    assert written(raise_nodes(headed(text, negra()))) == (
        "(ROOT (S (NN 0=Heu) (VMFIN 1=kann) (PPER 2=sie)"
        " (VP (VP (VVPP 3=gekauft)) (VAINF 4=haben))))"
    )


def test_the_head_of_a_head_decides():
    # The S has two parts; its head, the VP, is in both, and the head of the VP in the second.
    text = "(ROOT (X (S (VP (NN 0=a) (VB 2=b)) (NN 3=c)) (NN 1=d)))"
    assert written(raise_nodes(headed(text))) == (
        "(ROOT (X (NN 0=a) (NN 1=d) (S (VP (VB 2=b)) (NN 3=c))))"
    )


def test_splitting():
    tree = split_nodes(headed(QUESTION))
    assert written(tree) == (
        "(ROOT (SBARQ (SQ (VP*1 (WHNP (WP 0=What))) (MD 1=should) (NP (DT 2=the) (NN 3=goat))"
        " (VP*2 (VB 4=do) (ADVP (RB 5=now)))) (. 6=?)))"
    )
    assert written(merge_nodes(tree)) == " ".join(QUESTION.split())


def test_parts_keep_all_labels():
    tree = headed("(ROOT (X (VP-TMP (NN 0=a) (VB 2=b)) (NN 1=c)))")
    tree.root.nodes[0].nodes[0].split = "HINF"
    assert show(split_nodes(tree)) == "(ROOT (X (VP*1^HINF-TMP 0=a) 1=c (VP*2^HINF-TMP 2=b)))"
    assert show(merge_nodes(tree)) == "(ROOT (X (VP^HINF-TMP 0=a 2=b) 1=c))"


def test_parts_of_parts_meet_again():
    text = "(ROOT (S (S (VP (NN 0=a) (VB 2=b)) (NN 4=c)) (X (NN 1=d) (NN 3=e))))"
    tree = split_nodes(headed(text))
    assert written(tree) == (
        "(ROOT (S (S*1 (VP*1 (NN 0=a))) (X*1 (NN 1=d)) (S*2 (VP*2 (VB 2=b))) (X*2 (NN 3=e))"
        " (S*3 (NN 4=c))))"
    )
    assert written(merge_nodes(tree)) == text


@core(
    1,
    ("text", "expected"),
    [
        (  # interleaved
            "(ROOT (S (VP (NN 0=a) (NN 2=b)) (VP (NN 1=c) (NN 3=d))))",
            "(ROOT (S (VP*1 (NN 0=a)) (VP*4 (NN 1=c)) (VP*2 (NN 2=b)) (VP*5 (NN 3=d))))",
        ),
        (  # one in a gap of the other
            "(ROOT (S (VP (NN 0=a) (NN 4=b)) (VP (NN 1=c) (NN 3=d)) (NN 2=e)))",
            "(ROOT (S (VP*1 (NN 0=a)) (VP*4 (NN 1=c)) (NN 2=e) (VP*5 (NN 3=d)) (VP*2 (NN 4=b))))",
        ),
        (  # with different labels, no confusion is possible
            "(ROOT (S (VP-A (NN 0=a) (NN 2=b)) (VP-B (NN 1=c) (NN 3=d))))",
            "(ROOT (S (VP*1-A (NN 0=a)) (VP*1-B (NN 1=c)) (VP*2-A (NN 2=b)) (VP*2-B (NN 3=d))))",
        ),
    ],
)
def test_sisters_of_one_category(text, expected):
    tree = split_nodes(headed(text))
    assert written(tree) == expected
    assert written(merge_nodes(tree)) == text


@core(
    1,
    ("text", "expected"),
    [
        (  # twice the same number: the part that comes first gets the next one
            "(ROOT (S (VP*1 (NN 0=a)) (VP*1 (NN 1=b)) (NN 2=c) (VP*2 (NN 3=d)) (VP*2 (NN 4=e))))",
            "(ROOT (S (VP (NN 0=a) (NN 3=d)) (VP (NN 1=b) (NN 4=e)) (NN 2=c)))",
        ),
        (  # one after the other
            "(ROOT (S (VP*1 (NN 0=a)) (VP*2 (NN 1=b)) (NN 2=c) (VP*1 (NN 3=d)) (VP*2 (NN 4=e))))",
            "(ROOT (S (VP (NN 0=a) (NN 1=b)) (NN 2=c) (VP (NN 3=d) (NN 4=e))))",
        ),
        (  # parts missing
            "(ROOT (S (VP*2 (NN 0=a)) (NN 1=b) (NP*1 (NN 2=c)) (VP*4 (NN 3=d))))",
            "(ROOT (S (VP (NN 0=a)) (NN 1=b) (NP (NN 2=c)) (VP (NN 3=d))))",
        ),
        (  # as other programs write it
            "(ROOT (S (VP* (NN 0=a)) (NN 1=b) (VP* (NN 2=c)) (NN 3=d) (VP* (NN 4=e))))",
            "(ROOT (S (VP (NN 0=a) (NN 2=c) (NN 4=e)) (NN 1=b) (NN 3=d)))",
        ),
        (
            "(ROOT (S (VP*0 (NN 0=a)) (NN 1=b) (VP*1 (NN 2=c))))",
            "(ROOT (S (VP (NN 0=a) (NN 2=c)) (NN 1=b)))",
        ),
    ],
)
def test_merging_what_a_parser_makes(text, expected):
    assert written(merge_nodes(crossing(text))) == expected


def test_secondary_edges_follow_the_merged_node():
    tree = crossing("(ROOT (S (VP*1 (NN 0=a)) (NN 1=b) (VP*2 (NN 2=c))))")
    sentence = tree.root.nodes[0]
    tree.secondary_edges.append(SecondaryEdge("OA", sentence.nodes[1], sentence))
    tree.secondary_edges.append(SecondaryEdge("SB", 1, sentence.nodes[1]))
    tree = merge_nodes(tree)
    [sentence] = tree.root.nodes
    [phrase] = sentence.nodes
    assert [(edge.child, edge.parent) for edge in tree.secondary_edges] == [
        (phrase, sentence),
        (1, phrase),
    ]


@core(1, "change", [raise_nodes, split_nodes])
def test_heads_must_be_marked(change):
    tree = crossing(QUESTION)
    tree.id = "goats:1"
    with pytest.raises(
        TreebankError, match=r"sentence goats:1: VP has no head: use plcfrs\.trees\.mark_heads"
    ):
        change(tree)


def test_split_twice():
    tree = split_nodes(headed(QUESTION))
    with pytest.raises(TreebankError, match=r"VP\*1 .*merge split nodes first"):
        split_nodes(tree)


def test_a_star_alone_is_a_category():
    text = "(ROOT (* (NN 0=a) (* (NN 1=b))))"
    assert written(merge_nodes(split_nodes(headed(text)))) == text


@given(trees().map(mark_heads))
def test_raised_trees(tree):
    """Every node keeps its label and, among its tokens, its head; there are no gaps."""
    heads, labels = lexical_heads(tree), {node: node.category for node in tree.nodes()}
    spans, tokens = tree.yields(), list(tree.tokens)
    raise_nodes.in_place(tree)
    assert tree.discontinuous_nodes() == []
    assert {node: node.category for node in tree.nodes()} == labels
    assert lexical_heads(tree) == heads
    assert all(span & ~spans[node] == 0 for node, span in tree.yields().items())
    assert tree.tokens == tokens


@given(trees().map(mark_heads))
def test_what_is_continuous_is_neither_raised_nor_split(tree):
    raised = raise_nodes(tree)
    assert raise_nodes(raised) == raised
    assert split_nodes(raised) == raised


@given(trees().map(mark_heads))
def test_split_trees(tree):
    before, heads = copy.deepcopy(tree), lexical_heads(tree)
    split_nodes.in_place(tree)
    assert tree.discontinuous_nodes() == []
    now = lexical_heads(tree)
    assert now.keys() == set(tree.nodes())
    assert all(now[node] == head for node, head in heads.items())
    assert merge_nodes(tree) == before


@given(trees().map(mark_heads))
def test_split_trees_in_files(tree):
    """Labels alone are enough, also after reading; there -LRB- is not a category with functions."""
    for node in tree.nodes():
        node.category = node.category.replace("-LRB-", "QP")
    before = copy.deepcopy(tree)
    brackets = FORMATS["brackets"]
    text = brackets.render(split_nodes(tree), 1)
    assert merge_nodes(brackets.parse(Chunk("a.mrg", 1, text, 1))) == before


@pytest.mark.full
def test_deep_trees():
    node = Node("S", children=[0, 2], head=0)
    for _ in range(2_000):
        node = Node("S", children=[node], head=0)
    tree = crossing("(ROOT (X (NN 0=a) (NN 2=b)) (NN 1=c))")
    tree.root.children[0], tree.root.head = node, 0
    assert split_nodes(tree).discontinuous_nodes() == []
    assert raise_nodes(tree).discontinuous_nodes() == []


def check_round_trip(original, rules):
    """Split and merge a tree, with its marks in fields and in a file of brackets."""
    brackets = FORMATS["brackets"]
    tree = split_nodes(original, rules)
    assert tree.discontinuous_nodes() == []
    reread = brackets.parse(Chunk("a.mrg", 1, brackets.render(tree, 1), 1))
    assert merge_nodes(tree) == original
    reread = merge_nodes(reread)
    reread.tokens = original.tokens  # brackets do not hold their edge labels
    assert reread == original
    assert raise_nodes(original).discontinuous_nodes() == []


@pytest.mark.full
def test_penn_treebank(penn_treebank):
    for tree in transform_all(penn_treebank):
        check_round_trip(tree, None)


@pytest.mark.full
@pytest.mark.parametrize("punctuation", ["leave", "low", "high", "remove"])
def test_potsdam(potsdam, punctuation):
    options = Options(
        head_rules=negra(),
        punctuation=punctuation,
        attach_low=punctuation != "leave",
        pair_marks=punctuation != "leave",
    )
    count = 0
    for tree in transform_all(read_trees(str(potsdam)), options):
        check_round_trip(tree, negra())
        count += 1
    assert count > 2000
