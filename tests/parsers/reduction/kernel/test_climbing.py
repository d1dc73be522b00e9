"""Hill climbing against a search that scores all trees anew, and against all trees."""

import numpy as np
import pytest
from dependency_scores import (
    all_scores,
    all_trees,
    dirty_memory,
    new_heads,
    parts_of,
    projective_trees,
    random_scores,
)
from hypothesis import given
from hypothesis import strategies as st
from naive import dependency as naive
from quick import examples

from plcfrs.parsers.reduction.kernel.climbing import climb, fill_candidates, score_tree
from plcfrs.parsers.reduction.kernel.eisner import find_sibling_tree


def candidates_of(scores, most):
    candidates = np.full((len(scores.arcs) + 2, most), 10**6, np.int32)
    fill_candidates(scores.arcs, candidates)
    return candidates


def some_tree(scores, choice):
    """One of the trees, if they may have all of their arcs."""
    trees = [
        heads
        for heads in all_trees(len(scores.arcs) - 1)
        if naive.score(heads, scores.arcs) > -np.inf
    ]
    return trees[choice % len(trees)] if trees else None


@given(all_scores(5), st.integers(0))
def test_the_score_is_that_of_all_parts(scores, choice):
    trees = all_trees(len(scores.arcs) - 1)
    heads = np.array(trees[choice % len(trees)], np.int32)
    expected = naive.score(heads, *scores)
    assert score_tree(parts_of(scores), heads) == pytest.approx(expected, abs=1e-9)


def check(scores, choice, most):
    start = some_tree(scores, choice)
    if start is None:
        return
    heads, candidates = np.array(start, np.int32), candidates_of(scores, most)
    found = climb(parts_of(scores), candidates, dirty_memory().links, heads)
    allowed = [[head for head in row if head >= 0] for row in candidates[:-1].tolist()]
    assert heads.tolist() == naive.climb(start, scores, allowed)
    assert found == pytest.approx(naive.score(heads, *scores), abs=1e-9)
    assert found >= naive.score(start, *scores) - 1e-9


@examples(200)
@given(all_scores(6), st.integers(0), st.integers(1, 7))
def test_the_same_steps_as_with_all_parts_scored(scores, choice, most):
    check(scores, choice, most)


@given(all_scores(5), st.integers(1, 6))
def test_candidates_are_the_best_heads(scores, most):
    found = candidates_of(scores, most)[: len(scores.arcs)].tolist()
    assert found[0] == [-1] * most
    for word, row in enumerate(scores.arcs.T[1:].tolist(), 1):
        heads = sorted(range(len(row)), key=lambda head: -row[head])
        allowed = [head for head in heads if row[head] > -np.inf][:most]
        assert found[word] == allowed + [-1] * (most - len(allowed))


def test_the_root_gets_another_dependent():
    scores = random_scores(3, 1, size=0.0)
    scores.arcs[:] = -5.0
    for head, word in ((0, 3), (3, 2), (2, 1)):
        scores.arcs[head, word] = 5.0
    heads = np.array([-1, 0, 1, 2], np.int32)
    found = climb(parts_of(scores), candidates_of(scores, 4), dirty_memory().links, heads)
    assert (found, heads.tolist()) == (15.0, [-1, 2, 3, 0])


@pytest.mark.parametrize("heads", [[-1, 2, 1, 0], [-1, 0, 0, 1], [-1, 1, 1, 2], [-1, 7, -1, 0]])
def test_what_is_no_tree_is_left_alone(heads):
    scores, given = random_scores(3, 1), np.array(heads, np.int32)
    found = climb(parts_of(scores), candidates_of(scores, 4), dirty_memory().links, given)
    assert (found, given.tolist()) == (-np.inf, heads)


@pytest.mark.full
def test_the_best_tree_is_nearly_always_found():
    """From the best projective tree, where the scores favour the arcs of one tree."""
    found = 0
    for seed in range(200):
        scores, heads = random_scores(5, seed, size=0.25), new_heads(5)
        favoured = projective_trees(5)[seed % len(projective_trees(5))]
        scores.arcs[favoured[1:], range(1, 6)] += 3.0
        find_sibling_tree(scores.arcs, scores.siblings, dirty_memory().chart, heads)
        score = climb(parts_of(scores), candidates_of(scores, 5), dirty_memory().links, heads)
        found += score > naive.best(all_trees(5), *scores) - 1e-6
    assert found > 190
