"""Which figures are older than their code, and that they are made again by their commands."""

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

sys.path.append(str(Path(__file__).parents[2] / "tools"))
import figures
import sources

TOOL = """import json, sys
from pathlib import Path
Path(sys.argv[-1]).write_text(json.dumps(sys.argv[1:-1]))
"""


@pytest.fixture
def house(tmp_path, monkeypatch):
    """Return a small house with a tool, a folder of code, and results in several states."""
    for module, root in ((figures, "ROOT"), (sources, "ROOT"), (figures, "RESULTS")):
        monkeypatch.setattr(module, root, tmp_path)
    for folder in ("plcfrs/tea", "tools"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "plcfrs/tea/green.py").write_text("MINUTES = 2\n")
    (tmp_path / "tools/bench_tea.py").write_text(TOOL)
    now = sources.hashes(["plcfrs/tea", "tools/bench_tea.py"])
    command = "python tools/bench_tea.py --cups 'two or three'"
    files = {
        "tea": (command, now),
        "moved": (command, {"plcfrs/coffee": "unknown"} | now),
        "unknown": (command, {}),
        "published": ("", {}),
    }
    for name, (line, known) in files.items():
        results = {"command": line, "date": "2026-11-28", "sources": known}
        (tmp_path / f"{name}.json").write_text(json.dumps(results))
    return tmp_path


def run(*arguments):
    sources._hash.cache_clear()
    return CliRunner().invoke(figures.main, arguments)


def states(*arguments):
    lines = [line.split("\t") for line in run(*arguments).output.splitlines()]
    return {name: rest for name, _, *rest in lines}


@pytest.mark.usefixtures("house")
def test_the_list():
    assert states() == {
        "moved": ["older", "coffee"],
        "published": ["not made by a tool"],
        "tea": ["fresh"],
        "unknown": ["older"],
    }
    assert list(states("--older")) == ["moved", "unknown"]


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("plcfrs/tea/green.py", "MINUTES = 3\n", ["older", "tea"]),
        ("plcfrs/tea/black.py", "", ["older", "tea"]),
        ("tools/bench_tea.py", "pass\n", ["older", "tools/bench_tea.py"]),
        ("plcfrs/tea/green.py", '"""Green tea."""\n\n# Not more.\nMINUTES = 2\n', ["fresh"]),
        ("plcfrs/cake.py", "", ["fresh"]),
    ],
)
def test_what_has_changed(house, path, text, expected):
    (house / path).write_text(text)
    assert states()["tea"] == expected


def test_a_file_is_made_again_by_its_command(house):
    result = run("tea")
    assert result.exit_code == 0, result.output
    assert json.loads((house / "tea.json").read_text()) == ["--cups", "two or three", "--json"]


@pytest.mark.parametrize(
    ("name", "code", "message"),
    [("published", 1, "no tool makes published.json"), ("coffee", 2, "no coffee: expected some")],
)
@pytest.mark.usefixtures("house")
def test_what_cannot_be_made(name, code, message):
    result = run(name)
    assert (result.exit_code, message in result.output) == (code, True)


def test_a_tool_that_fails(house):
    (house / "tools/bench_tea.py").write_text("raise SystemExit(3)\n")
    result = run("tea")
    assert result.exit_code == 1
    assert "tea.json could not be made again" in result.output


@pytest.mark.full
def test_all_files_of_the_documentation_have_a_state():
    names = [path.stem for path in figures.RESULTS.glob("*.json")]
    assert len(names) > 30
    assert {figures.state_of(name)[0] for name in names} <= {"fresh", "older", "not made by a tool"}
