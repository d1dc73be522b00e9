"""From sentences to trees by the head of spans alone."""

from math import exp

import numpy as np
import pytest
from random_networks import demo, random_span_model

from plcfrs.forest.votes import constituents_in
from plcfrs.parsing.registry import load_model, train
from plcfrs.parsing.sentence import Sentence

WORDS = [("What", "WP"), ("should", "MD"), ("we", "PRP"), ("do", "VB"), ("?", ".")]


@pytest.fixture(scope="module")
def model():
    return random_span_model()


def test_scores_and_posteriors_are_probabilities(model):
    for tree in demo()[:20]:
        parse = model.parse(tree, explained=True)
        assert (parse.status, parse.tree.tokens) == ("parsed", tree.tokens)
        assert 0 < exp(parse.score) <= 1
        for step in parse.explanation.rows:
            assert exp(parse.score) - 1e-9 <= exp(step.score) <= 1 + 1e-9


def test_saved_and_loaded(model, tmp_path):
    model.save(tmp_path / "demo.neural")
    loaded = load_model(tmp_path / "demo.neural", fallback="flat")
    assert loaded.fallback == "flat"
    assert loaded.parse(WORDS) == model.parse(WORDS)


@pytest.mark.full
def test_a_member_of_a_combined_parser(model, tmp_path):
    """It says the same of the forest of another grammar, and can make forests itself."""
    trees = demo()
    model.save(tmp_path / "ends.neural")
    train("grammar", trees).save(tmp_path / "plain.plcfrs")
    for names in (("plain.plcfrs", "ends.neural"), ("ends.neural", "plain.plcfrs")):
        members = tuple(str(tmp_path / name) for name in names)
        combined = train("combined", trees[:20], members=members)
        assert combined.members.names == list(names)
        assert combined.parse(trees[30]).status == "parsed"
        sentence = Sentence.of(trees[30])
        _, forest = combined.parse_with_forest(combined.tags_of(sentence))
        (judge,) = model.judges.values()
        forest_scores = judge(sentence, forest)
        assert not forest_scores.edge_scores.any()
        scores = model.network.scores(model._reading(sentence), constituents_in(forest))
        assert np.array_equal(forest_scores.item_scores, scores)
