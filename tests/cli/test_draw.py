"""Pictures in a terminal: as wide as the terminal, and in colours unless switched off."""

import re

import pytest
from terminal import shown_on_terminal

from plcfrs.cli import run

TREE = "(ROOT (S (VP (WP 0=What) (VB 3=do)) (MD 1=should) (PRP 2=we)) (. 4=?))\n"
COLOUR = re.compile(r"\x1b\[\d*m")
DRAW = """
import os, sys
from plcfrs.cli import run

for no_color, *options in eval(sys.argv[1]):
    os.environ["NO_COLOR"] = no_color
    assert run(["draw", sys.argv[2], "--gaps", *options]) == 0
    print("=", flush=True)
"""
CASES = [
    ("",),
    ("1",),
    ("1", "--color", "always"),
    ("", "--color", "never"),
    ("", "--width", "80"),
]


@pytest.fixture(scope="module")
def pictures(tmp_path_factory):
    """What is drawn in a terminal of 20 columns, with each of the options."""
    file = tmp_path_factory.mktemp("trees") / "trees.discbracket"
    file.write_text(TREE, encoding="utf-8")
    arguments = ["-c", DRAW, repr(CASES), str(file)]
    shown = shown_on_terminal(*arguments, stream="stdout", COLUMNS="20")
    return dict(zip(CASES, shown.replace("\r\n", "\n").split("=\n"), strict=False))


def width(picture):
    return max(map(len, COLOUR.sub("", picture).split("\n")))


@pytest.mark.full
def test_terminal(pictures):
    picture = pictures[CASES[0]]
    assert COLOUR.search(picture)
    assert width(picture) <= 20
    assert {"What", "should", "we", "do", "?"} <= set(picture.split())


@pytest.mark.full
def test_colours(pictures):
    for case, coloured in [(CASES[1], False), (CASES[2], True), (CASES[3], False)]:
        assert pictures[case].split()
        assert bool(COLOUR.search(pictures[case])) == coloured


@pytest.mark.full
def test_width_that_was_asked_for(pictures):
    assert width(pictures[CASES[4]]) > 20


def test_wide_as_it_is_in_a_pipe(tmp_path, capsys):
    (tmp_path / "a.discbracket").write_text(TREE, encoding="utf-8")
    assert run(["draw", str(tmp_path / "a.discbracket"), "--gaps"]) == 0
    picture = capsys.readouterr().out
    assert not COLOUR.search(picture)
    assert width(picture) > 20


def test_traces_of_annotations_are_drawn(plcfrs):
    plcfrs("convert", "plcfrs:demo", "--sentences", "2", "-o", "demo.mrg")
    plcfrs("transform", "plcfrs:demo", "--sentences", "2", "--annotation", "-o", "demo.jsonl")
    drawn = plcfrs("draw", "demo.jsonl", "--traces", "--to", "svg").out
    assert "data-trace" in drawn
    assert drawn == plcfrs("draw", "demo.mrg", "--to", "svg").out
    assert "-NONE-" not in plcfrs("draw", "demo.jsonl").out
