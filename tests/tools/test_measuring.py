"""What the benchmarks print and write, and the files of results in the documentation."""

import json
import re
import shlex
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest
from blocks import cells
from click.testing import CliRunner

from plcfrs import __version__

sys.path.append(str(Path(__file__).parents[2] / "tools"))
from measuring import Report, benchmark, command, machine, over_seeds

ROOT = Path(__file__).parents[2]
KEYS = ["title", "command", "machine", "date", "version", "about", "sources", "tables"]
RESULTS = sorted((ROOT / "docs/results").glob("*.json"))
FACTS = {"published", "joint-variants"}  # that no tool makes again


@benchmark("Tea")
@click.option("--cups", default=2)
def brew(report, cups):
    report.about = "Tea of two kinds."
    report.uses("plcfrs/web")
    report.table("How long it takes", "tea", "minutes")
    report.row("green", "2.5")
    report.row("black", str(cups + 2))
    report.fact("kettle", "1 litre")


def test_what_is_printed_is_written(tmp_path, monkeypatch):
    path = tmp_path / "tea.json"
    arguments = ["--cups", "3", "--json", str(path)]
    monkeypatch.setattr(sys, "argv", ["/somewhere/tools/bench_tea.py", *arguments])
    result = CliRunner().invoke(brew, arguments, catch_exceptions=False)
    written = json.loads(path.read_text(encoding="utf-8"))
    printed = [cells(line) for line in result.output.splitlines() if line.startswith("|")]
    table, run = written["tables"]
    assert printed == [table["columns"], ["---", "---"], *table["rows"]]
    assert table["rows"] == [["green", "2.5"], ["black", "5"]]
    assert table["caption"] in result.output
    assert run["rows"] == [["kettle", "1 litre"]]
    assert "kettle: 1 litre" in result.output
    assert list(written) == KEYS
    assert written["title"] == "Tea"
    assert written["about"] == "Tea of two kinds."
    assert written["command"] == "python tools/bench_tea.py --cups 3"
    assert written["machine"] == machine()
    assert written["version"] == __version__
    assert {"tools/bench_tea.py", "plcfrs/chart", "plcfrs/web"} <= {*written["sources"]}
    assert "plcfrs/cli" not in written["sources"]
    assert list(tmp_path.iterdir()) == [path]


def test_a_part_of_the_rows_is_measured_again(tmp_path, monkeypatch):
    path = tmp_path / "tea.json"
    monkeypatch.setattr(sys, "argv", ["tools/bench_tea.py"])
    for is_partial, rows in enumerate(([["green", "2"], ["black", "4"]], [["black", "5"]])):
        report = Report("Tea")
        report.about, report.is_partial = "Tea.", bool(is_partial)
        report.table("How long it takes", "tea", "minutes", rows=rows)
        report.save(path)
        if not is_partial:
            before = json.loads(path.read_text(encoding="utf-8")) | {"date": "2026-01-01"}
            path.write_text(json.dumps(before), encoding="utf-8")
    written = json.loads(path.read_text(encoding="utf-8"))
    assert written["tables"][0]["rows"] == [["green", "2"], ["black", "5"]]
    assert written["date"] == "2026-01-01"
    assert re.fullmatch(r"Tea\. Measured again on [-\d]+: black\.", written["about"])


def test_nothing_is_written_without_the_option(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(brew, [], catch_exceptions=False).exit_code == 0
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("option", [["--json", "tea.json"], ["--json=tea.json"]])
def test_the_command_does_not_say_where_results_go(option):
    assert command(["bench_tea.py", *option, "a treebank"]) == (
        "python tools/bench_tea.py 'a treebank'"
    )


def test_a_row_has_a_cell_for_each_column():
    report = Report("Tea")
    report.table("How long it takes", "tea", "minutes")
    with pytest.raises(ValueError, match="1 cells for 2 columns"):
        report.row("green")


def test_means_over_seeds():
    assert over_seeds([85.0, 86.0, 87.0]) == "86.00 (1.00)"
    assert over_seeds([85.0]) == "85.00"


@pytest.mark.parametrize("path", RESULTS, ids=lambda path: path.stem)
def test_files_of_results(path):
    text = path.read_text(encoding="utf-8")
    results = json.loads(text)
    assert list(results) == KEYS
    assert all(isinstance(results[key], str) for key in KEYS[:-2])
    assert results["title"]
    assert results["about"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", results["date"])
    assert not re.search(r"/(home|root|work|tmp)/", text)
    for table in results["tables"]:
        assert list(table) == ["caption", "columns", "rows"]
        assert len(set(table["columns"])) == len(table["columns"])
        assert table["rows"]
        for row in table["rows"]:
            assert [type(cell) for cell in row] == [str] * len(table["columns"])


@pytest.mark.parametrize(
    "path", [path for path in RESULTS if path.stem not in FACTS], ids=lambda path: path.stem
)
def test_the_command_names_a_tool(path):
    python, tool, *_ = shlex.split(json.loads(path.read_text(encoding="utf-8"))["command"])
    assert python == "python"
    assert (ROOT / tool).is_file()


@pytest.mark.parametrize(
    "path", sorted((ROOT / "tools").glob("bench_*.py")), ids=lambda path: path.stem
)
def test_a_benchmark_says_what_it_takes(path):
    result = CliRunner().invoke(import_module(path.stem).main, ["--help"], catch_exceptions=False)
    assert result.exit_code == 0
    assert "--json FILE" in result.output
