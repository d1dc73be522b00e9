"""The search that knows what crossing arcs score, against one that scores all trees anew."""

import numpy as np
import pytest
from dependency_scores import all_scores, all_trees, parts_of
from hypothesis import given
from hypothesis import strategies as st
from naive import dependency as naive

from plcfrs.parsers.reduction.kernel.climbing import reattach, score_crossing, score_with_crossing


def score(heads, scores, crossing):
    return naive.score(heads, *scores) + sum(
        float(crossing[each]) for each in naive.crossing(heads)
    )


def reattached(heads, scores, crossing):
    """Attach one word anew, with the best change first, as long as the score rises."""

    def changes(heads):
        for word in range(1, len(heads)):
            for head in range(1, len(heads)):
                changed = (*heads[:word], head, *heads[word + 1 :])
                if heads[word] > 0 and naive.is_tree(changed):
                    yield changed

    def score_of(heads):
        return score(heads, scores, crossing)

    while score_of(better := max(changes(heads), key=score_of, default=heads)) > (
        score_of(heads) + 1e-9
    ):
        heads = better
    return heads


@st.composite
def trees_to_improve(draw):
    """Scores, those of crossing arcs, and a tree to begin with."""
    scores = draw(all_scores(5))
    size, seed = draw(st.sampled_from([0.0, 0.5, 5.0])), draw(st.integers(0, 10**6))
    crossing = size * np.random.default_rng(seed).normal(size=scores.siblings.shape)
    trees = [
        heads
        for heads in all_trees(len(scores.arcs) - 1)
        if np.isfinite(naive.score(heads, *scores))
    ]
    start = trees[seed % len(trees)] if trees else None
    return scores, crossing.astype(np.float32), start


@given(trees_to_improve())
def test_like_a_search_that_scores_all_anew(case):
    scores, crossing, start = case
    if start is None:
        return
    parts, heads = parts_of(scores, crossing), np.array(start, np.int32)
    before = score(start, scores, crossing)
    assert score_with_crossing(parts, heads) == pytest.approx(before, abs=1e-4)
    found = reattach(parts, heads)
    assert naive.is_tree(heads.tolist())
    assert found == pytest.approx(score(heads.tolist(), scores, crossing), abs=1e-4)
    assert found == pytest.approx(
        score(reattached(start, scores, crossing), scores, crossing), abs=1e-4
    )


@given(trees_to_improve())
def test_arcs_that_cross_none_score_nothing(case):
    scores, crossing, start = case
    if start is None:
        return
    parts, heads = parts_of(scores, crossing), np.array(start, np.int32)
    expected = {each[-1]: crossing[each] for each in naive.crossing(start)}
    for word in range(1, len(start)):
        assert score_crossing(parts, heads, word) == expected.get(word, 0)
