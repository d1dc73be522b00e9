"""Propositions 1 to 3 of Fernández-González and Martins (2015), on any trees."""

from collections import Counter
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prepared import headed_trees, heads, prepared_trees, simplified
from reduction_strategies import ENCODINGS, nasty_trees, weakly_ordered

from plcfrs.transformation import (
    Options,
    from_dependencies,
    is_nested,
    is_projective,
    to_dependencies,
    transform_all,
    without_unaries,
)
from plcfrs.transformation.dependencies import parse_relation
from plcfrs.treebank import read_trees
from plcfrs.trees import mark_heads
from plcfrs.trees.heads import lexical_heads, negra

DROPPING = ("direct", "delta")


def comes_back(tree, encoding, unaries="dropped"):
    found = from_dependencies(to_dependencies(tree, encoding, unaries), encoding)
    return found == tree and heads(found) == heads(tree)


@given(nasty_trees(), st.sampled_from(ENCODINGS))
def test_all_trees_come_back_with_unary_nodes(tree, encoding):
    assert comes_back(tree, encoding, "labels")


@given(nasty_trees().map(without_unaries), st.sampled_from(DROPPING))
def test_trees_without_unary_nodes_come_back(tree, encoding):
    """Proposition 2."""
    assert comes_back(tree, encoding)


@pytest.mark.full
@given(nasty_trees(), st.sampled_from(DROPPING))
def test_unary_nodes_are_dropped(tree, encoding):
    dropped = to_dependencies(tree, encoding)
    assert dropped == to_dependencies(without_unaries(tree), encoding, "labels")


@given(prepared_trees())
def test_binary_trees_are_strictly_ordered(tree):
    """Proposition 1."""
    tree = without_unaries(tree)
    for node in tree.nodes():
        node.intermediate, node.chain = False, ()
    found = to_dependencies(tree)
    assert len(set(zip(found.heads, found.relations, strict=True))) == len(tree.tokens)
    assert comes_back(tree, "direct")


@given(weakly_ordered())
def test_dependencies_come_back(dependencies):
    """The other direction of proposition 2."""
    assert to_dependencies(from_dependencies(dependencies)) == dependencies


@given(weakly_ordered(), st.sampled_from(ENCODINGS))
def test_encodings_say_the_same(dependencies, encoding):
    tree = from_dependencies(dependencies)
    other = to_dependencies(tree, encoding)
    assert other.heads == dependencies.heads
    assert from_dependencies(other, encoding) == tree
    assert is_nested(other, encoding) == is_nested(dependencies)


@given(headed_trees())
def test_relations_are_what_the_paper_defines(tree):
    """A token has the label of the mother of the highest node that it heads, and its number."""
    tree = without_unaries(tree)
    found = to_dependencies(tree)
    assert [head == 0 for head in found.heads].count(True) == 1
    lexical = lexical_heads(tree)
    for node in tree.nodes():
        for child in node.children:
            token = child if isinstance(child, int) else lexical[child]
            if token == lexical[node]:
                continue
            spine = [one for one in tree.bottom_up() if lexical[one] == lexical[node]]
            expected = (node.category.replace("|", "\\|"), spine.index(node) + 1, "")
            assert found.heads[token] == lexical[node] + 1
            assert parse_relation(found.relations[token]) == expected


@given(headed_trees().map(without_unaries))
def test_labels_are_preserved_and_numbers_dense(tree):
    found = to_dependencies(tree)
    arcs = sorted(arc for arc in zip(found.heads, found.relations, strict=True) if arc[0])
    assert len(arcs) == len(tree.tokens) - 1
    events = {(head, *parse_relation(relation)[:2]) for head, relation in arcs}
    expected = Counter(
        node.category.replace("|", "\\|") for node in tree.nodes() if len(node.children) > 1
    )
    assert Counter(label for _, label, _ in events) == expected
    for _, group in groupby(sorted(events), key=lambda event: event[0]):
        numbers = sorted(number for _, _, number in group)
        assert numbers == list(range(1, len(numbers) + 1))


@given(headed_trees(), st.sampled_from(ENCODINGS))
def test_continuous_means_projective_and_nested(tree, encoding):
    """Proposition 3."""
    found = to_dependencies(tree, encoding)
    is_continuous = is_projective(found) and is_nested(found, encoding)
    assert is_continuous == (not tree.discontinuous_nodes())


@given(weakly_ordered())
def test_projective_means_that_all_between_depend(dependencies):
    above = dict(enumerate(dependencies.heads, start=1))

    def is_below(token, head):
        while token and token != head:
            token = above[token]
        return token == head

    expected = all(
        is_below(between, head)
        for token, head in above.items()
        if head
        for between in range(min(token, head), max(token, head))
    )
    assert is_projective(dependencies) == expected


@given(weakly_ordered())
def test_nested_orders_make_projective_dependencies_continuous(dependencies):
    tree = from_dependencies(dependencies, nested=True)
    if is_projective(dependencies) and not any("ROOT" in text for text in dependencies.relations):
        assert not tree.discontinuous_nodes()
    if is_nested(dependencies):
        assert tree == from_dependencies(dependencies)


@given(nasty_trees())
def test_unary_nodes_are_removed(tree):
    before = tree.copy()
    found = without_unaries(tree)
    assert tree == before
    assert all(len(node.children) > 1 for node in found.nodes()[1:])
    branching = [node for node in tree.nodes() if len(node.children) > 1]
    kept = [node for node in found.nodes() if len(node.children) > 1]
    assert [node.label for node in kept] == [node.label for node in branching]
    assert [node.head for node in kept] == [node.head for node in branching]


@pytest.mark.full
def test_all_trees_of_the_penn_treebank_come_back(penn_treebank):
    assert count(transform_all(penn_treebank, Options(splits=()))) == 3914


@pytest.mark.full
def test_all_trees_of_the_potsdam_corpus_come_back(potsdam):
    trees = transform_all(read_trees(potsdam))
    assert count(mark_heads(tree, negra()) for tree in trees) > 2100


def count(trees):
    """Return how many trees there are; all come back in all encodings."""
    trees = list(map(simplified, trees))
    for tree in trees:
        assert all(comes_back(tree, encoding, "labels") for encoding in ENCODINGS)
        unaryless = without_unaries(tree)
        assert all(comes_back(unaryless, encoding) for encoding in DROPPING)
    return len(trees)
