"""Parsers with pretrained vectors and encoders: learned, saved, loaded by another process."""

import json
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from demo_trees import demo_trees
from stored import reread
from tiny_bert import write_bert

from plcfrs.errors import InputError
from plcfrs.networks.inputs import further_vectors, read_inputs
from plcfrs.parsers.set_based.network import Settings
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
from plcfrs.parsers.set_based.parser import SetParser
from plcfrs.settings import to_texts
from plcfrs.storage.stored_values import pack
from plcfrs.storage.model_file import load
from plcfrs.transformation import Options, transform
from plcfrs.treebank import read_trees
trees = [transform(tree, Options(splits=())) for tree in islice(read_trees("plcfrs:demo"), 16)]
parser = load(sys.argv[1]).read("model", SetParser)
parses = parser.parse([tree.tokens for tree in trees])
print(json.dumps(["torch" in sys.modules, [[str(each.tree), each.score] for each in parses]]))
"""


def trees():
    options = Options(splits=())
    return demo_trees(options)[:16]


def sentences():
    return [tree.tokens for tree in trees()]


@pytest.fixture
def vectors(tmp_path):
    """A file with vectors of half of the words, in lower case."""
    words = sorted({token.form.lower() for sentence in sentences() for token in sentence})[::2]
    numbers = random.Random(1)
    lines = [" ".join([word, *(f"{numbers.gauss(0, 1):.4f}" for _ in range(6))]) for word in words]
    path = tmp_path / "vectors.txt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


@pytest.fixture(scope="module")
def bert(tmp_path_factory):
    pytest.importorskip("transformers", reason="needs pip install 'plcfrs[transformers]'")
    return str(write_bert(tmp_path_factory.mktemp("encoders") / "bert"))


def training(**settings):
    pytest.importorskip("torch", reason="needs PyTorch: pip install 'plcfrs[neural]'")
    from plcfrs.parsers.set_based.training import SetBasedTrainer

    return SetBasedTrainer(trees(), Settings(**SMALL, **settings), {})


def trained(epochs, **settings):
    found = training(**settings)
    for epoch in range(1, epochs + 1):
        found.run(epoch, lambda: None)
    return found


def found_by(parser):
    return [[str(each.tree), each.score] for each in parser.parse(sentences())]


def found_by_another_process(path):
    command = [sys.executable, "-c", PARSE, path]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(result.stdout)


def saved(parser, path):
    save(path, ModelFile.of("set-based", model=parser))
    return path


def bytes_of(value):
    return {name: array.tobytes() for name, array in pack(value)[1].items()}


def test_settings():
    assert "vectors" not in to_texts(Settings())
    for settings in (Settings(), Settings(vectors="a b", encoder="c", encoder_layers=2)):
        assert reread(settings) == settings
    with pytest.raises(InputError, match="encoder-layers: there is no encoder"):
        Settings(encoder_layers=1)
    assert read_inputs(Settings(), sentences()) == []


@pytest.mark.full
def test_vectors(vectors, tmp_path):
    parser = trained(2, vectors=vectors).model().parser
    assert [each.size for each in parser.inputs] == [6]
    has_torch, found = found_by_another_process(saved(parser, tmp_path / "model"))
    assert not has_torch
    assert found == found_by(parser)
    (each,) = parser.inputs
    each.table[:] = 0
    assert found_by(parser) != found  # they were used


def test_words_in_the_file_alone(vectors):
    """A new word of a sentence has its vector."""
    with Path(vectors).open("a", encoding="utf-8") as file:
        file.write("zebra 1 2 3 4 5 6\n")
    (each,) = read_inputs(Settings(vectors=vectors), sentences())
    assert each.rows(["Zebra"])[0]


def test_damaged(vectors):
    parser = trained(1, vectors=vectors).model().parser
    (each,) = parser.inputs
    for changed in (
        {"inputs.0.table": each.table[:-1]},
        {"inputs.0.table": each.table[:, :-1]},
        {"inputs.0.words": np.uint8([255])},
    ):
        with pytest.raises(ValueError, match=r"do not fit|is damaged|can't decode"):
            reread(parser, arrays=changed)
    with pytest.raises(KeyError):
        reread(parser, arrays={"inputs.0.words": None})


@pytest.mark.full
@pytest.mark.parametrize(("layers", "oracle"), [(0, "static"), (1, "dynamic")])
def test_encoder(bert, tmp_path, layers, oracle):
    settings = {"encoder": bert, "encoder_layers": layers, "encoder_rate": 0.001}
    parser = trained(3, **settings, oracle=oracle, exploration=0.5).model().parser
    path = saved(parser, tmp_path / "model")
    has_torch, found = found_by_another_process(path)
    assert has_torch
    assert [tree for tree, _ in found] == [tree for tree, _ in found_by(parser)]
    np.testing.assert_allclose(
        *([score for _, score in each] for each in (found, found_by(parser)))
    )
    stored = [name for name in load(path).arrays if name.startswith("inputs.0.weights.")]
    assert all(".layer.1." in name for name in stored)
    assert (len(stored) > 0) == bool(layers)


@pytest.mark.full
@pytest.mark.parametrize("layers", [0, 1])
def test_resume(vectors, bert, layers):
    settings = {"vectors": vectors, "encoder": bert, "encoder_layers": layers}
    whole = trained(3, **settings)
    first, second = trained(1, **settings), training(**settings)
    second.restore(reread(first.state))
    for epoch in (2, 3):
        second.run(epoch, lambda: None)
    assert bytes_of(second.state) == bytes_of(whole.state)
    assert bytes_of(second.model().parser) == bytes_of(whole.model().parser)


@pytest.mark.full
def test_a_parser_stays_as_it_is(bert):
    """What is learned later does not change it."""
    found = trained(1, encoder=bert, encoder_layers=2, encoder_rate=0.01)
    parser = found.model().parser
    before = found_by(parser)
    found.run(2, lambda: None)
    assert found_by(parser) == before
    assert found_by(found.model().parser) != before


@pytest.mark.full
def test_frozen_vectors_are_kept(bert):
    """They differ from those in parsing by the precision with which they are kept."""
    from plcfrs.networks.learning import TrainingInputs

    inputs = read_inputs(Settings(encoder=bert), sentences())
    kept = TrainingInputs(inputs, sentences())
    some = sentences()[3:7]
    expected = further_vectors(inputs, some)
    np.testing.assert_allclose(kept.encode(some), expected, rtol=1e-3, atol=1e-3)
    assert kept.weights == {}
