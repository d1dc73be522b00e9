"""Binarization of trees: labels, the inverse, and probabilities."""

import random
from math import inf

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from quick import core
from strategies import trees

from plcfrs.grammar import (
    Markovization,
    annotate_ancestors,
    binarize,
    binarize_tree,
    derivation_of,
    extract,
    rebuild,
    unbinarize,
    unbinarize_tree,
)
from plcfrs.parsers.grammar.model import GrammarModel
from plcfrs.transformation import transform_all
from plcfrs.treebank import read_trees
from plcfrs.trees import Node, Token, Tree, parse_label, render_label
from plcfrs.trees.heads import mark_heads

ORDERS = ("head-outward", "head-outward-right", "left-to-right", "right-to-left")
SIZES = st.sampled_from([0, 1, 2, inf])
MARKOVIZATIONS = st.builds(
    Markovization, st.sampled_from(ORDERS), SIZES, st.sampled_from([1, 2, 3, inf])
)


def labels(tree):
    return [render_label(node) for node in tree.nodes()]


def flat(category, tags, head=None):
    node = Node(category, children=list(range(len(tags))), head=head)
    return Tree(Node("ROOT", children=[node]), [Token(tag.lower(), tag) for tag in tags])


@core(
    1,
    ("order", "horizontal", "expected"),
    [
        ("left-to-right", inf, ["@VP+A", "@VP+A+B", "@VP+A+B+C"]),
        ("left-to-right", 1, ["@VP+A", "@VP+B", "@VP+C"]),
        ("right-to-left", 2, ["@VP+E", "@VP+E+D", "@VP+D+C"]),
        # The head is B: first the children after it, from the right, then those before it, then B
        # alone.
        ("head-outward", inf, ["@VP+E", "@VP+E+D", "@VP+E+D+C"]),
        ("head-outward", 0, ["@VP", "@VP", "@VP"]),
        # First the children before the head, then those after it, from the right.
        ("head-outward-right", inf, ["@VP+A", "@VP+A+E:10", "@VP+A+E:10+D:10"]),
    ],
)
def test_intermediate_labels_remember_the_last_siblings(order, horizontal, expected):
    tree = binarize_tree(flat("VP", "ABCDE", head=1), Markovization(order, horizontal))
    assert labels(tree) == ["ROOT", "VP", *expected]


def test_a_tree_without_heads_gets_none():
    tree = flat("VP", "ABCD")
    restored = unbinarize_tree(binarize_tree(tree, Markovization("left-to-right")))
    assert [node.head for node in restored.nodes()] == [None, None]


def test_siblings_on_the_other_side_of_the_head_are_marked():
    tree = binarize_tree(flat("VP", "ABCD", head=2), Markovization("head-outward"))
    assert labels(tree)[2:] == ["@VP+D", "@VP+D+A:01"]
    assert [node.children[node.head] for node in tree.nodes()[1:3]] == tree.nodes()[2:4]
    assert tree.nodes()[3].children == [1, 2]
    assert tree.nodes()[3].head == 1


def test_a_discontinuous_sibling_shows_its_place():
    wide = Node("VP", children=[0, 3])
    tree = Tree(Node("ROOT", children=[wide, 1, 2]), [Token(tag, tag) for tag in "ABCD"])
    tree = binarize_tree(tree, Markovization("left-to-right"))
    assert labels(tree) == ["ROOT", "VP", "@ROOT+VP:010"]
    assert tree.yields()[tree.nodes()[2]] == 0b0110


def test_labels_remember_the_categories_above():
    tree = flat("NP", "ABC")
    tree.root.children = [Node("S", children=tree.root.children)]
    above = Markovization("left-to-right", 1, 2)
    assert labels(binarize_tree(tree, above)) == ["ROOT", "S>ROOT", "NP>S", "@NP>S+A"]
    everything = labels(binarize_tree(tree, Markovization("left-to-right", 0, inf)))
    assert everything == ["ROOT", "S>ROOT", "NP>S>ROOT", "@NP>S>ROOT"]


