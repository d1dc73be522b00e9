"""Epochs and batches follow the number of trees."""

from itertools import islice
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plcfrs import read_trees, transform
from plcfrs.networks.encoding import Schedule
from plcfrs.parsers.joint.network import JointSettings
from plcfrs.parsers.set_based.network import Settings
from plcfrs.parsers.spans.scorer import SpanSettings

USUAL = {Settings: (40, 32), JointSettings: (12, 16), SpanSettings: (18, 24)}
SIZES = {"word_size": 8, "character_size": 4, "recurrent_size": 4, "hidden_size": 4}


@given(st.sampled_from(list(USUAL)), st.integers(1, 10_000))
def test_small_treebanks_have_enough_steps(kind, trees):
    epochs, batch = kind().schedule(trees)
    if trees >= 3000:
        assert (epochs, batch) == USUAL[kind]
    else:
        assert epochs * ceil(trees / batch) >= 3000
        assert epochs >= USUAL[kind][0]
        assert 4 <= batch <= USUAL[kind][1]


@given(st.sampled_from(list(USUAL)), st.integers(1, 10_000), st.integers(1, 99))
def test_what_is_set_stays(kind, trees, number):
    assert kind(epochs=number).schedule(trees).epochs == number
    assert kind(batch=number).schedule(trees).batch == number
    assert kind(epochs=number, batch=1).schedule(trees) == (number, 1)


@pytest.mark.full
def test_models_and_runs_state_the_numbers_that_were_used():
    pytest.importorskip("torch")
    from plcfrs.parsers.set_based.training import SetBasedTrainer

    trees = [transform(tree) for tree in islice(read_trees("plcfrs:demo"), 10)]
    trainer = SetBasedTrainer(trees, Settings(**SIZES), {})
    assert trainer.rounds == range(1, 1001)
    assert trainer.identity["batch"] == "4"
    stated = trainer.model().parser.settings
    assert Schedule(stated.epochs, stated.batch) == (1000, 4)
