"""The training of a network: it learns, and it can be repeated and resumed."""

import sys
from itertools import islice

import numpy as np
import pytest
from stored import REFUSED, reread

from plcfrs.errors import InputError
from plcfrs.neural.requirement import require_torch
from plcfrs.neural.settings import Settings
from plcfrs.neural.vectors import WordVectors
from plcfrs.storage.codec import pack
from plcfrs.transformation import Options, transform
from plcfrs.transition.sets.constituents import constituents_of
from plcfrs.transition.sets.slots import slots
from plcfrs.treebank import read_trees

pytest.importorskip("torch", reason="needs PyTorch: pip install 'plcfrs[neural]'")

from plcfrs.neural.training import Training

SMALL = {
    **{"word_size": 16, "character_size": 8, "tag_size": 8, "recurrent_size": 24},
    **{"hidden_size": 24, "batch": 4, "threads": 1},
}


def trees():
    """The first trees; five of them are discontinuous."""
    options = Options(splits=())
    return [transform(tree, options) for tree in islice(read_trees("plcfrs:demo"), 16)]


def clear_trees():
    """The trees whose constituents the network can tell apart: it sees four tokens of a set."""

    def is_clear(tree):
        sets = constituents_of(tree)
        return len(set(map(slots, sets))) == len(sets)

    return list(filter(is_clear, trees()))[:8]


def training(inputs=(), **settings):
    return Training(trees(), Settings(**SMALL, **settings), inputs)


def bytes_of(value):
    return {name: array.tobytes() for name, array in pack(value)[1].items()}


@pytest.mark.parametrize("tags", ["gold", pytest.param("predicted", marks=pytest.mark.full)])
def test_learns_a_treebank(tags):
    settings = Settings(tags=tags, rate=0.02, decay=1.0, dropout=0.0, **SMALL)
    found = Training(clear_trees(), settings)
    losses = [found.run_epoch().loss for _ in range(80)]
    assert losses[-1] < losses[0] / 5
    sentences = [tree.tokens for tree in clear_trees()]
    parses = [parse.tree for parse in found.parser().parse(sentences)]
    assert list(map(constituents_of, parses)) == list(map(constituents_of, clear_trees()))


@pytest.mark.parametrize(
    "settings",
    [
        {"oracle": "static"},
        {"oracle": "dynamic", "exploration": 0.5},
        {"oracle": "dynamic", "explored": "steps", "exploration": 0.9, "tags": "predicted"},
    ],
    ids=["static", "sentences", "steps"],
)
def test_resume(settings):
    """The same seed gives the same parser, with an interruption or without."""
    vectors = WordVectors(["the", "a"], np.eye(3, dtype=np.float32))
    whole = training([vectors], **settings)
    reports = [whole.run_epoch()._replace(seconds=0) for _ in range(3)]
    first = training([vectors], **settings)
    first.run_epoch()
    second = training([vectors], **settings)
    second.resume(reread(first.state))
    assert [second.run_epoch()._replace(seconds=0) for _ in range(2)] == reports[1:]
    assert second.state[:2] == whole.state[:2]
    assert bytes_of(second.state) == bytes_of(whole.state)
    assert bytes_of(second.parser()) == bytes_of(whole.parser())


def test_seed():
    found = []
    for seed in (1, 1, 2):
        one = training(seed=seed)
        one.run_epoch()
        found.append(bytes_of(one.parser()))
    assert found[0] == found[1] != found[2]


def test_damaged_states():
    found = training()
    found.run_epoch()
    state, name = found.state, "averages.shift"
    array = state.averages["shift"]
    fewer = dict.fromkeys(state.averages.keys() - {"shift"}, 0)
    for texts, arrays in (
        ({"averages": fewer}, {}),
        ({}, {name: array[1:]}),
        ({}, {name: array * np.float32("nan")}),
    ):
        with pytest.raises(ValueError, match="network"):
            training().resume(reread(state, texts, arrays))
    with pytest.raises(REFUSED):
        reread(state, {"epoch": None})


def test_steps():
    count = []
    training().run_epoch(lambda: count.append(1))
    assert len(count) == len(trees())


def test_without_torch(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(InputError, match=r"pip install 'plcfrs\[neural\]'"):
        require_torch()
