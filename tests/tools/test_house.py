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
        "plcfrs/long.py": "def stir():\n" + "    turn()\n" * 60,
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
    assert house.sizes(tree) == {
        "code lines in plcfrs": 12 + 61,
        "modules": 3,
        "imports, % of code lines": round(100 * 3 / 73, 1),
        "lines of JavaScript": 3,
        "code lines in tools": 1,
    }
    assert house.long_functions(tree) == ["stir in long.py: 61 lines"]


def test_a_function_has_its_decorators_but_no_docstring(tree):
    module = house.Module.of(tree / "plcfrs/tea.py")
    assert module.functions == {"pour in tea.py": 9, "cool in tea.py": 1}


def test_circles_of_files(tmp_path, monkeypatch):
    files = {
        "__init__": "",
        "kettle": "from teahouse import stove",
        "stove": "def heat():\n    from teahouse.water import boil",
        "water": "import teahouse.kettle",
        "cup": "from teahouse import kettle",
        "saucer": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import teahouse.spoon",
        "spoon": "import teahouse.saucer",
    }
    (tmp_path / "teahouse").mkdir()
    for name, text in files.items():
        (tmp_path / f"teahouse/{name}.py").write_text(f"{text}\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    assert house.circles("teahouse") == ["teahouse.kettle, teahouse.stove, teahouse.water"]


def test_a_check_fails_with_what_is_too_much(tree, monkeypatch):
    for allowed, code in [(1, 0), (0, 1)]:
        monkeypatch.setattr(house, "ROOT", tree)
        monkeypatch.setattr(house, "LIMITS", tree / "limits.json")
        monkeypatch.setattr(house, "circles", lambda _: [])
        limits = {"circles of files": 0, "functions over 60 lines": allowed}
        house.LIMITS.write_text(json.dumps(limits), encoding="utf-8")
        result = CliRunner().invoke(house.main, ["--check"])
        assert result.exit_code == code
        assert "stir in long.py: 61 lines" in result.output
        assert ("functions over 60 lines: 1, allowed: 0" in result.output) == bool(code)


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
