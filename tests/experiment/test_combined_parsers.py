"""Combined parsers in experiments: their members are parsers of the same experiment, or files."""

import pytest
from demo_trees import demo_trees
from quick import core

from plcfrs.errors import InputError
from plcfrs.experiment import load_experiment
from plcfrs.parsing.registry import load_model, train
from plcfrs.treebank import write_trees

TEXT = """
treebank: {path: "plcfrs:demo"}
sets:
  train: {sentences: 1-60}
  weights: {sentences: 61-90}
  test: {sentences: 91-100}
parsers:
  plain: {training: train, test: test}
  gap: {kind: gap, training: train, test: test, epochs: 2, seeds: 2}
  both:
    kind: combined
    training: weights
    test: test
    members: [plain, gap]
scores:
  - {kind: brackets, gold: test}
"""


@pytest.mark.full
def test_each_run_has_the_members_of_its_seed(run):
    run(TEXT)
    models = run.folder / "models"
    weights = demo_trees()[60:90]
    for seed in (1, 2):
        found = load_model(models / f"both seed {seed}.combined")
        assert found.members.names == ["plain.plcfrs", f"gap seed {seed}.gap"]
        members = tuple(str(member.path) for member in found.members.all)
        assert (
            train("combined", weights, members=members).weights.tolist() == found.weights.tolist()
        )


@pytest.mark.full
def test_they_are_made_again_if_a_member_is(run):
    run(TEXT)
    run(TEXT.replace("epochs: 2", "epochs: 3"))
    made = [line.partition(":")[0] for line in run.said if ": done" in line]
    assert {"train gap seed 1", "train both seed 1", "parse both seed 2"} <= set(made)
    assert "train plain" not in made


@pytest.mark.full
def test_files_and_votes(run, tmp_path):
    trees = demo_trees()
    train("grammar", trees[:60]).save(tmp_path / "saved.plcfrs")
    write_trees(trees[60:100], tmp_path / "other.export")
    lines = f"members: ['{tmp_path / 'saved.plcfrs'}']\n    votes: ['{tmp_path / 'other.export'}']"
    (table,) = run(TEXT.replace("members: [plain, gap]", lines))
    score = next(place for place, name in enumerate(table.columns) if name == "both")
    plain = table.columns.index("plain")
    assert table.rows["test LF1"][score] > table.rows["test LF1"][plain]


@core(1, "member", ["both", "nothing.gap"])
def test_members_must_stand_above(write, member):
    text = TEXT.replace("[plain,", f"['{member}',")
    problem = f"parsers, both: members: '{member}' is neither a parser nor a file: the parsers"
    with pytest.raises(InputError, match=problem):
        load_experiment(write(text))
