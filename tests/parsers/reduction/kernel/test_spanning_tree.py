"""The best trees by the scores of arcs, against all trees."""

import networkx
import numpy as np
import pytest
from dependency_scores import all_scores, all_trees, dirty_memory, new_heads, random_scores
from hypothesis import given
from naive.dependency import best, is_tree, score
from quick import examples

from plcfrs.parsers.reduction.kernel.spanning_tree import find_spanning_tree


def find(scores, heads):
    return find_spanning_tree(scores.arcs, dirty_memory(len(heads)).contraction, heads)


def check(scores):
    words = len(scores.arcs) - 1
    heads = new_heads(words)
    found = find(scores, heads)
    assert found == pytest.approx(best(all_trees(words), scores.arcs), abs=1e-9)
    if found > -np.inf:
        assert heads[0] == -1
        assert is_tree(heads)
        assert score(heads, scores.arcs) == pytest.approx(found, abs=1e-9)


@examples(500)
@given(all_scores(5))
def test_no_tree_is_better(scores):
    check(scores)


def by_networkx(scores, first):
    """The score of the best tree with one of the words as the root's dependent."""
    graph = networkx.DiGraph()
    for head, word in zip(*np.nonzero(scores.arcs > -np.inf), strict=True):
        if head > 0 or word == first:
            graph.add_edge(head, word, weight=scores.arcs[head, word])
    try:
        tree = networkx.maximum_spanning_arborescence(graph, preserve_attrs=False)
    except networkx.NetworkXException:
        return -np.inf
    return tree.size("weight") if len(tree) == len(scores.arcs) else -np.inf


@pytest.mark.full
@pytest.mark.parametrize("seed", range(20))
def test_long_sentences(seed):
    """Cycles in cycles; each word in turn is the root's dependent."""
    words = 12
    scores = random_scores(words, seed, pruned=0.1 * (seed % 9), has_ties=seed % 2 > 0)
    heads = new_heads(words)
    found = find(scores, heads)
    best = max(by_networkx(scores, first) for first in range(1, words + 1))
    assert found == pytest.approx(best, abs=1e-9)


def test_there_may_be_no_tree():
    assert find(random_scores(0, 1), new_heads(0)) == -np.inf
    assert find(random_scores(4, 1, pruned=1.0), new_heads(4)) == -np.inf
    scores = random_scores(4, 1)
    scores.arcs[1:, 1:3] = -np.inf  # two words that can only depend on the root
    assert find(scores, new_heads(4)) == -np.inf


def test_ties():
    scores = random_scores(4, 1)
    scores.arcs[:] = 0.0
    heads = new_heads(4)
    assert find(scores, heads) == 0.0
    assert heads.tolist() == [-1, 0, 1, 1, 1]
