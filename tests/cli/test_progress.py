"""Progress bars: only on a terminal, with the number done and the total."""

import subprocess
import sys

import pytest
from terminal import shown_on_terminal


@pytest.mark.parametrize(
    ("options", "total"),
    [
        pytest.param([], 140, marks=pytest.mark.full),
        (["--sentences", "21-30"], 30),
        pytest.param(["--max-length", "9"], 140, marks=pytest.mark.full),
    ],
)
def test_extract(tmp_path, options, total):
    output = str(tmp_path / "a.plcfrs")
    shown = shown_on_terminal("-m", "plcfrs", "extract", "plcfrs:demo", *options, "-o", output)
    assert "extract: " in shown
    assert f"/{total} [" in shown


def test_no_bar_in_a_pipe(tmp_path):
    command = [sys.executable, "-m", "plcfrs", "extract", "plcfrs:demo", "-o", tmp_path / "a"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "extract" not in done.stderr
