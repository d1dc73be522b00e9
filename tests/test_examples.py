"""The example scripts run, and print what their descriptions say."""

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


@pytest.mark.full
@pytest.mark.parametrize("script", sorted(EXPECTED))
def test_example(script):
    assert re.search(EXPECTED[script], run(ROOT / "examples" / script))


def test_every_example_is_tested():
    assert {path.name for path in (ROOT / "examples").glob("*.py")} == set(EXPECTED)


@pytest.mark.full
def test_public_names_are_there_whatever_was_imported_before():
    code = (
        "import plcfrs.grammar.extraction, plcfrs.transformation.presets, plcfrs.parsing\n"
        "import plcfrs\n"
        "from plcfrs import *\n"
        "for name in plcfrs.__all__:\n"
        "    assert callable(getattr(plcfrs, name)) == (name != 'PRESETS'), name\n"
        "print('all')\n"
    )
    assert run("-c", code) == "all\n"
