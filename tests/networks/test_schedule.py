"""Epochs and batches follow the number of trees."""

from itertools import islice
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plcfrs import read_trees, transform
from plcfrs.parsers.neural.settings import NeuralSettings

USUAL = {"transitions": (40, 32), "both": (12, 16), "spans": (18, 24)}
SIZES = {"word_size": 8, "character_size": 4, "recurrent_size": 4, "hidden_size": 4}


@given(st.sampled_from(list(USUAL)), st.integers(1, 10_000))
def test_small_treebanks_have_enough_steps(heads, trees):
    epochs, batch = NeuralSettings(heads=heads).schedule(trees)
    if trees >= 3000:
        assert (epochs, batch) == USUAL[heads]
    else:
        assert epochs * ceil(trees / batch) >= 3000
        assert epochs >= USUAL[heads][0]
        assert 4 <= batch <= USUAL[heads][1]


@given(st.sampled_from(list(USUAL)), st.integers(1, 10_000), st.integers(1, 99))
def test_what_is_set_stays(heads, trees, number):
    assert NeuralSettings(heads=heads, epochs=number).schedule(trees)[0] == number
    assert NeuralSettings(heads=heads, batch=number).schedule(trees)[1] == number
    assert NeuralSettings(heads=heads, epochs=number, batch=1).schedule(trees) == (number, 1)


@pytest.mark.full
def test_models_and_runs_state_the_numbers_that_were_used():
    pytest.importorskip("torch")
    from plcfrs.parsers.neural.training import new_trainer

    trees = [transform(tree) for tree in islice(read_trees("plcfrs:demo"), 10)]
    trainer = new_trainer(trees, NeuralSettings(heads="transitions", **SIZES), {})
    assert trainer.rounds == range(1, 1001)
    assert trainer.identity["batch"] == "4"
    stated = trainer.model().contents.network.settings
    assert (stated.epochs, stated.batch) == (1000, 4)
