"""Learning: parsers of a project from its accepted trees, and the curve of their scores."""

import json
import subprocess
import sys

import pytest
from demo_trees import raw_demo_trees

from plcfrs.annotating import training
from plcfrs.annotating.training import (
    HELD_OUT,
    accepted_trees,
    current_parser,
    curve,
    learn,
    lot,
    state_of_training,
    untouched,
)
from plcfrs.cli.program import run
from plcfrs.errors import InputError
from plcfrs.parsing import load_model
from plcfrs.project.creation import create
from plcfrs.project.settings import ProjectSettings
from plcfrs.trees.training_set import TrainingSet


def project(folder, number, people=("anna",)):
    """Make a project whose first trees are accepted."""
    create(folder, (("demo", tree) for tree in raw_demo_trees()), "anna", "", trees=True)
    lines = (folder / "trees/anna/demo.jsonl").read_text().splitlines(keepends=True)
    accepted = [line.replace("{", '{"status": "accepted", ', 1) for line in lines[:number]]
    for person in people:
        (folder / "trees" / person).mkdir(exist_ok=True)
        (folder / "trees" / person / "demo.jsonl").write_text("".join(accepted + lines[number:]))
    return folder


def test_the_first_parser_needs_fifty_trees(tmp_path):
    folder = project(tmp_path, 49, people=("anna", "ben"))
    assert len(accepted_trees(folder)) == 49
    with pytest.raises(InputError, match="49 accepted trees: the first parser needs 50"):
        learn(folder)
    assert state_of_training(folder)["stage"].endswith("the first parser needs 50")


def test_a_parser_that_is_not_worse_replaces_the_one_before_it(tmp_path, monkeypatch):
    folder = project(tmp_path, 70)
    settings = ProjectSettings.read(folder)
    assert current_parser(folder, settings) == ""
    stages = []
    first = learn(folder, "grammar", say=lambda stage, *_: stages.append(stage))
    held_out = [tree for tree in accepted_trees(folder) if lot(tree.id) < HELD_OUT]
    assert (first.trees + first.held_out, first.held_out) == (70, len(held_out))
    assert first.is_taken
    assert first.f1 > 20
    assert first.f1_before is None
    assert stages[0] == "reading trees"
    assert stages[-1] == str(first)
    model = load_model(current_parser(folder, settings))
    assert model.completion is not None
    assert not model.training_set & TrainingSet.of(held_out)
    before = (folder / ".cache/parser.model").read_bytes()
    monkeypatch.setattr(
        training, "_scores", lambda parser, *_: (9.0 if isinstance(parser, str) else 8.0, 1.0)
    )
    second = learn(folder, "grammar")
    assert not second.is_taken
    assert (second.f1_before, second.f1) == (9.0, 8.0)
    assert (folder / ".cache/parser.model").read_bytes() == before
    assert curve(folder) == [first, second]
    assert str(second).endswith("F1 9.0 -> 8.0, functions 1.0 -> 1.0; the one before it stays")


def test_a_base_treebank_is_learned_without_held_out_sentences(tmp_path):
    folder = project(tmp_path, 20)
    step = learn(folder, "grammar", "plcfrs:demo")
    assert 100 < step.trees <= 160 - step.held_out
    model = load_model(current_parser(folder, ProjectSettings.read(folder)))
    held_out = [tree for tree in accepted_trees(folder) if lot(tree.id) < HELD_OUT]
    assert step.held_out == len(held_out) > 0
    assert not model.training_set & TrainingSet.of(held_out)
    (folder / "trees/anna/demo.jsonl").unlink()
    assert not learn(folder, "grammar", "plcfrs:demo").is_taken  # there is nothing to compare


def test_the_command_prints_the_curve(tmp_path, capsys):
    folder = project(tmp_path, 52)
    assert run(["annotate", "train", str(folder), "--family", "grammar"]) == 0
    assert capsys.readouterr().out.startswith("a grammar parser from 4")
    (folder / "trees/anna/demo.jsonl").unlink()
    assert run(["annotate", "train", str(folder)]) == 2
    assert "0 accepted trees: the first parser needs 50" in capsys.readouterr().err


def test_only_one_training_runs_at_a_time(tmp_path):
    folder = project(tmp_path, 50)
    assert not state_of_training(folder)["running"]
    with training._alone(folder):
        assert state_of_training(folder)["running"]
        with pytest.raises(InputError, match="a training runs already"):
            learn(folder)


def test_proposals_count_that_were_accepted_as_they_were():
    shown = [name for number in range(99) if lot(name := f"s{number}") >= 0.1][:3]
    hidden = next(name for number in range(99) if lot(name := f"s{number}") < 0.1)

    def entry(name, do, **others):
        return {"sentence": name, "operation": {"do": do, **others}}

    entries = [
        *(entry(name, "propose") for name in [*shown, hidden]),
        entry(shown[0], "accept"),
        entry(shown[1], "relabel"),
        entry(shown[1], "status", status="accepted"),
        entry(shown[0], "delete"),  # later: it was accepted as proposed
        entry(shown[0], "accept"),
        entry(hidden, "accept"),
        entry("begun with a tree", "accept"),
        entry(shown[2], "status", status="later"),
    ]
    assert untouched(entries, 0.1) == (1, 2)


@pytest.mark.full
def test_a_killed_training_leaves_the_parser_and_lets_the_next_one_run(tmp_path):
    folder = project(tmp_path, 60)
    learn(folder, "grammar")
    parser = folder / ".cache" / "parser.model"
    before = parser.read_bytes()
    code = "from plcfrs.annotating import learn; from pathlib import Path; import sys\n"
    code += "learn(Path(sys.argv[1]), 'gap', say=lambda *a: print(*a, flush=True))"
    words = [sys.executable, "-c", code, str(folder)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        while not process.stdout.readline().startswith("training"):
            pass
        assert state_of_training(folder)["running"]
        process.kill()
    state = state_of_training(folder)
    assert not state["running"]
    assert state["stage"] == "training"
    assert state["done"] < state["total"]
    assert parser.read_bytes() == before
    assert learn(folder, "grammar").trees > 40
    assert json.loads((folder / ".cache/training.json").read_text())["done"] == 1
