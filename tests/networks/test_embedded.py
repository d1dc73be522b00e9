"""Encoders inside a model file, which equal the same encoders run by PyTorch."""

import json
import pickle
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from demo_trees import demo_trees
from stored import REFUSED, reread
from tiny_bert import write_bert

from plcfrs.errors import GrammarError, InputError
from plcfrs.learning.runner import Runner
from plcfrs.networks.embedded import EmbeddedEncoder
from plcfrs.networks.pretrained import PretrainedEncoder
from plcfrs.parsing.registry import find_family, load_model, train
from plcfrs.storage.model_file import ModelFile, opened, save
from plcfrs.transformation import Options

pytestmark = pytest.mark.full  # transformers takes seconds to import

WORDS = [chr(ord("a") + number % 26) for number in range(300)]
SENTENCES = [
    ["the", "cat", "is", "sleeping", "-LRB-"],
    ["The"],
    WORDS,
    ["the", "", "\u200b", "sling"],
    ["\u4e2d\u6587", "\N{GRINNING FACE}", "caf\u00e9"],
    ["\u200b"],
    WORDS[:62],
    WORDS[:63],
    ["a" * 99, "[SEP]", "b"],
    ["the", "end"],
]

SMALL = {
    "word_size": 8,
    "character_size": 4,
    "recurrent_size": 8,
    "hidden_size": 8,
    "batch": 4,
    "threads": 1,
    "epochs": 1,
    "tags": "own",
}

