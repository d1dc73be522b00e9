"""The training of span scorers: it learns, and it can be repeated and resumed."""

import numpy as np
import pytest
from random_networks import demo
from stored import reread

from plcfrs.chart import ChartParser
from plcfrs.forest.forests import grammar_of, jackknifed_forests
from plcfrs.forest.votes import LOG_RATIO
from plcfrs.grammar import tag
from plcfrs.parsers.spans.parts import parts_of
from plcfrs.parsers.spans.scorer import SpanSettings, forest_parts
from plcfrs.storage.stored_values import pack

pytest.importorskip("torch", reason="needs PyTorch: pip install 'plcfrs[neural]'")

from plcfrs.parsers.spans.training import SpanTrainer

SMALL = {
    "word_size": 16,
    "character_size": 8,
    "tag_size": 8,
    "recurrent_size": 24,
    "hidden_size": 48,
    "batch": 4,
    "threads": 1,
    "folds": 2,
}


IN_FULL = [
    pytest.param(settings, marks=pytest.mark.full)
    for settings in ({"gaps": "joint"}, {"tags": "own", "networks": 2})
]


def trees():
    return demo()[:24]


def training(**settings):
    return SpanTrainer(trees(), SpanSettings(**SMALL, **settings), {})


def loss_of(training, epoch):
    return training.run(epoch, lambda: None)["loss"]


def bytes_of(value):
    return {name: array.tobytes() for name, array in pack(value)[1].items()}


@pytest.mark.parametrize("settings", [{}, *IN_FULL])
def test_learns(settings):
    """Nearly all parts of the trees get positive scores, and nearly no others."""
    found = training(rate=0.02, dropout=0.0, **settings)
    losses = [loss_of(found, epoch) for epoch in range(1, 41)]
    assert losses[-1] < losses[0] / 5
    scorer, right = found.model().model.scorer, []
    parser = ChartParser(grammar_of(demo()))
    for tree in trees():
        gold = parts_of(tree, scorer.settings.gaps)
        candidates = [{tag(token.tag): 0.0} for token in tree.tokens]
        _, forest = parser.parse_with_forest(candidates, LOG_RATIO)
        scores = scorer.scores(tree.tokens, forest)
        for item, part in forest_parts(forest, scorer.settings.gaps):
            right.append((scores[item] > 0) == (part in gold))
    assert len(right) > 200
    assert np.mean(right) > 0.9


@pytest.mark.parametrize("settings", [{"networks": 2}, {"gaps": "joint"}])
def test_resume(settings, tmp_path):
    """The same seed gives the same scorer, with an interruption or without."""
    vectors = tmp_path / "vectors.txt"
    vectors.write_text("the 0 1 0\na 0 0 1\n", encoding="utf-8")
    settings = {**settings, "vectors": str(vectors)}
    whole = training(**settings)
    losses = [loss_of(whole, epoch) for epoch in (1, 2)]
    first = training(**settings)
    loss_of(first, 1)
    second = training(**settings)
    second.restore(reread(first.state))
    assert loss_of(second, 2) == losses[1]
    assert bytes_of(second.state) == bytes_of(whole.state)
    assert bytes_of(second.model().model.scorer) == bytes_of(whole.model().model.scorer)
    other = training(seed=2, **settings)
    loss_of(other, 1)
    assert bytes_of(other.state) != bytes_of(first.state)


def test_what_could_have_a_gap():
    """Parts of the trees, and parts that only a forest has."""
    trees, steps = demo()[:60], []
    found = SpanTrainer(trees, SpanSettings(**SMALL, gaps="joint"), {})
    number = found.run(0, lambda: steps.append(1))["possible gaps"]
    assert len(steps) == len(trees)
    gold = [
        {part.borders for part in parts_of(tree, "joint") if len(part.borders) == 4}
        for tree in trees
    ]
    judged = [
        set() if forest is None else {part.borders for _, part in forest_parts(forest, "joint")}
        for _, forest in sorted(jackknifed_forests(trees, 2), key=lambda pair: pair[0])
    ]
    both = [
        {each for each in borders if len(each) == 4} | of_tree
        for borders, of_tree in zip(judged, gold, strict=True)
    ]
    assert sum(map(len, gold)) < number == sum(map(len, both))
