"""From sentences to trees with span features."""

from dataclasses import replace
from math import exp

import numpy as np
import pytest
from demo_trees import demo_trees
from quick import core

from plcfrs.errors import GrammarError
from plcfrs.evaluation import score
from plcfrs.grammar import unbinarize
from plcfrs.parsers.features.model import FeatureModel
from plcfrs.parsers.grammar.model import GrammarModel
from plcfrs.parsing.registry import load_model
from plcfrs.storage.model_file import load, save

WORDS = [("What", "WP"), ("should", "MD"), ("we", "PRP"), ("do", "VB"), ("?", ".")]


@pytest.fixture(scope="module")
def trees():
    return demo_trees()[:70]


@pytest.fixture(scope="module")
def model(trained):
    return load_model(trained("features", 70))


def test_trees_of_the_training_data(model, trees):
    parses = [model.parse(tree) for tree in trees]
    assert {parse.status for parse in parses} == {"parsed"}
    assert [parse.tree.tokens for parse in parses] == [tree.tokens for tree in trees]
    assert [parse.tree.id for parse in parses] == [tree.id for tree in trees]
    rules = {rule for parse in parses for rule in parse.derivation.rules()}
    assert {rule.lhs.kind for rule in rules} == {"category"}
    plain = GrammarModel.train(trees)
    plain_parses = [plain.parse(tree).tree for tree in trees]
    found = score(trees, [parse.tree for parse in parses]).labelled.f1
    assert found > score(trees, plain_parses).labelled.f1


@pytest.mark.full
def test_without_weights_the_most_probable_derivation_is_the_best(model, trees):
    zeros = replace(model.model, weights=np.zeros(1, np.float32))
    bare, plain = FeatureModel(zeros), GrammarModel(model.grammar)
    for tree in trees[:20]:
        best = plain.parse(tree)
        parse = bare.parse(tree)
        assert parse.derivation == unbinarize(best.derivation)
        assert exp(parse.score) <= 1


def test_scores_and_posteriors_are_probabilities(model, trees):
    for tree in trees[:20]:
        parse = model.parse(tree, explained=True)
        assert 0 < exp(parse.score) <= 1
        for step in parse.explanation.rows:
            assert exp(parse.score) - 1e-9 <= exp(step.score) <= 1 + 1e-9
    lines = model.explain(WORDS).lines()
    assert lines[2].startswith("posterior  at ")


@core(
    1,
    "changes",
    [
        {"weights": np.zeros(0, np.float32)},
        {"weights": np.zeros(4)},
        {"weights": np.zeros((2, 2), np.float32)},
        {"weights": np.full(4, np.nan, np.float32)},
        {"grammar": np.zeros(4, np.uint8)},
        {"shares": np.zeros(4)},
    ],
    ids=["none", "wide", "square", "nan", "grammar", "shares"],
)
def test_a_damaged_file(model, tmp_path, changes):
    path = tmp_path / "demo.features"
    small = FeatureModel(replace(model.model, weights=model.model.weights[:4]))
    small.save(path)
    contents = load(path)
    save(path, contents._replace(arrays={**contents.arrays, **changes}))
    with pytest.raises(GrammarError, match=rf"^{path}: [^\n]+$"):
        load_model(path)
