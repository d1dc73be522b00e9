"""UDPipe as a parser of dependencies."""

import pickle
import signal
import subprocess
import sys
from functools import partial
from textwrap import dedent

import pytest
from demo_trees import demo_trees

from plcfrs.errors import InputError
from plcfrs.parsers.reduction.backbone import Settings
from plcfrs.parsers.reduction.udpipe import UDPipe, UDPipeTraining
from plcfrs.parsing.registry import load_model, train
from plcfrs.transformation import to_dependencies
from plcfrs.trees import DependencyTree, Token

pytest.importorskip("ufal.udpipe", reason="needs UDPipe: pip install 'plcfrs[udpipe]'")


def trees():
    return demo_trees()[:12]


@pytest.fixture(scope="module")
def model():
    return train("reduction", trees(), backbone="udpipe", epochs=1)


@pytest.fixture(scope="module")
def trained(model):
    return model.backbone


def test_every_sentence_has_one_root(trained):
    for tree in trees():
        heads = trained.parse(tree.tokens).heads
        assert heads.count(0) == 1
        assert len(heads) == len(tree.tokens)


@pytest.mark.full
def test_steps_and_seeds():
    dependencies, steps = list(map(to_dependencies, trees()[:4])), []
    models = []
    for seed in (1, 1, 2):
        training = UDPipeTraining(dependencies, Settings("udpipe", epochs=2, seed=seed))
        assert (training.rounds, training.steps) == (range(1, 2), 2)
        training.run_epoch(partial(steps.append, seed))
        models.append(training.model().model)
    assert steps == [1, 1, 1, 1, 2, 2]
    assert models[0] == models[1] != models[2]


@pytest.mark.full
def test_odd_words(trained):
    for form in ("", "a b", "a\tb", "a\nb", "\N{GRINNING FACE}", "1\N{NO-BREAK SPACE}000"):
        tokens = [Token(form, ""), Token("b", "X Y")]
        tree = DependencyTree(tokens, [2, 0], ["", "root"])
        for parser in (trained, UDPipe.train([tree], 1)):
            assert len(parser.parse(tokens).heads) == 2


def test_in_another_process(trained):
    tokens = trees()[0].tokens
    assert pickle.loads(pickle.dumps(trained)).parse(tokens) == trained.parse(tokens)


def test_damaged():
    with pytest.raises(ValueError, match="UDPipe cannot read its model"):
        UDPipe(b"no model")


def test_trees_that_it_cannot_learn_from():
    tree = DependencyTree([Token("a", "X"), Token("b", "X")], [2, 1], ["", ""])
    with pytest.raises(InputError, match=r"UDPipe cannot learn from these trees: .*single root"):
        UDPipe.train([tree], 1)


def test_as_a_backbone(model, tmp_path):
    path = tmp_path / "demo.reduction"
    model.save(path)
    loaded = load_model(path)
    for tree in trees():
        parse = loaded.parse(tree, explained=True)
        assert parse.tree == model.parse(tree).tree
        assert len(parse.explanation.rows) == len(tree.tokens)


def test_without_udpipe(monkeypatch):
    monkeypatch.setitem(sys.modules, "ufal", None)
    with pytest.raises(InputError, match=r"pip install 'plcfrs\[udpipe\]'"):
        train("reduction", trees(), backbone="udpipe")


def heed_interrupts():
    """Undo what a shell does to the processes that it starts in the background."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.full
@pytest.mark.skipif(sys.platform == "win32", reason="sends signals")
def test_interrupted():
    """Training ends at once, though UDPipe itself cannot be interrupted."""
    program = dedent("""
        from plcfrs import train
        print("ready", flush=True)
        train("reduction", "plcfrs:demo", backbone="udpipe", epochs=100_000)
    """)
    with subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_interrupts,
    ) as process:
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=100)
    assert process.returncode != 0
    assert "KeyboardInterrupt" in errors
