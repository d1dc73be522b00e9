"""Pictures in a terminal: as wide as the terminal, and in colours unless switched off."""

import re

import pytest
from terminal import shown_on_terminal

TREE = "(ROOT (S (VP (WP 0=What) (VB 3=do)) (MD 1=should) (PRP 2=we)) (. 4=?))\n"
COLOUR = re.compile(r"\x1b\[\d*m")


def drawn_in_terminal(tmp_path, *options, **environment):
    file = tmp_path / "trees.discbracket"
    file.write_text(TREE, encoding="utf-8")
    command = ["-m", "plcfrs", "draw", str(file), "--gaps", *options]
    variables = {"COLUMNS": "20", "NO_COLOR": "", **environment}
    return shown_on_terminal(*command, stream="stdout", **variables).replace("\r\n", "\n")


def width(picture):
    return max(map(len, COLOUR.sub("", picture).split("\n")))


def test_terminal(tmp_path):
    picture = drawn_in_terminal(tmp_path)
    assert COLOUR.search(picture)
    assert width(picture) <= 20
    assert {"What", "should", "we", "do", "?"} <= set(picture.split())


@pytest.mark.parametrize(
    ("options", "environment", "coloured"),
    [
        ((), {"NO_COLOR": "1"}, False),
        (("--color", "always"), {"NO_COLOR": "1"}, True),
        (("--color", "never"), {}, False),
    ],
)
def test_colours(tmp_path, options, environment, coloured):
    assert bool(COLOUR.search(drawn_in_terminal(tmp_path, *options, **environment))) == coloured


def test_width_that_was_asked_for(tmp_path):
    assert width(drawn_in_terminal(tmp_path, "--width", "80")) > 20


def test_wide_as_it_is_in_a_pipe():
    command = [sys.executable, "-m", "plcfrs", "draw", "-", "--gaps"]
    done = subprocess.run(command, input=TREE, capture_output=True, text=True, check=True)
    assert not COLOUR.search(done.stdout)
    assert width(done.stdout) > 20
