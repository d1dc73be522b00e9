"""Weights of experts: the gradient, and that they tell good experts from bad ones."""

from math import exp
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive.forests import derivations_of, forest_of, random_scores
from naive.refinements import cases
from naive.sums import log_sum

from plcfrs.grammar import rebuild, unbinarize
from plcfrs.parsers.combined.calibration import (
    Example,
    example_of,
    learn_weights,
    objective_of,
    scores_of_members,
)
from plcfrs.parsing.votes import Judgement, nearest, scores_of_edges
from plcfrs.trees import Token

EXPERTS = 3


@st.composite
def examples(draw):
    """Forests that several random experts judge, with random agreement."""
    case, random = draw(cases()), Random(draw(st.integers(0, 2**32)))
    forest = forest_of(case.refined.grammar, case.tags)
    judgements = [
        Judgement(
            random_scores(len(forest.edge_rule), random),
            random_scores(len(forest.label), random),
        )
        for _ in range(EXPERTS)
    ]
    scores = scores_of_members(forest, judgements)
    agreement = np.array([random.choice([-1.0, 0.0, 1.0]) for _ in forest.edge_rule])
    return judgements, Example(forest, scores, agreement)


WEIGHTS = st.lists(st.floats(-1, 2), min_size=2 * EXPERTS, max_size=2 * EXPERTS).map(np.array)


@given(examples())
def test_each_edge_is_without_gaps_or_with_gaps(drawn):
    judgements, (forest, scores, _) = drawn
    without, with_gap = np.split(scores, 2)
    assert not (without.any(axis=0) & with_gap.any(axis=0)).any()
    for number, judgement in enumerate(judgements):
        expected = np.maximum(scores_of_edges(forest, judgement), -20.0)
        assert without[number] + with_gap[number] == pytest.approx(expected)


@given(examples(), WEIGHTS)
def test_the_gradient_is_that_of_the_objective(drawn, weights):
    _, example = drawn
    _, gradient = objective_of([example], weights)
    for place in range(len(weights)):
        step = 1e-4 * np.eye(len(weights))[place]
        higher, lower = (objective_of([example], weights + sign * step)[0] for sign in (1, -1))
        assert (higher - lower) / 2e-4 == pytest.approx(gradient[place], rel=1e-3, abs=1e-3)


@given(examples(), WEIGHTS)
def test_the_objective_by_enumeration(drawn, weights):
    _, example = drawn
    forest, scores, agreement = example
    derivations = derivations_of(forest)
    summed = [weights @ scores[:, edges].sum(axis=1) for edges in derivations]
    total = log_sum(summed)
    expected = sum(
        exp(each - total) * agreement[edges].sum()
        for each, edges in zip(summed, derivations, strict=True)
    )
    penalty, _ = objective_of([], weights)
    found, _ = objective_of([example], weights)
    assert found == pytest.approx(expected + penalty, rel=1e-4, abs=1e-4)
    assert penalty <= 0


@given(st.lists(examples(), min_size=1, max_size=3))
def test_learning_raises_the_objective(drawn):
    found = [example for _, example in drawn]
    weights = learn_weights(found, EXPERTS)
    start = np.full(2 * EXPERTS, 1 / EXPERTS)
    assert objective_of(found, weights)[0] >= objective_of(found, start)[0]


@given(cases())
def test_who_knows_the_gold_tree_counts_more(case):
    forest = forest_of(case.refined.grammar, case.tags)
    pairs = zip(case.words, case.tags, strict=True)
    tokens = [Token(word, next(iter(tags)).category) for word, tags in pairs]
    gold = rebuild(unbinarize(case.derivations[0]), tokens)
    right = nearest(forest, gold)
    wrong = Judgement(right.edge_scores, -right.item_scores)
    scores = scores_of_members(forest, [right, wrong])
    weights = learn_weights([example_of(forest, scores, gold)], 2)
    assert weights[0] >= weights[1]
    assert weights[2] >= weights[3]
