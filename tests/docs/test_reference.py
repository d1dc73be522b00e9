"""The pages of the reference have everything that the program knows."""

import re
from pathlib import Path

from plcfrs.experiment import load_experiment
from plcfrs.experiment.scores import FIGURES, KINDS, SCORES
from plcfrs.experiment.section import YamlSection
from plcfrs.parsing.registry import families
from plcfrs.settings import settings_of

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"

# Each family, each section.
EXPERIMENT = """
treebank: {path: "plcfrs:demo"}
transformations: {plain: {}}
sets: {all: {transformation: plain}}
parsers:
  "{kind}": {training: all, test: all, grid: {kind: [KINDS]}}
scores:
- {kind: trees, gold: all, published: {columns: [], rows: {}}}
"""


def test_every_key_of_an_experiment_is_on_its_page(tmp_path, monkeypatch):
    path = tmp_path / "all.yaml"
    path.write_text(EXPERIMENT.replace("KINDS", ", ".join(families())), encoding="utf-8")
    known = {*KINDS, *SCORES, *FIGURES, *families()}
    monkeypatch.setattr(YamlSection, "check_keys", lambda _, keys: known.update(keys))
    load_experiment(path)
    text = (REFERENCE / "experiment-file.md").read_text(encoding="utf-8")
    assert "corrections" in known
    assert [key for key in sorted(known) if f"`{key}`" not in text] == []


def test_rows_have_all_choices():
    for family in families().values():
        text = (REFERENCE / "experiment-file.md").read_text(encoding="utf-8")
        (part,) = (
            part for part in re.split(r"^(?=`kind: )", text, flags=re.M) if names(part, family.kind)
        )
        for each in settings_of(family.settings):
            rows = [row for row in part.splitlines() if f"`{each.option}`" in row.split(" | ")[0]]
            if rows and each.type is str and each.choices and "as for" not in rows[0]:
                missing = [choice for choice in each.choices if f"`{choice}`" not in rows[0]]
                assert [each.option, missing] == [each.option, []]


def names(part, kind):
    return part.startswith("`kind: ") and f"`{kind}`" in part.splitlines()[0].replace("kind: ", "")
