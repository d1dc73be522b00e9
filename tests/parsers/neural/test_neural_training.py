"""The training of a network: each head learns, and a training can be repeated and resumed."""

import sys

import numpy as np
import pytest
from demo_trees import demo_trees
from random_networks import demo
from stored import REFUSED, reread

from plcfrs.chart import ChartParser
from plcfrs.errors import InputError, TreebankError
from plcfrs.evaluation import score
from plcfrs.forest.forests import grammar_of
from plcfrs.forest.votes import LOG_RATIO, constituents_in
from plcfrs.grammar import tag
from plcfrs.networks import encoding as requirement
from plcfrs.networks.encoding import NetworkSettings, require_torch
from plcfrs.parsers.neural.configuration import constituents_of, slots, tree_of
from plcfrs.parsers.neural.heads import SpanPart, parts_of
from plcfrs.parsers.neural.settings import NeuralSettings
from plcfrs.parsing.registry import train
from plcfrs.parsing.sentence import Sentence
from plcfrs.storage.stored_values import pack
from plcfrs.transformation import Options

pytest.importorskip("torch", reason="needs PyTorch: pip install 'plcfrs[neural]'")

from plcfrs.parsers.neural.training import new_trainer

pytestmark = pytest.mark.full

SMALL = {
    "word_size": 16,
    "character_size": 8,
    "tag_size": 8,
    "recurrent_size": 24,
    "hidden_size": 24,
    "span_size": 32,
    "batch": 4,
    "threads": 1,
}


def trees():
    """The first trees; five of them are discontinuous."""
    options = Options(splits=())
    return demo_trees(options)[:16]


def clear_trees():
    """The trees whose constituents the network can tell apart: it sees four tokens of a set."""

    def is_clear(tree):
        sets = constituents_of(tree)
        return len(set(map(slots, sets))) == len(sets)

    return list(filter(is_clear, trees()))[:8]


def training(some=None, **settings):
    return new_trainer(some or trees(), NeuralSettings(**SMALL | settings), {})


def loss_of(training, epoch):
    return training.run(epoch, lambda: None)["loss"]


def bytes_of(value):
    return {name: array.tobytes() for name, array in pack(value)[1].items()}


@pytest.mark.parametrize("tags", ["given", pytest.param("own", marks=pytest.mark.full)])
def test_transitions_learn_a_treebank(tags):
    settings = {"tags": tags, "rate": 0.02, "decay": 1.0, "dropout": 0.0}
    found = training(clear_trees(), heads="transitions", **settings)
    losses = [loss_of(found, epoch) for epoch in range(1, 81)]
    assert losses[-1] < losses[0] / 5
    parses = [parse.tree for (parse,) in found.model().parse_together(clear_trees())]
    assert list(map(constituents_of, parses)) == list(map(constituents_of, clear_trees()))


@pytest.mark.parametrize("tags", ["given", pytest.param("own", marks=pytest.mark.full)])
def test_spans_learn(tags):
    """Nearly all parts of the trees get positive scores, and nearly no others."""
    some = demo()[:24]
    found = training(some, heads="spans", tags=tags, rate=0.02, dropout=0.0, span_size=48)
    losses = [loss_of(found, epoch) for epoch in range(1, 41)]
    assert losses[-1] < losses[0] / 5
    network, right = found.model().network, []
    parser = ChartParser(grammar_of(demo()))
    for tree in some:
        gold = parts_of(tree)
        candidates = [{tag(token.tag): 0.0} for token in tree.tokens]
        _, forest = parser.parse_with_forest(candidates, LOG_RATIO)
        groups = constituents_in(forest)
        (reading,) = network.read([tree.tokens], 1)
        for total, group in zip(network.scores(reading, groups), groups, strict=True):
            for constituent in group:
                parts = SpanPart.all_of(*constituent)
                right += [(total > 0) == (part in gold) for part in parts]
    assert len(right) > 200
    assert np.mean(right) > 0.9


def test_all_heads_learn():
    """On its training trees: tags and spans are right, and transitions alone give the trees."""
    some = demo()[:12]
    found = training(some, rate=0.02, dropout=0.0, hidden_size=32)
    losses = [loss_of(found, epoch) for epoch in range(1, 41)]
    assert losses[-1] < losses[0] / 5
    model = found.model()
    parses = [model.parse(tree.words()).tree for tree in some]
    assert score(some, parses).labelled.f1 > 85
    pairs = zip(_tokens(parses), _tokens(some), strict=True)
    assert np.mean([one.tag == other.tag for one, other in pairs]) > 0.8
    labels = model.network.vocabulary.labels
    readings = [model._reading(Sentence.of(tree)) for tree in some]
    alone = [
        tree_of(reading.derivations[0].named(labels), tree.tokens)
        for reading, tree in zip(readings, some, strict=True)
    ]
    assert score(some, alone).labelled.f1 > 70


def _tokens(trees):
    return [token for tree in trees for token in tree.tokens]


def test_damaged_states():
    found = training(heads="transitions")
    loss_of(found, 1)
    state, name = found.state, "averages.shift"
    array = state.averages["shift"]
    fewer = dict.fromkeys(state.averages.keys() - {"shift"}, 0)
    for texts, arrays in (
        ({"averages": fewer}, {}),
        ({}, {name: array[1:]}),
        ({}, {name: array * np.float32("nan")}),
    ):
        with pytest.raises(ValueError, match="network"):
            training(heads="transitions").restore(reread(state, texts, arrays))
    with pytest.raises(REFUSED):
        reread(state, {"steps": None})


def test_steps():
    count = []
    training().run(1, lambda: count.append(1))
    assert len(count) == len(trees())


def test_without_torch(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(InputError, match=r"pip install 'plcfrs\[neural\]'"):
        require_torch(NetworkSettings())
    with pytest.raises(InputError, match=r"bert needs .*pip install 'plcfrs\[transformers\]'"):
        require_torch(NetworkSettings(encoder="bert"))


def test_pytorch_is_needed_to_train(monkeypatch):
    monkeypatch.setattr(requirement, "find_spec", lambda _: None)
    with pytest.raises(InputError, match=r"pip install 'plcfrs\[neural\]'"):
        train("neural", demo())


def test_a_model_says_how_it_was_trained():
    some = demo()[:20]
    model = train("neural", some, NeuralSettings(**SMALL, epochs=1), development=some[:5])
    assert (model.about["epochs"], model.about["heads"]) == ("1", "both")
    with pytest.raises(TreebankError, match="no trees"):
        train("neural", [])
