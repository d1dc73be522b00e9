"""The experiments in examples/experiments."""

import sys
from importlib.resources import files
from pathlib import Path
from time import process_time

import pytest
import yaml
from quick import core

from plcfrs.experiment import Folder, load_experiment, run_experiment

FOLDER = Path(__file__).parents[2] / "examples" / "experiments"
PAPER = FOLDER / "evang-kallmeyer-2011.yaml"


def column(tables, title, name):
    (table,) = (table for table in tables if table.title == title)
    place = table.columns.index(name)
    return {row: cells[place] for row, cells in table.rows.items()}


def published(title):
    content = yaml.safe_load(PAPER.read_text(encoding="utf-8"))
    (found,) = (each["published"] for each in content["scores"] if each.get("title") == title)
    return found["columns"], found["rows"]


@core(1, "path", sorted(FOLDER.glob("*.yaml")), ids=lambda path: path.stem)
def test_examples_can_be_read(path):
    assert load_experiment(path).scores


@core(1, "title", ["Table 2", "Table 3"])
def test_published_f1_goes_with_precision_and_recall(title):
    columns, rows = published(title)
    if title == "Table 2":
        assert rows["Te' UR"][3] == 80.00  # a slip, see there
        rows["Te' UR"][3] = 80.89
    checked = 0
    for name, f1 in rows.items():
        if not name.endswith("F1"):
            continue
        precision, recall = (rows[name.replace("F1", letter)] for letter in "PR")
        for p, r, f in zip(precision, recall, f1, strict=True):
            if f is not None:
                assert f == pytest.approx(2 * p * r / (p + r), abs=0.011)
                checked += 1
    assert checked == {"Table 2": 6 * 4 + 6 * 3, "Table 3": 6}[title]
    assert all(len(cells) == len(columns) for cells in rows.values())


def test_published_totals():
    _, rows = published("Table 4")
    types = [cells for name, cells in rows.items() if name not in ("total", "recall")]
    assert [sum(counts) for counts in zip(*types, strict=True)] == rows["total"]
    recall = [100 * found / rows["total"][0] for found in rows["total"][1:]]
    assert rows["recall"][1:] == pytest.approx(recall, abs=0.006)
    _, rows = published("Table 1")
    for _, trees, *degrees in rows.values():
        assert sum(degrees) == trees
    for number in range(1, 5):
        parts = (rows[name][number] for name in ("any reattachment", "no reattachment"))
        assert sum(parts) == rows["total"][number]
    types = [cells[0] for name, cells in rows.items() if name.startswith("*")]
    assert sum(types) == rows["any reattachment"][0]


@pytest.mark.full
def test_another_treebank_takes_a_path_and_lists_of_files(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)  # plots take a third of the time
    lines = (files("plcfrs") / "data" / "demo.mrg").read_text(encoding="utf-8")
    trees = [f"({tree}" for tree in lines.split("\n(")]
    trees[0] = trees[0][1:]
    for section, part in (("00", trees[:2]), ("01", trees[2:110]), ("23", trees[110:])):
        (tmp_path / "wsj" / section).mkdir(parents=True)
        (tmp_path / "wsj" / section / "wsj.mrg").write_text("\n".join(part), encoding="utf-8")
    content = yaml.safe_load(PAPER.read_text(encoding="utf-8"))
    content["treebank"] = {"path": "wsj"}
    content["files"] = {"training": ["01"], "test": ["23"]}
    (tmp_path / "paper.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    tables = run_experiment(load_experiment(tmp_path / "paper.yaml"), Folder(tmp_path / "results"))
    assert column(tables, "Table 1", "trees")["total"] == 140
    assert column(tables, "Table 2", "Tr'")["Te' LF1"] > 90
    assert column(tables, "Table 3", "Tr''")["Te'' LF1"] > 90
    assert column(tables, "Section 5.3", "gold")["wh-movement"] > 0


@pytest.mark.full
def test_the_paper_on_the_penn_sample(penn_treebank, tmp_path):
    start = process_time()
    experiment = load_experiment(PAPER)
    tables = run_experiment(experiment, Folder(tmp_path))
    assert process_time() - start < 600
    assert column(tables, "Table 1", "trees")["total"] == len(penn_treebank)
    ours, theirs = (column(tables, "Table 2", name) for name in ("Tr'", "Tr' (paper)"))
    assert theirs["Te' LF1"] == 78.96
    assert ours["Te' LF1"] == pytest.approx(77.52, abs=0.1)
    # The point of the paper: in sentences with a gap, crossing branches find far more.
    assert ours["Te'_D LF1"] > column(tables, "Table 2", "Tr")["Te'_D LF1"] + 5
    assert ours["Items"] > 0
    assert theirs["Items"] == 1_056_000_000
    assert column(tables, "Table 2", "Berkeley Tr 6 it. (paper)")["Te LF1"] == 89.73
    recall = [column(tables, "Table 4", name)["recall"] for name in ("Tr", "Tr'")]
    assert recall[0] < recall[1]
    assert column(tables, "Table 4", "gold")["*T*"] == 28
