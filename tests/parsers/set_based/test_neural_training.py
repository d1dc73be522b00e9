"""The training of a network: it learns, and it can be repeated and resumed."""

import sys

import numpy as np
import pytest
from demo_trees import demo_trees
from stored import REFUSED, reread

from plcfrs.errors import InputError
from plcfrs.networks.encoding import NetworkSettings, require_torch
from plcfrs.parsers.set_based.configuration import constituents_of, slots
from plcfrs.parsers.set_based.network import Settings
from plcfrs.storage.stored_values import pack
from plcfrs.transformation import Options

pytest.importorskip("torch", reason="needs PyTorch: pip install 'plcfrs[neural]'")

from plcfrs.parsers.set_based.training import SetBasedTrainer

SMALL = {
    "word_size": 16,
    "character_size": 8,
    "tag_size": 8,
    "recurrent_size": 24,
    "hidden_size": 24,
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


def training(**settings):
    return SetBasedTrainer(trees(), Settings(**SMALL, **settings), {})


@pytest.fixture
def vectors(tmp_path):
    path = tmp_path / "vectors.txt"
    path.write_text("the 0 1 0\na 0 0 1\n", encoding="utf-8")
    return str(path)


def loss_of(training, epoch):
    return training.run(epoch, lambda: None)["loss"]


def bytes_of(value):
    return {name: array.tobytes() for name, array in pack(value)[1].items()}


@pytest.mark.parametrize("tags", ["given", pytest.param("own", marks=pytest.mark.full)])
def test_learns_a_treebank(tags):
    settings = Settings(tags=tags, rate=0.02, decay=1.0, dropout=0.0, **SMALL)
    found = SetBasedTrainer(clear_trees(), settings, {})
    losses = [loss_of(found, epoch) for epoch in range(1, 81)]
    assert losses[-1] < losses[0] / 5
    sentences = [tree.tokens for tree in clear_trees()]
    parses = [parse.tree for parse in found.model().parser.parse(sentences)]
    assert list(map(constituents_of, parses)) == list(map(constituents_of, clear_trees()))


@pytest.mark.parametrize(
    "settings",
    [
        {"oracle": "static"},
        {"oracle": "dynamic", "exploration": 0.5},
        {"oracle": "dynamic", "explored": "steps", "exploration": 0.9, "tags": "own"},
    ],
    ids=["static", "sentences", "steps"],
)
def test_resume(settings, vectors):
    """The same seed gives the same parser, with an interruption or without."""
    whole = training(vectors=vectors, **settings)
    losses = [loss_of(whole, epoch) for epoch in (1, 2, 3)]
    first = training(vectors=vectors, **settings)
    loss_of(first, 1)
    second = training(vectors=vectors, **settings)
    second.restore(reread(first.state))
    assert [loss_of(second, epoch) for epoch in (2, 3)] == losses[1:]
    assert second.state.steps == whole.state.steps
    assert bytes_of(second.state) == bytes_of(whole.state)
    assert bytes_of(second.model().parser) == bytes_of(whole.model().parser)


def test_seed():
    found = []
    for seed in (1, 1, 2):
        one = training(seed=seed)
        loss_of(one, 1)
        found.append(bytes_of(one.model().parser))
    assert found[0] == found[1] != found[2]


def test_damaged_states():
    found = training()
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
            training().restore(reread(state, texts, arrays))
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
