"""Derivatives against differences and enumeration, and what training does."""

from math import exp
from random import Random

import numpy as np
import pytest
from demo_trees import demo_trees
from hypothesis import given
from hypothesis import strategies as st
from naive.forests import derivations_of, forest_of, random_scores
from naive.refinements import cases
from naive.sums import log_sum

from plcfrs.forest.forests import grammar_of
from plcfrs.forest.votes import scores_of_edges
from plcfrs.grammar import tag
from plcfrs.parsers.features import training as module
from plcfrs.parsers.features.atoms import ForestFeatures, SymbolNumbers, WordNumbers
from plcfrs.parsers.features.kernel import add_counts
from plcfrs.parsers.features.model import FeatureSettings
from plcfrs.parsers.features.training import FeatureTrainer, counted, derivative_of

PLACES = 50
STEP = 1e-2


@given(cases(), st.integers(0, 2**32))
def test_counts_against_enumeration(case, seed):
    random = Random(seed)
    forest = forest_of(case.refined.grammar, case.tags)
    derivations = derivations_of(forest)
    target = random.choice(derivations)
    scores = random_scores(len(forest.edge_rule), random)
    total = log_sum([sum(scores[edges]) for edges in derivations])
    by_edge = np.zeros(len(scores))
    for edges in derivations:
        by_edge[edges] -= exp(sum(scores[edges]) - total)
    by_edge[target] += 1
    found = derivative_of(forest, np.array(target), scores)
    assert found.log_probability == pytest.approx(sum(scores[target]) - total, abs=1e-9)
    assert found.by_edge == pytest.approx(by_edge, abs=1e-9)
    by_item = np.add.reduceat(by_edge, forest.edge_start[:-1])
    assert found.by_item == pytest.approx(by_item, abs=1e-9)


@pytest.fixture(scope="module")
def trees():
    return demo_trees()[:60]


def test_derivatives_by_weights_against_differences(trees):
    words = [token.form for token in trees[0].tokens]
    candidates = [{tag(token.tag): 0.0, tag("NN"): 1.0} for token in trees[0].tokens]
    forest = forest_of(grammar_of(trees), candidates)
    target = np.array(Random(1).choice(derivations_of(forest)))
    symbols = SymbolNumbers().of(forest.compiled)
    features = ForestFeatures.of(forest, symbols, WordNumbers.of(forest, words), PLACES)
    values = np.random.default_rng(1).normal(0, 0.1, PLACES).astype(np.float32)

    def derivative(values):
        scores = scores_of_edges(forest, features.judge(forest, values))
        return derivative_of(forest, target, scores)

    changes = np.zeros(PLACES, np.float32)
    for places, counts in counted(features, derivative(values)):
        add_counts(places, counts, changes)
    assert np.abs(changes).max() > 0.1
    for place in range(PLACES):
        step = np.zeros(PLACES, np.float32)
        step[place] = STEP
        above, below = derivative(values + step), derivative(values - step)
        difference = (above.log_probability - below.log_probability) / (2 * STEP)
        assert changes[place] == pytest.approx(difference, abs=1e-2)


@pytest.mark.full
def test_targets_get_more_probable(trees, monkeypatch):
    monkeypatch.setattr(module, "PLACES", 1 << 16)
    training = FeatureTrainer(trees, FeatureSettings(folds=3), {})
    steps = []
    learned = training.run(0, lambda: steps.append(1))["forests"]
    assert 0 < learned <= len(steps) == len(trees)
    means = [mean_of(training, epoch) for epoch in range(1, 5)]
    assert all(mean > 0.1 * means[0] for mean in means[1:])
    assert mean_of(FeatureTrainer(trees, FeatureSettings(folds=3), {})) == means[0]
    assert mean_of(FeatureTrainer(trees, FeatureSettings(folds=3, seed=2), {})) != means[0]


def test_a_single_tree_teaches_nothing(trees, monkeypatch):
    monkeypatch.setattr(module, "PLACES", 1 << 10)
    training = FeatureTrainer(trees[:1], FeatureSettings(), {})
    assert training.run(0, lambda: None) == {"forests": 0}
    assert mean_of(training) == 0.0
    assert not training.model().model.weights.any()


def mean_of(training, epoch=1):
    return training.run(epoch, lambda: None)["log likelihood per sentence"]
