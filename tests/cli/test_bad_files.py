"""Files that are neither a treebank nor a grammar: one line of error, exit code 2, no traceback."""

import gzip

from plcfrs.cli import run

GRAMMAR = "plcfrs: 1\nstart: S\nrules: |\n  S -> A [0] 1\nlexicon: |\n  A a 1\n"


def make(tmp_path, kind):
    path = tmp_path / f"{kind}.mrg"
    if kind == "directory":
        path.mkdir(exist_ok=True)
    elif kind == "empty":
        path.touch()
    elif kind == "binary":
        path.write_bytes(bytes(range(256)) * 10)
    elif kind == "latin1":
        path.write_bytes("( (S (NN Gemüse)))".encode("latin-1"))
    elif kind == "cut":
        path = tmp_path / "cut.mrg.gz"
        path.write_bytes(gzip.compress(b"( (S (NN word)))\n" * 1000)[:-20])
    elif kind == "nogzip":
        path = tmp_path / "nogzip.mrg.gz"
        path.write_text("( (S (NN word)))")
    return path


def test_bad_treebank(tmp_path, capsys):
    for command in ["transform", "extract", "parse", "eval", "convert", "draw"]:
        for kind in ["missing", "directory", "empty", "binary", "latin1", "cut", "nogzip"]:
            path = str(make(tmp_path, kind))
            grammar = tmp_path / "grammar.yaml"
            grammar.write_text(GRAMMAR)
            others = {
                "transform": [],
                "convert": [],
                "draw": [],
                "extract": ["-o", str(tmp_path / "new.plcfrs")],
                "parse": ["-o", str(tmp_path / "parses.export")],
                "eval": [path],
            }[command]
            first = [str(grammar)] if command == "parse" else []
            assert run([command, *first, path, *others]) == 2
            stderr = capsys.readouterr().err
            assert path in stderr
            problem = [line for line in stderr.splitlines() if line.startswith("plcfrs: ")]
            assert len(problem) == 1
            assert not (tmp_path / "new.plcfrs").exists()
            assert not (tmp_path / "parses.export").exists()


def test_bad_grammar(tmp_path, capsys):
    for command in ["parse", "inspect"]:
        for kind in ["missing", "directory", "empty", "binary", "latin1"]:
            path = str(make(tmp_path, kind))
            sentences = ["plcfrs:demo"] if command == "parse" else []
            assert run([command, path, *sentences]) == 2
            captured = capsys.readouterr()
            assert captured.out == ""
            assert captured.err.startswith(f"plcfrs: {path}: ")
            assert captured.err.count("\n") == 1


def test_output_that_cannot_be_written(tmp_path, capsys):
    assert run(["convert", "plcfrs:demo", "-o", str(tmp_path / "no" / "where.export")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_output_of_an_unknown_format(tmp_path, capsys):
    assert run(["convert", "plcfrs:demo", "-o", str(tmp_path / "trees.doc")]) == 2
    assert "--to" in capsys.readouterr().err