@given(trees(), MARKOVIZATIONS)
def test_every_order_has_an_inverse(tree, markovization):
    before = mark_heads(tree)
    tree = binarize_tree(before, markovization)
    assert max(len(node.children) for node in tree.nodes()) <= 2
    assert tree.gap_degree() >= before.gap_degree()
    printed = [parse_label(render_label(node)) for node in tree.nodes()]
    assert [(node.ancestors, node.intermediate, node.siblings) for node in printed] == [
        (node.ancestors, node.intermediate, node.siblings) for node in tree.nodes()
    ]
    derivation = derivation_of(tree)
    tree = unbinarize_tree(tree)
    assert tree == before
    assert [node.head for node in tree.nodes()] == [node.head for node in before.nodes()]
    rebuilt = rebuild(unbinarize(derivation), tree.tokens)
    for node in (*rebuilt.nodes(), *before.nodes()):
        node.ancestors = node.functions = ()
    assert rebuilt == before


@given(st.lists(trees(), min_size=1, max_size=5), st.sampled_from(ORDERS))
def test_unbounded_memory_keeps_the_probabilities(treebank, order):
    categories = {node.category for tree in treebank for node in tree.nodes()}
    assume(categories.isdisjoint(token.tag for tree in treebank for token in tree.tokens))
    treebank = list(map(mark_heads, treebank))
    costs = extract(treebank).costs()
    expected = [sum(costs[rule] for rule in derivation_of(tree).rules()) for tree in treebank]
    binarized = [binarize_tree(tree, Markovization(order)) for tree in treebank]
    costs = extract(binarized).costs()
    found = [sum(costs[rule] for rule in derivation_of(tree).rules()) for tree in binarized]
    assert found == pytest.approx(expected)


@pytest.mark.full
def test_all_trees_of_the_penn_treebank_come_back(penn_treebank):
    assert _all_come_back(list(transform_all(penn_treebank))) == 3914


@pytest.mark.full
def test_all_trees_of_the_potsdam_corpus_come_back(potsdam):
    assert _all_come_back(list(transform_all(read_trees(potsdam)))) > 2100


def _all_come_back(treebank):
    for order in ORDERS:
        for horizontal, vertical in ((0, 1), (1, 2), (inf, inf)):
            for tree in treebank:
                binarized = binarize_tree(tree, Markovization(order, horizontal, vertical))
                assert max(len(node.children) for node in binarized.nodes()) <= 2
                assert unbinarize_tree(binarized) == tree
    return len(treebank)


@pytest.mark.full
@pytest.mark.parametrize(("vertical", "training"), [(1, 3396), (inf, 300)])
def test_with_unbounded_memory_the_parses_of_the_deterministic_binarizer_are_found(
    penn_treebank, vertical, training
):
    treebank = list(transform_all(penn_treebank))
    short = [tree for tree in treebank[:training] if len(tree.tokens) <= 20]
    sentences = random.Random(4).sample(short, 100)
    treebank = [annotate_ancestors(tree, vertical) for tree in treebank]
    grammar = extract(treebank[:training])
    costs, deterministic = grammar.costs(), GrammarModel(binarize(grammar))
    expected = [deterministic.parse(tree) for tree in sentences]
    for order in ORDERS:
        binarized = [
            binarize_tree(tree, Markovization(order, inf, vertical)) for tree in treebank[:training]
        ]
        model = GrammarModel(extract(binarized))
        found = [model.parse(tree) for tree in sentences]
        assert [-parse.score for parse in found] == pytest.approx(
            [-parse.score for parse in expected], rel=1e-9
        )
        for parse in found:  # the same tree, or one with the same cost
            rules = parse.derivation.rules()
            assert sum(costs[rule] for rule in rules) == pytest.approx(-parse.score, rel=1e-9)
