"""Standard output that is not UTF-8: no traceback, and nothing is lost without a word.

Where there is only ASCII, click takes that for a mistake and writes UTF-8 (find).
"""

import subprocess
import sys
from io import BytesIO, TextIOWrapper

import pytest
from quick import full

from plcfrs.cli import run
from plcfrs.treebank import write_trees
from plcfrs.trees import Node, Token, Tree

PLAIN = ["Kato", "kuras"]
CZECH = ["Žena", "pěje"]
LATIN = ["Frau", "hört"]


@pytest.fixture
def printed(monkeypatch, tmp_path):
    """A function that runs a command, and returns its code and what it prints in an encoding."""

    def of(encoding, words, *command):
        tokens = [Token(words[0], "NN"), Token(words[1], "VB")]
        tree = Tree(Node("ROOT", children=[Node("S", children=[0, 1])]), tokens, "1")
        write_trees([tree], tmp_path / "a.export")
        output = TextIOWrapper(BytesIO(), encoding)
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", output)
            patch.chdir(tmp_path)
            code = run(list(command))
        output.flush()
        return code, output.buffer.getvalue().decode(encoding)

    return of


def test_pictures_have_the_lines_that_the_encoding_has(printed):
    for encoding, words in [
        ("ascii", PLAIN),
        ("latin-1", LATIN),
        ("cp1252", LATIN),
        ("cp437", LATIN),
        ("iso-8859-2", CZECH),
        ("cp1250", CZECH),
        ("utf-8", CZECH),
        ("utf-16", CZECH),
    ]:
        code, picture = printed(encoding, words, "draw", "a.export", "--gaps")
        assert code == 0
        assert picture.split()[-2:] == words
        assert ("┌" in picture) == encoding.startswith("utf")


@pytest.mark.parametrize("encoding", ["cp1252", *map(full, ("ascii", "latin-1", "koi8-r"))])
@pytest.mark.parametrize(
    "command",
    [
        "draw a.export",
        "draw a.export --to tikz",
        "draw a.export --to svg",
        "find a.export S --to tagged",
        "convert a.export --to tokens",
        "convert a.export --to tigerxml",
        "convert a.export --to export",
        "transform a.export",
    ],
)
def test_what_the_encoding_lacks_is_said_in_one_line(printed, capsys, encoding, command):
    code, _ = printed(encoding, CZECH, *command.split())
    said = capsys.readouterr().err.splitlines()
    assert code == 2
    assert len(said) == 1
    assert f"cannot be written in {encoding}: use utf-8 (set PYTHONIOENCODING=utf-8" in said[0]


def test_surprisal(printed, capsys, monkeypatch, tmp_path):
    """Where the words of a table cannot be written."""
    monkeypatch.chdir(tmp_path)
    assert run(["extract", "plcfrs:demo", "--sentences", "1-30", "-o", "small.plcfrs"]) == 0
    (tmp_path / "words.txt").write_text("The pěje\n", encoding="utf-8")
    capsys.readouterr()
    assert printed("cp1252", CZECH, "surprisal", "small.plcfrs", "words.txt")[0] == 2
    assert "'ě' cannot be written in cp1252" in capsys.readouterr().err


def test_matches(printed, capsys):
    for command in ["find a.export S", "find a.export S --draw"]:
        assert printed("cp1252", CZECH, *command.split())[0] == 2
        assert "'ě' cannot be written in cp1252" in capsys.readouterr().err
        assert printed("cp1250", CZECH, *command.split())[0] == 0


def test_help_is_shown_in_any_encoding(printed):
    code, text = printed("cp1251", PLAIN, "convert", "--help")
    assert code == 0
    assert "--text-encoding" in text


@pytest.mark.full
def test_names_of_files_that_are_no_text(tmp_path):
    (tmp_path / "x\udcff.mrg").write_text("(S (N kato))\n", encoding="utf-8")
    command = [sys.executable, "-m", "plcfrs", "convert", "x\udcff.mrg", "-o", "a.export"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "'\\udcff' is not a character: rename the file" in done.stderr
