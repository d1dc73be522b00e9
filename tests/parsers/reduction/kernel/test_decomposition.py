"""Dual decomposition: its trees and bounds against the best of all trees."""

import numpy as np
import pytest
from dependency_scores import (
    all_scores,
    all_trees,
    dirty_memory,
    new_heads,
    parts_of,
    random_scores,
)
from hypothesis import given
from hypothesis import strategies as st
from naive import dependency as naive
from quick import examples

from plcfrs.parsers.reduction.kernel.climbing import score_tree
from plcfrs.parsers.reduction.kernel.decomposition import TOLERANCE, decompose


def bound_of(scores, steps, heads):
    memory = dirty_memory()
    return decompose(parts_of(scores), steps, memory.contraction, memory.relaxation, heads)


def check(scores, steps, choice):
    trees = all_trees(len(scores.arcs) - 1)
    heads = np.array(trees[choice % len(trees)], np.int32)
    before = naive.score(heads, *scores)
    best = naive.best(trees, *scores)
    bound = bound_of(scores, steps, heads)
    if best == -np.inf:
        assert bound == best
        return
    assert bound >= best - 1e-9
    assert naive.is_tree(heads)
    assert before - 1e-9 <= naive.score(heads, *scores) <= best + 1e-9


@examples(500)
@given(all_scores(5), st.integers(1, 100), st.integers(0))
def test_no_tree_is_better_than_the_bound(scores, steps, choice):
    check(scores, steps, choice)


@given(all_scores(4), st.integers(0))
def test_more_steps_never_raise_the_bound(scores, choice):
    trees = all_trees(len(scores.arcs) - 1)
    bounds = [
        bound_of(scores, steps, np.array(trees[choice % len(trees)], np.int32))
        for steps in (1, 2, 5, 10)
    ]
    assert bounds == sorted(bounds, reverse=True)


def test_arcs_alone_are_certified():
    """Nothing is relaxed then: once arcs are divided well, the bound is the best score."""
    scores, heads = random_scores(4, 3, size=0.0), new_heads(4)
    bound = bound_of(scores, 1000, heads)
    assert bound == pytest.approx(naive.best(all_trees(4), *scores), abs=TOLERANCE)
    assert naive.score(heads, *scores) == pytest.approx(bound, abs=TOLERANCE)


def test_there_may_be_no_tree():
    assert bound_of(random_scores(0, 1), 9, new_heads(0)) == -np.inf
    assert bound_of(random_scores(4, 1, pruned=1.0), 9, new_heads(4)) == -np.inf


@pytest.mark.full
def test_the_best_tree_is_nearly_always_found():
    """Without any tree to begin with; the second-order parts have a quarter of the scores."""
    certified = optimal = 0
    for seed in range(200):
        scores, heads = random_scores(5, seed, size=0.25), new_heads(5)
        bound = bound_of(scores, 200, heads)
        score = score_tree(parts_of(scores), heads)
        certified += bound <= score + TOLERANCE
        optimal += score > naive.best(all_trees(5), *scores) - 1e-6
    assert optimal >= 190
    assert certified >= 160
