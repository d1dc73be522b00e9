"""The figures of a source tree, on a small one whose lines are counted by hand."""

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from plcfrs import read_trees, train, transform

sys.path.append(str(Path(__file__).parents[2] / "tools"))
import house

MODULE = '''\
"""A module
of two lines."""

# A comment.
from pathlib import (
    Path,
)

@first
@second(
    3,
)
def pour(cups):
    """Pour."""
    # Slowly.
    def cool(): pass

    return Path("""
a # in a string
""")
'''


@pytest.fixture
def tree(tmp_path):
    files = {
        "plcfrs/__init__.py": "",
        "plcfrs/tea.py": MODULE,
        "plcfrs/long.py": "def stir():\n" + "    turn()\n" * 40,
        "plcfrs/web/static/page.js": "// A comment.\n\nrun();\n",
        "plcfrs/web/static/vendor/other.js": "run();\n",
        "tools/brew.py": '"""Brew."""\nbrew()\n',
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def test_the_figures_of_a_small_tree(tree):
    figures, longest = house.sizes(tree)
    assert figures == {
        "code lines in plcfrs": 12 + 41,
        "modules": 3,
        house.MEDIAN: 12,
        "imports, % of code lines": round(100 * 3 / 53, 1),
        "docstrings, % of lines": round(100 * 3 / (20 + 41), 1),
        "functions over 40 lines": 1,
        "lines of the longest function": 41,
        "lines of JavaScript": 3,
        "code lines in tools": 1,
    }
    assert longest == "stir in long.py"


def test_a_function_has_its_decorators_but_no_docstring(tree):
    module = house.Module.of(tree / "plcfrs/tea.py")
    assert module.functions == [(9, "pour in tea.py"), (1, "cool in tea.py")]


def test_a_figure_may_not_get_worse():
    limits = {"modules": 3, house.MEDIAN: 12}
    assert not list(house.worse({"modules": 2, house.MEDIAN: 12.5}, limits))
    assert [
        line.split(";")[0] for line in house.worse({"modules": 4, house.MEDIAN: 11}, limits)
    ] == [
        "modules: 4, which was 3",
        f"{house.MEDIAN}: 11, which was 12",
    ]


@pytest.mark.full
def test_a_check_fails_with_a_line_a_figure(monkeypatch, tmp_path):
    limits = json.loads(house.LIMITS.read_text(encoding="utf-8"))
    monkeypatch.setattr(house, "LIMITS", tmp_path / "limits.json")
    house.LIMITS.write_text(
        json.dumps(dict.fromkeys(limits, 10**6) | {"modules": 1, house.MEDIAN: 1})
    )
    result = CliRunner().invoke(house.main, ["--check"])
    assert result.exit_code == 1
    assert "CHANGELOG.md" in result.output.splitlines()[-1]
    assert result.output.count("which was") == 1


@pytest.mark.full
def test_each_figure_has_a_limit():
    limits = json.loads(house.LIMITS.read_text(encoding="utf-8"))
    passes = [f"files passed: {kind}" for kind in (*house.SHORT, "combined")]
    assert list(limits) == [*house.sizes(house.ROOT)[0], *passes]


@pytest.mark.full
def test_files_that_a_sentence_passes(tmp_path):
    train("grammar", [transform(tree) for tree in read_trees("plcfrs:demo")]).save(
        tmp_path / "model"
    )
    with house.get_context("spawn").Pool(1) as fresh:
        passed = fresh.apply(house.files_passed, [str(tmp_path / "model")])
    found = {str(Path(path).relative_to(house.ROOT)) for path in passed}
    assert {"plcfrs/__main__.py", "plcfrs/cli/parse_command.py", "plcfrs/trees/tree.py"} <= found
    assert not {path for path in found if "web" in path or "neural" in path}
