"""Training of backbones: the same for each seed, resumed without a difference, damage refused."""

import subprocess
import sys
from copy import deepcopy
from operator import attrgetter

import numpy as np
import pytest
from demo_trees import demo_trees
from quick import core
from stored import reread

from plcfrs.parsers.reduction.backbone import PLACES, BackboneSettings, BackboneTraining
from plcfrs.storage.stored_values import pack
from plcfrs.transformation import to_dependencies


@pytest.fixture(scope="module")
def treebank():
    return [to_dependencies(tree) for tree in demo_trees()[:20]]


def trained(treebank, settings, epochs):
    training = BackboneTraining(deepcopy(treebank), settings)
    for _ in range(epochs):
        training.run_epoch()
    return training


def weights_of(training):
    return b"".join(array.tobytes() for array in pack(training.model())[1].values())


def test_what_has_been_learned_is_known(treebank):
    training = trained(treebank, BackboneSettings(), 0)
    mistakes = [training.run_epoch()["wrong heads"] for _ in range(6)]
    assert training.epoch == 6
    assert mistakes[-1] < mistakes[0] / 2
    model = training.model()
    tokens = [token for tree in treebank for token in tree.tokens]
    heads = [head for tree in treebank for head in tree.heads]
    found = [head for tree in treebank for head in model.parse(tree.tokens).heads]
    right = sum(one == other for one, other in zip(heads, found, strict=True))
    assert right > 0.95 * len(tokens)


def test_a_step_for_each_sentence(treebank):
    training, steps = trained(treebank, BackboneSettings(), 0), []
    training.run_epoch(lambda: steps.append(training.epoch))
    assert steps == [1] * len(treebank)


@pytest.mark.full
def test_the_average_is_that_of_the_weights_after_each_sentence(treebank):
    training = BackboneTraining(treebank[:4], BackboneSettings())
    total, seen = np.zeros(PLACES), 1  # before the first sentence all weights are 0
    learn = training._learn

    def learn_and_look(example, time):
        nonlocal total, seen
        mistakes = learn(example, time)
        total, seen = total + training._weights.values, seen + 1
        return mistakes

    training._learn = learn_and_look
    training.run_epoch()
    training.run_epoch()
    assert seen == 9
    assert np.allclose(training.model().weights, total / seen, atol=1e-7)


@core(1, "name", ["parser.values", "pruner.totals"])
@core(1, "number", [np.nan, 2e38])
def test_numbers_that_are_too_large_are_refused(treebank, name, number):
    training = trained(treebank[:1], BackboneSettings(), 0)
    array = attrgetter(name)(training.state).copy()
    array[5] = number
    with pytest.raises(ValueError, match="damaged"):
        training.resume(reread(training.state, arrays={name: array}))


def test_an_empty_treebank(treebank):
    training = trained([], BackboneSettings(), 1)
    heads = training.model().parse(treebank[0].tokens).heads
    assert heads.count(0) == 1


@pytest.mark.full
def test_hash_seeds_of_python_change_nothing(tmp_path):
    script = tmp_path / "train.py"
    script.write_text(
        "import hashlib\n"
        "from plcfrs.parsers.reduction.backbone import BackboneSettings\n"
        "from plcfrs.parsers.reduction.backbone import BackboneTraining\n"
        "from plcfrs.transformation import to_dependencies\n"
        "from plcfrs.transformation import transform_all\n"
        "from plcfrs.treebank import read_trees\n"
        "trees = transform_all(read_trees('plcfrs:demo'))\n"
        "training = BackboneTraining(map(to_dependencies, trees), BackboneSettings())\n"
        "training.run_epoch()\n"
        "print(hashlib.sha256(training.model().weights.tobytes()).hexdigest())\n"
    )
    printed = [
        subprocess.run(
            [sys.executable, script], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    ]
    assert printed[0] == printed[1]
