"""The pages of the reference have everything that the program knows."""

from pathlib import Path

from plcfrs.experiment import load_experiment
from plcfrs.experiment.scores import KINDS
from plcfrs.experiment.section import Section
from plcfrs.parsing.registry import families

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"

# Each family, each section.
EXPERIMENT = """
treebank: {path: "plcfrs:demo"}
transformations: {plain: {}}
sets: {all: {transformation: plain}}
parsers:
  "{kind}": {training: all, test: all, grid: {kind: [KINDS]}}
scores:
- {kind: errors, gold: all, published: {columns: [], rows: {}}}
"""


def test_every_key_of_an_experiment_is_on_its_page(tmp_path, monkeypatch):
    path = tmp_path / "all.yaml"
    path.write_text(EXPERIMENT.replace("KINDS", ", ".join(families())), encoding="utf-8")
    known = {*KINDS, *families()}
    monkeypatch.setattr(Section, "check_keys", lambda _, keys: known.update(keys))
    load_experiment(path)
    text = (REFERENCE / "experiment-file.md").read_text(encoding="utf-8")
    assert "corrections" in known
    assert [key for key in sorted(known) if f"`{key}`" not in text] == []