# Parses where neither PyTorch nor transformers can be imported.
ALONE = """
import json, sys
sys.modules |= dict.fromkeys(["torch", "transformers"])
from plcfrs import load_model
parse = load_model(sys.argv[1]).parse(sys.argv[2])
print(json.dumps([str(parse.tree), parse.score]))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    pytest.importorskip("transformers", reason="needs pip install 'plcfrs[transformers]'")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_HUB_OFFLINE", "1")
        yield tmp_path_factory.mktemp("encoders")


@pytest.fixture(scope="module")
def bert(folder):
    # Its matrices are large enough to be rounded.
    sizes = {"hidden_size": 64, "intermediate_size": 64, "num_hidden_layers": 5}
    return PretrainedEncoder(str(write_bert(folder / "bert", **sizes)), unfrozen=1)


def parse_alone(path, text):
    command = [sys.executable, "-c", ALONE, str(path), text]
    return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)


def test_equals_pytorch(bert):
    embedded = bert.embedded()
    expected = bert.encode(SENTENCES)
    np.testing.assert_allclose(embedded.encode(SENTENCES), expected, atol=1e-4)
    many = SENTENCES * 7  # more than are encoded at once
    np.testing.assert_allclose(embedded.encode(many), np.vstack([expected] * 7), atol=1e-4)
    alone = np.vstack([embedded.encode([sentence]) for sentence in SENTENCES])
    np.testing.assert_allclose(alone, expected, atol=1e-4)
    assert embedded.encode([]).shape == (0, 64)
    assert embedded.encode([["\u200b"]]).tolist() == [[0] * 64]
    assert embedded.name == "bert"


def test_fewer_layers_and_trained_ones(folder):
    encoder = PretrainedEncoder(str(write_bert(folder / "two", num_attention_heads=4)), unfrozen=1)
    changed = encoder.with_weights(
        {name: weight.detach().numpy() * 2 for name, weight in encoder.weights.items()}
    )
    for each in (encoder, changed):
        expected = each.encode(SENTENCES)
        np.testing.assert_allclose(each.embedded().encode(SENTENCES), expected, atol=1e-4)


def test_stored(bert):
    embedded = bert.embedded()
    expected = embedded.encode(SENTENCES)
    for encoder, bits in ((embedded, 32), (embedded.quantized(8), 8), (embedded.quantized(6), 6)):
        assert encoder.title == f"encoder in this file: bert, 64 units, {bits} bits"
        found = encoder.encode(SENTENCES)
        assert np.array_equal(reread(encoder).encode(SENTENCES), found)
        assert np.array_equal(pickle.loads(pickle.dumps(encoder)).encode(SENTENCES), found)
        np.testing.assert_allclose(found, expected, atol=0.2)


def test_damaged(bert):
    embedded = bert.embedded()
    words, query = (
        "embeddings.word_embeddings.weight",
        "encoder.layer.0.attention.self.query.weight",
    )
    for texts in ({"heads": 3}, {"heads": 0}, {"longest": 65}, {"longest": 2}, {"epsilon": -1.0}):
        with pytest.raises(REFUSED):
            reread(embedded, texts)
    for name, array in (
        (words, embedded.weights[words][:-1]),
        (words, np.full_like(embedded.weights[words], np.nan)),
        (query, np.zeros((64, 63), np.float32)),
        (query, None),
        ("encoder.layer.4.intermediate.dense.bias", None),
    ):
        with pytest.raises(REFUSED):
            reread(embedded, arrays={f"weights.{name}": array})


def test_damaged_tokenizer(bert, tmp_path):
    stored = ModelFile.of("neural", model=bert.embedded())
    save(tmp_path / "model", stored._replace(arrays={**stored.arrays, "tokenizer": np.uint8([1])}))
    with pytest.raises(GrammarError, match="damaged"), opened(tmp_path / "model") as file:
        file.read("model", EmbeddedEncoder)


def test_other_architectures(folder):
    other = PretrainedEncoder(str(write_bert(folder / "relu", hidden_act="relu")))
    with pytest.raises(InputError, match="only encoders like BERT"):
        other.embedded()


@pytest.mark.parametrize("heads", ["both", "transitions", "spans"])
def test_a_file_that_stands_alone(bert, tmp_path, heads):
    trees = demo_trees(Options(splits=()))[:16]
    settings = replace(find_family("neural").settings, heads=heads, **SMALL)
    small = replace(settings, encoder=bert.name, encoder_layers=2)
    plain = train("neural", trees, small)
    embedded = train("neural", trees, small, embed=True)
    paths = [tmp_path / name for name in ("plain", "embedded", "quantized")]
    for model, path in zip((plain, embedded, plain.quantized(8)), paths, strict=True):
        model.save(path)
    text = " ".join(trees[0].words())
    expected = plain.parse(text)
    for path, tolerance in ((paths[1], 1e-3), (paths[2], 0.5)):
        tree, score = parse_alone(path, text)
        assert score == pytest.approx(expected.score, abs=tolerance)
        assert path.name == "quantized" or tree == str(expected.tree)
        assert load_model(path).parse(text).score == pytest.approx(score, abs=1e-4)
    assert paths[2].stat().st_size < paths[1].stat().st_size


def test_embedding_needs_an_encoder_of_the_kind_of_bert(folder):
    trees = demo_trees(Options(splits=()))[:4]
    with pytest.raises(InputError, match="embed: there is no encoder"):
        train("neural", trees, embed=True)
    other = write_bert(folder / "silu", hidden_act="silu")
    with pytest.raises(InputError, match="only encoders like BERT"):
        train("neural", trees, encoder=str(other), embed=True)


def test_resumed(bert, tmp_path):
    trees = demo_trees(Options(splits=()))[:16]
    family = find_family("neural")
    values = {**SMALL, "epochs": 2, "encoder": bert.name, "encoder_layers": 1, "embed": True}
    settings = replace(family.settings, **values)

    def runner():
        trainer = family.trainer(trees, settings, {})
        return Runner(trainer, trees[:4], checkpoint=tmp_path / "checkpoint")

    expected = runner().run()
    next(runner().rounds())
    resumed = runner()
    resumed.resume(tmp_path / "checkpoint")
    assert resumed.done == 1
    for tree in trees:
        assert resumed.run().parse(tree.words()).score == expected.parse(tree.words()).score
    assert [type(each).__name__ for each in expected.network.inputs] == ["EmbeddedEncoder"]
