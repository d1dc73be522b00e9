"""The best projective trees, against all projective trees."""

import numpy as np
import pytest
from dependency_scores import all_scores, dirty_memory, new_heads, projective_trees, random_scores
from hypothesis import given
from naive.dependency import best, is_projective, is_tree, score
from quick import examples

from plcfrs.parsers.reduction.kernel.eisner import find_sibling_tree


def find(scores, heads):
    return find_sibling_tree(scores.arcs, scores.siblings, dirty_memory().chart, heads)


def check(scores):
    words = len(scores.arcs) - 1
    heads = new_heads(words)
    found = find(scores, heads)
    known = scores[:2]
    assert found == pytest.approx(best(projective_trees(words), *known), abs=1e-9)
    if found > -np.inf:
        assert heads[0] == -1
        assert is_tree(heads)
        assert is_projective(heads)
        assert score(heads, *known) == pytest.approx(found, abs=1e-9)


@examples(500)
@given(scores=all_scores(6))
def test_no_projective_tree_is_better(scores):
    check(scores)


def test_there_may_be_no_tree():
    assert find(random_scores(0, 1), new_heads(0)) == -np.inf
    assert find(random_scores(4, 1, pruned=1.0), new_heads(4)) == -np.inf
    scores = random_scores(4, 1)
    scores.arcs[0] = -np.inf
    assert find(scores, new_heads(4)) == -np.inf


def test_ties():
    """The first words win: the first one is the root's dependent, and the others depend on it."""
    scores = random_scores(4, 1)
    for each in scores:
        each[:] = 0.0
    heads = new_heads(4)
    assert find(scores, heads) == 0.0
    assert heads.tolist() == [-1, 0, 1, 2, 3]
