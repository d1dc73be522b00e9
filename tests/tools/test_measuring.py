"""What the benchmarks print and write, the files of results, and the experiments that make them."""

import json
import re
import shlex
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from plcfrs.experiment import Folder, load_experiment, run_experiment

sys.path.append(str(Path(__file__).parents[2] / "tools"))
from measuring import Report, benchmark, command

ROOT = Path(__file__).parents[2]
RESULTS = sorted((ROOT / "docs/results").glob("*.json"))
EXPERIMENTS = sorted((ROOT / "tools/experiments").glob("*.yaml"))


@benchmark("Tea")
@click.option("--cups", default=2)
def brew(report, cups):
    report.about = "Tea of two kinds."
    report.table("How long it takes", "minutes")
    report.row("green", "2.5")
    report.row("black", str(cups + 2))
    report.fact("kettle", "1 litre")


def test_what_is_printed_is_written(tmp_path, monkeypatch):
    path = tmp_path / "tea.json"
    arguments = ["--cups", "3", "--json", str(path)]
    monkeypatch.setattr(sys, "argv", ["/somewhere/tools/bench_tea.py", *arguments])
    result = CliRunner().invoke(brew, arguments, catch_exceptions=False)
    written = json.loads(path.read_text(encoding="utf-8"))
    assert written["tables"] == {
        "How long it takes": {"green": {"minutes": "2.5"}, "black": {"minutes": "5"}},
        "The run": {"kettle": {"value": "1 litre"}},
    }
    for line in ("How long it takes: minutes", "green: 2.5", "black: 5", "kettle: 1 litre"):
        assert line in result.output.splitlines()
    assert written["title"] == "Tea"
    assert written["about"] == "Tea of two kinds."
    assert written["command"] == "python tools/bench_tea.py --cups 3"
    assert list(tmp_path.iterdir()) == [path]


def test_the_command_does_not_say_where_results_go():
    for option in [["--json", "tea.json"], ["--json=tea.json"]]:
        assert command(["bench_tea.py", *option, "a treebank"]) == (
            "python tools/bench_tea.py 'a treebank'"
        )


def test_a_row_has_a_name_and_a_cell_for_each_column():
    report = Report("Tea")
    report.table("How long it takes", "minutes")
    report.row("green", "2.5")
    for row in (["black"], ["green", "3"]):
        with pytest.raises(ValueError, match=f"row {row[0]}"):
            report.row(*row)


def test_files_of_results():
    for path in RESULTS:
        text = path.read_text(encoding="utf-8")
        results = json.loads(text)
        assert all(results[key] for key in ("title", "about", "plcfrs", "machine"))
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", results["date"])
        assert not re.search(r"/(home|root|work|tmp)/", text)
        for rows in results["tables"].values():
            assert len({tuple(cells) for cells in rows.values()}) == 1  # the columns of a table
        if "command" in results:
            python, tool, *_ = shlex.split(results["command"])
            assert python == "python"
            assert (ROOT / tool).is_file()


@pytest.mark.full
def test_an_experiment_can_be_read(monkeypatch):
    for path in EXPERIMENTS:
        for name in ("PCC", "ICEPAHC", "ENGLISH", "ENCODER"):
            monkeypatch.setenv(f"PLCFRS_{name}", f"/{name}")
        assert load_experiment(path).about
        assert path.with_suffix(".json").name in {each.name for each in RESULTS}


@pytest.mark.full
@pytest.mark.usefixtures("penn_treebank")
def test_a_small_run_of_an_experiment(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    experiment = load_experiment(ROOT / "tools/experiments/transition.yaml").small()
    (table,) = run_experiment(experiment, Folder(tmp_path))
    assert {cells[0] for cells in table.rows.values()} == {3}


@pytest.mark.full
@pytest.mark.parametrize(
    "path", sorted((ROOT / "tools").glob("bench_*.py")), ids=lambda path: path.stem
)
def test_a_benchmark_says_what_it_takes(path):
    result = CliRunner().invoke(import_module(path.stem).main, ["--help"], catch_exceptions=False)
    assert result.exit_code == 0
    assert "--json FILE" in result.output
