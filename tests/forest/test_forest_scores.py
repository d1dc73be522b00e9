"""The best derivation and the sums of forests with random scores, against enumeration."""

from math import exp, inf
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive.forests import derivations_of, forest_of, random_scores
from naive.refinements import cases
from naive.sums import log_sum

from plcfrs.forest.scored_forest import best_derivation, derivation_of_edges
from plcfrs.forest.votes import ForestScores, score_sums, scores_of_edges


def close(expected):
    return pytest.approx(expected, rel=1e-9, abs=1e-12)


@st.composite
def scored(draw):
    """Forests, all their derivations, and scores of which some are forbidden."""
    case = draw(cases())
    forest = forest_of(case.refined.grammar, case.tags)
    random, forbidden = Random(draw(st.integers(0, 2**32))), draw(st.sampled_from([0, 0.1, 0.9]))
    forest_scores = ForestScores(
        random_scores(len(forest.edge_rule), random, forbidden),
        random_scores(len(forest.label), random, forbidden),
    )
    return case, forest, derivations_of(forest), forest_scores


def score_by_parts(forest, edges, forest_scores):
    """Return the score of a derivation: its edges and, separately, its items."""
    items = [
        item
        for item in range(len(forest.label))
        if any(forest.edge_start[item] <= edge < forest.edge_start[item + 1] for edge in edges)
    ]
    return sum(forest_scores.edge_scores[edges]) + sum(forest_scores.item_scores[items])


@given(scored())
def test_the_best_derivation(drawn):
    case, forest, derivations, forest_scores = drawn
    assert len(derivations) == len(case.derivations)
    scores = [score_by_parts(forest, edges, forest_scores) for edges in derivations]
    best = best_derivation(forest, scores_of_edges(forest, forest_scores))
    assert best.score == close(max(scores))
    found = sorted(best.edges[best.edges >= 0].tolist())
    assert score_by_parts(forest, found, forest_scores) == close(max(scores))
    assert found in [sorted(edges) for edges in derivations]
    assert derivation_of_edges(forest, best.edges) in case.derivations


@given(scored())
def test_sums_over_all_derivations(drawn):
    _, forest, derivations, forest_scores = drawn
    scores = [score_by_parts(forest, edges, forest_scores) for edges in derivations]
    total = log_sum(scores)
    sums = score_sums(forest, scores_of_edges(forest, forest_scores))
    assert sums.log_probability == close(total)
    expected = np.zeros(len(forest.edge_rule))
    for edges, score in zip(derivations, scores, strict=True):
        expected[edges] += exp(score - total) if total > -inf else 0.0
    assert sums.edge_posterior == close(expected)
    assert sums.posterior == close(np.add.reduceat(expected, forest.edge_start[:-1]))


@pytest.mark.full
@given(scored(), st.sampled_from([-1e4, 1e4]))
def test_high_scores_neither_overflow_nor_vanish(drawn, shift):
    """All derivations have the same tokens, and so the same number of scanned tags."""
    _, forest, _, forest_scores = drawn
    scores = scores_of_edges(forest, forest_scores)
    before = score_sums(forest, scores)
    after = score_sums(forest, np.where(forest.edge_rule < 0, scores + shift, scores))
    assert after.edge_posterior == pytest.approx(before.edge_posterior, abs=1e-6)
