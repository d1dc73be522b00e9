"""Models with fewer bits, without an encoder, and what cannot have them."""

import re

import numpy as np
import pytest
import random_networks
from demo_trees import demo_trees
from quick import core
from random_networks import demo, random_model, random_network, random_set_model, random_span_model

from plcfrs.cli import run
from plcfrs.errors import InputError
from plcfrs.parsing.registry import load_model, train
from plcfrs.storage.model_file import load
from plcfrs.transformation import Options


@pytest.fixture(autouse=True)
def large(monkeypatch):
    """Networks with matrices that are large enough to be rounded."""
    monkeypatch.setitem(random_networks.SIZES, "recurrent_size", 40)


@core(1, "make", [random_set_model, random_span_model, random_model])
def test_convert(tmp_path, capsys, make):
    model = make()
    path, small = tmp_path / "model", tmp_path / "small"
    model.save(path)
    arrays = load(path).arrays
    assert run(["convert", str(path), "-o", str(small), "--quantize", "8"]) == 0
    converted = load_model(small)
    sentence = demo()[0]
    assert converted.parse(sentence).status == "parsed"
    assert converted.parse(sentence).score == model.quantized(8).parse(sentence).score
    rounded = [name for name in load(small).arrays if name.endswith(".packed")]
    large = [
        name
        for name, array in arrays.items()
        if ".network." in f".{name}" and array.ndim == 2 and array.size >= 4096
    ]
    assert len(rounded) == len(large) > 0
    assert run(["inspect", str(small)]) == 0
    shown = capsys.readouterr().out
    assert "rounded to 8 bits" in shown
    assert "needs to parse: this file alone" in shown


def test_rounded_weights_are_near():
    network = random_network()
    for bits in (8, 6):
        rounded = network.quantized(bits)
        assert {each.bits for each in rounded.rounded.values()} == {bits}
        assert rounded.arrays.keys() == network.arrays.keys()
        for name, array in network.arrays.items():
            step = np.abs(array).max() / (2 ** (bits - 1) - 1)
            assert np.abs(rounded.arrays[name] - array).max() <= step


@pytest.mark.full
def test_errors(tmp_path, capsys):
    grammar = train("grammar", demo_trees(Options()))
    with pytest.raises(InputError, match="a grammar parser has no network"):
        grammar.quantized(8)
    with pytest.raises(InputError, match="expected 2 to 8 bits, not 9"):
        random_model().quantized(9)
    grammar.save(tmp_path / "a.plcfrs")
    random_model().save(tmp_path / "a.neural")
    for arguments, message in (
        (["a.plcfrs", "-o", "b"], "a.plcfrs: a grammar parser has no network"),
        (["a.neural"], "give an output file"),
        (["a.neural", "a.neural", "-o", "b"], "convert one model at a time"),
        (["a.neural", "-o", "b", "--unaries", "labels"], "--unaries is for treebanks"),
        (["missing", "-o", "b"], "missing: No such file"),
    ):
        paths = [re.sub("^a[.]", f"{tmp_path}/a.", each) for each in arguments]
        assert run(["convert", *paths, "--quantize", "8"]) == 2
        assert message in capsys.readouterr().err
        assert not (tmp_path / "b").exists()
