"""Odd text that can be read, and text that cannot: the line is named."""

import gzip
from pathlib import Path

import pytest

from plcfrs.cli import run
from plcfrs.errors import PlcfrsError, TreebankError
from plcfrs.experiment.loading import load_experiment
from plcfrs.query import parse_query
from plcfrs.treebank import FORMATS, WRITABLE, read_trees, write_trees
from plcfrs.trees import Node, Token, Tree

GRAMMAR = """\
plcfrs: 1
start: S
rules: |
  S -> A S 1
  S -> A 1
lexicon: |
  A a 1
  A b 1
"""
PARSED = "(ROOT (S (A 0=a) (S (A 1=b))))"
EMPTY = "(ROOT (NOPARSE))"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "g.yaml").write_text(GRAMMAR, encoding="utf-8")
    return tmp_path


def test_odd_lines_are_parsed_in_their_order(folder, capsys):
    for content, lines in [
        (b"\n\na b\n\n", [EMPTY, EMPTY, PARSED, EMPTY]),
        (b"a b", [PARSED]),
        (b"a b\r\na\tb\na  b \r\n\r\n", [PARSED, PARSED, PARSED, EMPTY]),
        (b"a\rb\n", [PARSED]),
        (b"\xef\xbb\xbfa b\n", [PARSED]),
        (b"a b\na\x01 b\n", [PARSED, "(ROOT (NOPARSE (UNKNOWN 0=a\x01) (A 1=b)))"]),
        (b"a\xc2\xa0b\n", ["(ROOT (NOPARSE (UNKNOWN 0=a\xa0b)))"]),
        (b"", []),
    ]:
        (folder / "in.tokens").write_bytes(content)
        assert run(["parse", "g.yaml", "in.tokens"]) == 0
        assert capsys.readouterr().out.split("\n") == [*lines, ""]


def test_lines_that_are_no_text(folder, capsys):
    for content, problem in [
        (b"a b\na \xff b\na b\n", "byte 0xff is not utf-8"),
        (b"a b\na\x00b\na b\n", "not a text file: it has a NUL byte"),
    ]:
        (folder / "in.tokens").write_bytes(content)
        assert run(["parse", "g.yaml", "in.tokens"]) == 2
        captured = capsys.readouterr()
        assert captured.out == f"{PARSED}\n"
        assert captured.err.splitlines()[-1].startswith(f"plcfrs: in.tokens:2: {problem}")
        assert run(["parse", "g.yaml", "in.tokens", "--skip-bad"]) == 0
        assert capsys.readouterr().out == f"{PARSED}\n" * 2


WORD = "a b\t(c)[d]{e}/f=g<h>&i\"j'#k%%"


def test_a_word_of_all_signs(tmp_path):
    """Text that a format cannot hold is escaped, and read as it was."""
    for format in WRITABLE:
        words = [WORD, "x/y/z", "1=2", "((", "]", "=", "/", "\\", "&amp;", "-", "_"]
        tokens = [Token(word, "A/B=(C)") for word in words]
        tree = Tree(Node("ROOT", children=[Node("S", children=list(range(len(words))))]), tokens)
        path = tmp_path / "x"
        write_trees([tree], path, format)
        (once,) = read_trees(path, format)
        if format in ("brackets", "penn"):  # as in the Penn Treebank
            words = [word.replace("(", "-LRB-").replace(")", "-RRB-") for word in words]
        assert once.words() == words
        if format != "tokens":
            assert {token.tag for token in once.tokens} == {"A/B=(C)"}
        content = path.read_bytes()
        write_trees([once], path, format)
        (twice,) = read_trees(path, format)
        assert path.read_bytes() == content
        assert [token.form for token in twice.tokens] == [token.form for token in once.tokens]


def test_sentences_with_the_same_identifier_are_kept(tmp_path):
    for format in ["export", "export3", "tigerxml"]:
        trees = [
            Tree(Node("ROOT", children=[0]), [Token(word, "A")], identifier)
            for word, identifier in [("a", "7"), ("b", "7"), ("c", "8")]
        ]
        path = tmp_path / "x"
        assert write_trees(trees, path, format) == 3
        read = list(read_trees(path, format))
        assert [tree.tokens[0].form for tree in read] == ["a", "b", "c"]
        assert [tree.id.removeprefix("s") for tree in read] == ["7", "7", "8"]


def test_a_file_that_vanishes(tmp_path):
    for format in FORMATS:
        path = tmp_path / "x"
        path.touch()
        trees = read_trees(path, format)
        path.unlink()
        with pytest.raises(TreebankError, match="x: cannot be read: No such file"):
            next(trees)


def test_a_folder_with_the_name_of_a_file(folder, capsys):
    (folder / "d.mrg").mkdir()
    for arguments in (
        ["parse", "d.mrg", "plcfrs:demo"],
        ["inspect", "d.mrg"],
        ["convert", "d.mrg"],
        ["convert", "plcfrs:demo", "-o", "d.mrg"],
        ["extract", "plcfrs:demo", "-o", "d.mrg"],
        ["transform", "plcfrs:demo", "--head-rules", "d.mrg"],
        ["transform", "plcfrs:demo", "--corrections", "d.mrg"],
        ["eval", "plcfrs:demo", "plcfrs:demo", "--settings", "d.mrg"],
        ["experiment", "d.mrg"],
    ):
        assert run(arguments) == 2, arguments
        error = capsys.readouterr().err.splitlines()[-1]
        assert error.startswith("plcfrs: d.mrg: "), arguments
        assert "Errno" not in error


@pytest.mark.full
def test_lines_of_four_thousand_tokens(tmp_path):
    """They are read and written in all formats, flat or 1,500 nodes deep."""
    tokens = [Token(f"w{number}", "A") for number in range(4_000)]
    flat = Tree(Node("ROOT", children=list(range(len(tokens)))), tokens)
    node = Node("S", children=list(range(1_499, 4_000)))
    for number in range(1_498, -1, -1):
        node = Node("S", children=[number, node])
    deep = Tree(Node("ROOT", children=[node]), tokens)
    for format in WRITABLE:
        path = tmp_path / f"x.{format}.gz"
        assert write_trees([flat, deep], path, format) == 2
        assert gzip.decompress(path.read_bytes())
        for tree in read_trees(path, format):
            assert [token.form for token in tree.tokens] == [token.form for token in tokens]


def test_long_lines_on_the_command_line(folder, capsys):
    (folder / "long.tokens").write_text("a b " * 5_000, encoding="utf-8")
    assert run(["convert", "long.tokens", "-o", "long.discbracket"]) == 0
    assert run(["eval", "long.discbracket", "long.discbracket"]) == 0
    assert run(["find", "long.discbracket", "ROOT", "--count"]) == 0
    assert "Traceback" not in capsys.readouterr().err


def test_numbers_of_thousands_of_digits(tmp_path):
    """Found by fuzzing."""
    path = tmp_path / "x.yaml"
    seed = Path(__file__).with_name("fuzz_seeds") / "experiment.yaml"
    path.write_bytes(seed.read_bytes().replace(b"grammars: 2", b"grammars: " + b"9" * 20))
    with pytest.raises(PlcfrsError, match="is not a whole number from 1 to 1000"):
        load_experiment(path)
    with pytest.raises(PlcfrsError, match="query, column"):
        parse_query(f"VP <{'9' * 5000} NP")
