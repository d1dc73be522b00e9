"""Parsers with pretrained encoders: learned, saved, loaded by another process."""

import json
import subprocess
import sys

import numpy as np
import pytest
from demo_trees import demo_trees
from stored import reread
from tiny_bert import write_bert

from plcfrs.errors import InputError
from plcfrs.networks.inputs import further_vectors, read_encoders
from plcfrs.parsers.neural.settings import NeuralSettings
from plcfrs.settings import to_texts
from plcfrs.storage.model_file import ModelFile, load, save
from plcfrs.storage.stored_values import pack
from plcfrs.transformation import Options

SMALL = {
    "word_size": 8,
    "character_size": 4,
    "tag_size": 4,
    "recurrent_size": 8,
    "hidden_size": 8,
    "batch": 4,
    "threads": 1,
    "rate": 0.01,
}

# Parses as another process does, and tells whether it has imported PyTorch.
PARSE = """
import json, sys
from itertools import islice
from plcfrs.parsers.neural.network import NeuralNetwork
from plcfrs.settings import to_texts
from plcfrs.storage.stored_values import pack
from plcfrs.storage.model_file import load
from plcfrs.transformation import Options, transform
from plcfrs.treebank import read_trees
trees = [transform(tree, Options(splits=())) for tree in islice(read_trees("plcfrs:demo"), 16)]
network = load(sys.argv[1]).read("model", NeuralNetwork)
found = [each.derivations[0] for each in network.read([tree.tokens for tree in trees], 1)]
found = [[each.steps, each.log_probability] for each in found]
print(json.dumps(["torch" in sys.modules, found]))
"""


def trees():
    options = Options(splits=())
    return demo_trees(options)[:16]


def sentences():
    return [tree.tokens for tree in trees()]


@pytest.fixture(scope="module")
def bert(tmp_path_factory):
    pytest.importorskip("transformers", reason="needs pip install 'plcfrs[transformers]'")
    return str(write_bert(tmp_path_factory.mktemp("encoders") / "bert"))


def training(**settings):
    pytest.importorskip("torch", reason="needs PyTorch: pip install 'plcfrs[neural]'")
    from plcfrs.parsers.neural.training import new_trainer

    return new_trainer(trees(), NeuralSettings(heads="transitions", **SMALL, **settings), {})


def trained(epochs, **settings):
    found = training(**settings)
    for epoch in range(1, epochs + 1):
        found.run(epoch, lambda: None)
    return found


def network_of(training):
    return training.model().contents.network


def found_by(network):
    found = [each.derivations[0] for each in network.read(sentences(), 1)]
    return [[each.steps, each.log_probability] for each in found]


def found_by_another_process(path):
    command = [sys.executable, "-c", PARSE, path]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(result.stdout)


def saved(network, path):
    save(path, ModelFile.of("neural", model=network))
    return path


def bytes_of(value):
    return {name: array.tobytes() for name, array in pack(value)[1].items()}


def test_settings():
    assert "encoder" not in to_texts(NeuralSettings())
    for settings in (NeuralSettings(), NeuralSettings(encoder="c", encoder_layers=2)):
        assert reread(settings) == settings
    with pytest.raises(InputError, match="encoder-layers: there is no encoder"):
        NeuralSettings(encoder_layers=1)
    assert read_encoders(NeuralSettings()) == []


@pytest.mark.full
@pytest.mark.parametrize(("layers", "oracle"), [(0, "static"), (1, "dynamic")])
def test_encoder(bert, tmp_path, layers, oracle):
    settings = {"encoder": bert, "encoder_layers": layers, "encoder_rate": 0.001}
    network = network_of(trained(3, **settings, oracle=oracle, exploration=0.5))
    path = saved(network, tmp_path / "model")
    has_torch, found = found_by_another_process(path)
    assert has_torch
    assert [tree for tree, _ in found] == [tree for tree, _ in found_by(network)]
    np.testing.assert_allclose(
        *([score for _, score in each] for each in (found, found_by(network)))
    )
    stored = [name for name in load(path).arrays if name.startswith("inputs.0.weights.")]
    assert all(".layer.1." in name for name in stored)
    assert (len(stored) > 0) == bool(layers)


@pytest.mark.full
@pytest.mark.parametrize("layers", [0, 1])
def test_resume(bert, layers):
    settings = {"encoder": bert, "encoder_layers": layers}
    whole = trained(3, **settings)
    first, second = trained(1, **settings), training(**settings)
    second.restore(reread(first.state))
    for epoch in (2, 3):
        second.run(epoch, lambda: None)
    assert bytes_of(second.state) == bytes_of(whole.state)
    assert bytes_of(network_of(second)) == bytes_of(network_of(whole))


@pytest.mark.full
def test_half_precision(bert):
    """The weights are others, and the loss is about the same."""
    settings = {"encoder": bert, "encoder_layers": 2}
    full, half = training(**settings), training(**settings, half=True)
    losses = [each.run(1, lambda: None)["loss"] for each in (full, half)]
    assert losses[0] == pytest.approx(losses[1], rel=0.01)
    assert bytes_of(full.state) != bytes_of(half.state)


@pytest.mark.full
def test_a_parser_stays_as_it_is(bert):
    """What is learned later does not change it."""
    found = trained(1, encoder=bert, encoder_layers=2, encoder_rate=0.01)
    network = network_of(found)
    before = found_by(network)
    found.run(2, lambda: None)
    assert found_by(network) == before
    assert found_by(network_of(found)) != before


@pytest.mark.full
def test_frozen_vectors_are_kept(bert):
    """They differ from those in parsing by the precision with which they are kept."""
    from plcfrs.networks.learning import TrainingInputs

    inputs = read_encoders(NeuralSettings(encoder=bert))
    kept = TrainingInputs(inputs, sentences())
    some = sentences()[3:7]
    expected = further_vectors(inputs, some)
    np.testing.assert_allclose(kept.encode(some), expected, rtol=1e-3, atol=1e-3)
    assert kept.weights == {}
