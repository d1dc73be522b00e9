"""Crossing arcs: counted, and avoided where that costs little."""

import numpy as np
import pytest
from dependency_scores import all_scores, all_trees
from hypothesis import given
from hypothesis import strategies as st
from naive import dependency as naive

from plcfrs.dependency.kernel.arrays import Parts
from plcfrs.dependency.kernel.crossing import avoid_crossing, count_crossing


def crossing(heads):
    """Count the arcs with a word between their ends that does not depend on their head."""
    return sum(
        any(
            head not in naive.ancestors(heads, between)
            for between in range(min(head, word) + 1, max(head, word))
        )
        for word, head in enumerate(heads)
        if head >= 0
    )


def avoided(heads, scores, penalty):
    """Attach one word anew, the best one first, as long as fewer arcs cross and the value rises."""

    def value(heads):
        return naive.score(heads, *scores) - penalty * crossing(heads)

    def changes(heads):
        for word in range(1, len(heads)):
            for head in range(1, len(heads)):
                changed = (*heads[:word], head, *heads[word + 1 :])
                if heads[word] == 0 or not naive.is_tree(changed):
                    continue
                is_better = value(changed) > value(heads) + 1e-9
                is_simpler = crossing(changed) < crossing(heads)
                if is_crossing(heads, word) and is_better and is_simpler:
                    yield changed

    while better := max(changes(heads), key=value, default=None):
        heads = better
    return heads


def is_crossing(heads, word):
    return not all(
        heads[word] in naive.ancestors(heads, between)
        for between in range(min(heads[word], word) + 1, max(heads[word], word))
    )


@given(all_scores(5), st.integers(0), st.sampled_from([0.0, 0.5, 10.0]))
def test_like_a_search_that_scores_all_anew(scores, choice, penalty):
    trees = [
        heads
        for heads in all_trees(len(scores.arcs) - 1)
        if np.isfinite(naive.score(heads, *scores))
    ]
    if not trees:
        return
    start = trees[choice % len(trees)]
    heads = np.array(start, np.int32)
    assert count_crossing(heads) == crossing(start)
    avoid_crossing(Parts(*scores), penalty, heads)
    found, expected = heads.tolist(), avoided(start, scores, penalty)
    assert naive.is_tree(found)
    assert crossing(found) == crossing(expected) or penalty < 10
    assert naive.score(found, *scores) - penalty * crossing(found) == pytest.approx(
        naive.score(expected, *scores) - penalty * crossing(expected), abs=1e-4
    )
