"""The example scripts and the Python of the README run, and print what they say."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
EXPECTED = {
    "gap_fillers.py": r"VP +around",
    "train_and_parse.py": r"sentences parsed\nF1 \d+\.\d\d",
    "fronting.py": r"VP_2",
}


def run(*arguments):
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout


@pytest.mark.parametrize("script", sorted(EXPECTED))
def test_example(script):
    assert re.search(EXPECTED[script], run(ROOT / "examples" / script))


def test_every_example_is_tested():
    assert {path.name for path in (ROOT / "examples").glob("*.py")} == set(EXPECTED)


def test_python_of_the_readme(tmp_path):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    assert len(blocks) == 4
    script = tmp_path / "readme.py"
    code = "".join(blocks).replace('"demo.yaml"', repr(str(tmp_path / "demo.yaml")))
    script.write_text(code, encoding="utf-8")
    assert "What" in run(script)


def test_commands_of_the_readme(tmp_path):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = [
        re.search(rf"## {title}\n\n.*?```sh\n(.*?)```", text, flags=re.DOTALL)[1]
        for title in ("The command line", "Refined grammars", "Transition parsers")
    ]
    plcfrs = f'plcfrs() {{ "{sys.executable}" -m plcfrs "$@"; }}\nset -e -o pipefail\n'
    script = plcfrs + "".join(blocks).replace("| less", "")
    done = subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert "30 of 30 sentences parsed" in done.stderr
    assert "LF1" in done.stdout
    assert (tmp_path / "demo.export").exists()
    assert (tmp_path / "demo.lex").exists()
    assert (tmp_path / "refined.discbracket").exists()
    assert (tmp_path / "gap.discbracket").exists()
    assert (tmp_path / "demo.skipshift").exists()


def test_public_names_are_there_whatever_was_imported_before():
    code = (
        "import plcfrs.extraction.extraction, plcfrs.transformation.presets, plcfrs.pipeline\n"
        "import plcfrs\n"
        "from plcfrs import *\n"
        "for name in plcfrs.__all__:\n"
        "    assert callable(getattr(plcfrs, name)) == (name != 'PRESETS'), name\n"
        "print('all')\n"
    )
    assert run("-c", code) == "all\n"
