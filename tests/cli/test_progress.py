"""Progress bars: only on a terminal, with the number done and the total."""

import pytest
from terminal import shown_on_terminal

from plcfrs.cli import run


@pytest.mark.full
@pytest.mark.parametrize(
    ("options", "total"),
    [([], 140), (["--sentences", "21-30"], 30), (["--max-length", "9"], 140)],
)
def test_extract(tmp_path, options, total):
    output = str(tmp_path / "a.plcfrs")
    shown = shown_on_terminal("-m", "plcfrs", "extract", "plcfrs:demo", *options, "-o", output)
    assert "extract: " in shown
    assert f"/{total} [" in shown


def test_no_bar_in_a_pipe(tmp_path, capfd):
    assert run(["extract", "plcfrs:demo", "-o", str(tmp_path / "a.plcfrs")]) == 0
    assert "extract" not in capfd.readouterr().err
