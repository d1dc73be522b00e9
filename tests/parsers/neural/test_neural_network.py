"""The network without PyTorch: what it reads, and its file."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from quick import core
from random_networks import demo, random_network
from stored import REFUSED, reread

from plcfrs.errors import InputError
from plcfrs.parsers.neural.settings import NeuralSettings
from plcfrs.trees import Token

HEADS = ["both", "transitions", "spans"]


def sentences():
    return [tree.tokens for tree in demo()[:16]]


def compared(reading):
    """What is the same whatever a sentence is read with, and its numbers."""
    labels = [each.constituents for each in reading.derivations]
    scores = [each.log_probability for each in reading.derivations]
    return [list(each) for each in reading.tags], labels, scores


@core(1, "heads", HEADS)
def test_batches(heads, monkeypatch):
    """The order of sentences is kept, and each is read as it is alone."""
    monkeypatch.setattr("plcfrs.parsers.neural.network.BATCH", 5)
    network, several = random_network(heads), sentences()
    for sentence, reading in zip(several, network.read(several, 3), strict=True):
        (alone,) = network.read([sentence], 3)
        *found, scores = compared(reading)
        *expected, others = compared(alone)
        assert found == expected
        assert scores == sorted(scores, reverse=True)
        assert scores == pytest.approx(others)
        np.testing.assert_allclose(reading.borders, alone.borders, atol=1e-5)
        assert reading.chances == pytest.approx(alone.chances, abs=1e-4)
        assert bool(reading.chances) == (heads == "both")
        assert len(reading.borders) == len(sentence) + 1
        assert bool(scores) == (heads != "spans")


@core(1, "heads", HEADS)
def test_words_alone_are_read(heads):
    """With other tags, what is read changes only if tags are input."""
    for tags, is_same in (("given", False), ("own", True)):
        network, sentence = random_network(heads, tags), sentences()[0]
        others = [Token(token.form, "NN") for token in sentence]
        one, other = (network.read([tokens], 1)[0] for tokens in (sentence, others))
        assert np.array_equal(one.borders, other.borders) == (is_same or heads == "transitions")
        assert (compared(one) == compared(other)) == is_same
        if tags == "given":
            assert other.best_tags == ["NN"] * len(sentence)


def test_unknown():
    """Nothing of a sentence need be known."""
    (reading,) = random_network().read([[Token("\u2603" * 30, "?"), Token("", "")]], 1)
    assert len(reading.tags) == 2


def test_damaged():
    network = random_network()
    array = network.network["first.from_left.weight_hh_l0"]
    name = "network.first.from_left.weight_hh_l0"
    arrays = dict.fromkeys(network.network, 0)
    damaged = [
        ({}, {name: None}),
        ({"network": {key: 0 for key in arrays if f"network.{key}" != name}}, {}),
        ({"network": {**arrays, "other": 0}}, {"network.other": array}),
        ({}, {name: array[:-1]}),
        ({}, {name: array.astype(np.float64)}),
        ({}, {name: array * np.float32("inf")}),
        ({}, {name: array * np.float32(1e30)}),
        ({}, {"network.spans.bias": network.network["spans.bias"][1:]}),
        ({"vocabulary.labels": ["", "NP"]}, {}),
        ({"vocabulary.labels": ["ROOT"]}, {}),
        ({"vocabulary.words": [1]}, {}),
        ({"parts": ["NP"]}, {}),
        ({"settings.word_size": 0}, {}),
        ({"settings.tags": "given"}, {}),
        ({"settings.heads": "spans"}, {}),
        ({"settings.beam": None}, {}),
    ]
    assert reread(network, {"network": arrays})
    for texts, changed in damaged:
        with pytest.raises(REFUSED):
            reread(network, texts, changed)


@pytest.mark.full
def test_no_weights_that_are_read_make_numbers_overflow():
    made = random_network()
    for sign in (-1, 1):
        large = {name: np.full_like(array, sign * 9e14) for name, array in made.network.items()}
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            read = reread(replace(made, network=large))
            assert len(read.read(sentences(), 1)) == len(sentences())


def test_settings():
    for values in ({"beam": 0}, {"dropout": 1.0}, {"oracle": "best"}, {"hidden_size": 0}):
        with pytest.raises(InputError, match=next(iter(values))):
            NeuralSettings(**values)
