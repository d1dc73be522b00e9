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
from quick import core

from plcfrs.forest.forests import forest_of_parses
from plcfrs.forest.votes import ForestScores, nearest, scores_of_edges
from plcfrs.grammar import rebuild, unbinarize
from plcfrs.parsers.combined.weights import (
    WeightExample,
    example_of,
    learn_weights,
    objective_of,
    same_kind,
    scores_of_members,
)
from plcfrs.trees import Token, Tree

EXPERTS = 3
SAME = same_kind(["gap", "refined", "gap"])


@st.composite
def examples(draw):
    """Forests that several random experts judge, with random agreement."""
    case, random = draw(cases()), Random(draw(st.integers(0, 2**32)))
    forest = forest_of(case.refined.grammar, case.tags)
    all_scores = [
        ForestScores(
            random_scores(len(forest.edge_rule), random),
            random_scores(len(forest.label), random),
        )
        for _ in range(EXPERTS)
    ]
    scores = scores_of_members(forest, all_scores)
    agreement = np.array([random.choice([-1.0, 0.0, 1.0]) for _ in forest.edge_rule])
    return all_scores, WeightExample(forest, scores, agreement)


WEIGHTS = st.lists(st.floats(-1, 2), min_size=2 * EXPERTS, max_size=2 * EXPERTS).map(np.array)


@given(examples())
def test_each_edge_is_without_gaps_or_with_gaps(drawn):
    all_scores, (forest, scores, _) = drawn
    without, with_gap = np.split(scores, 2)
    assert not (without.any(axis=0) & with_gap.any(axis=0)).any()
    for number, forest_scores in enumerate(all_scores):
        expected = np.maximum(scores_of_edges(forest, forest_scores), -20.0)
        assert without[number] + with_gap[number] == pytest.approx(expected)


@given(examples(), WEIGHTS)
def test_the_gradient_is_that_of_the_objective(drawn, weights):
    _, example = drawn
    _, gradient = objective_of([example], weights, SAME)
    for place in range(len(weights)):
        step = 1e-4 * np.eye(len(weights))[place]
        higher, lower = (
            objective_of([example], weights + sign * step, SAME)[0] for sign in (1, -1)
        )
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
    penalty, _ = objective_of([], weights, SAME)
    found, _ = objective_of([example], weights, SAME)
    assert found == pytest.approx(expected + penalty, rel=1e-4, abs=1e-4)
    assert penalty <= 0


@pytest.mark.full
@given(st.lists(examples(), min_size=1, max_size=3))
def test_learning_raises_the_objective(drawn):
    found = [example for _, example in drawn]
    weights = learn_weights(found, ["gap", "refined", "gap"])
    start = np.array([1 / 4, 1 / 2, 1 / 4] * 2)
    assert objective_of(found, weights, SAME)[0] >= objective_of(found, start, SAME)[0]


@pytest.mark.full
@given(st.lists(examples(), min_size=1, max_size=2), st.integers(2, 3))
def test_copies_of_a_member_share_its_weight(drawn, copies):
    alone = [example for _, example in drawn]
    rows = [0] * copies + [1, 2]
    twice = [
        each._replace(
            scores=each.scores.reshape(2, EXPERTS, -1)[:, rows].reshape(2 * len(rows), -1)
        )
        for each in alone
    ]
    one = learn_weights(alone, ["gap", "refined", "spans"]).reshape(2, -1)
    both = learn_weights(twice, copies * ["gap"] + ["refined", "spans"]).reshape(2, -1)
    assert both[:, :copies].sum(axis=1) == pytest.approx(one[:, 0], abs=1e-6)
    assert both[:, copies:] == pytest.approx(one[:, 1:], abs=1e-6)
    assert np.ptp(both[:, :copies]) <= np.ptp(one[:, 0]) + 1e-6


TREES = [
    Tree.from_string(text)
    for text in (
        "(R (S (A (X 0=a) (Y 1=b)) (B (X 2=c) (Z 3=d))))",
        "(R (S (A (X 0=a) (Y 1=b)) (X 2=c) (Z 3=d)))",
        "(R (S (X 0=a) (Y 1=b) (B (X 2=c) (Z 3=d))))",
    )
]


@pytest.mark.full
@core(1, "kinds", [["gap", "gap", "gap"], ["gap", "refined", "spans"]])
def test_the_more_often_a_member_is_right_the_more_it_counts(kinds):
    """One says the gold tree in nine of ten sentences, one in six; the last one guesses."""
    random = Random(1)
    _, forest = forest_of_parses(TREES)
    found = []
    for gold in 60 * TREES:
        said = [gold if random.random() < part else random.choice(TREES) for part in (0.9, 0.6, 0)]
        scores = scores_of_members(forest, [nearest(forest, tree) for tree in said])
        found.append(example_of(forest, scores, gold))
    best, good, random_one = learn_weights(found, kinds).reshape(2, -1)[0]
    assert best > good > random_one
    assert good + random_one < best  # so the others overrule the best one in no sentence


@given(cases())
def test_who_knows_the_gold_tree_counts_more(case):
    forest = forest_of(case.refined.grammar, case.tags)
    pairs = zip(case.words, case.tags, strict=True)
    tokens = [Token(word, next(iter(tags)).category) for word, tags in pairs]
    gold = rebuild(unbinarize(case.derivations[0]), tokens)
    right = nearest(forest, gold)
    wrong = ForestScores(right.edge_scores, -right.item_scores)
    scores = scores_of_members(forest, [right, wrong])
    weights = learn_weights([example_of(forest, scores, gold)], ["gap", "swap"])
    assert weights[0] >= weights[1]
    assert weights[2] >= weights[3]
