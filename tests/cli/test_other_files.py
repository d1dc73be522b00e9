"""Files of another kind than a command reads, and folders that are missing."""

import bz2
import gzip
import io
import lzma
import tarfile

import pytest

from plcfrs.cli import run
from plcfrs.treebank import read_trees

EXPORT = "#FORMAT 4\n#BOS 1\nkato\t--\tNN\t--\t--\t0\nkuras\t--\tVB\t--\t--\t0\n#EOS 1\n"


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """A folder with grammars in all formats, a trained parser and a treebank."""
    folder = tmp_path_factory.mktemp("models")
    few = ["plcfrs:demo", "--sentences", "1-20"]
    assert run(["extract", *few, "-o", str(folder / "g.plcfrs")]) == 0
    for name in ("g.yaml", "g.rules"):
        assert run(["convert", str(folder / "g.plcfrs"), "-o", str(folder / name)]) == 0
    assert run(["train", "gap", *few, "--epochs", "1", "-o", str(folder / "p.gap")]) == 0
    (folder / "words.txt").write_text("kato kuras\n", encoding="utf-8")
    (folder / "t.export").write_text(EXPORT, encoding="utf-8")
    return folder


def said(capsys, *command):
    """Run a command that fails, and return the line that it says."""
    capsys.readouterr()
    assert run(list(map(str, command))) == 2
    (line,) = capsys.readouterr().err.splitlines()
    return line


def test_a_model_where_a_treebank_is_read(models, capsys):
    for name, what in [
        ("g.plcfrs", "grammar"),
        ("g.yaml", "grammar"),
        ("g.rules", "grammar"),
        ("p.gap", "trained parser"),
    ]:
        path, out = models / name, models / "never"
        for command in (
            ["draw", path],
            ["train", "gap", path, "-o", out],
            ["extract", path, "-o", out],
            ["find", path, "NP"],
            ["transform", path],
            ["parse", models / "g.plcfrs", path],
            ["eval", path, models / "t.export"],
            ["train", "gap", path, "-o", out],
        ):
            assert said(capsys, *command) == f"plcfrs: {path}: this is a {what}, not a treebank"


def test_a_treebank_where_a_model_is_read(models, capsys, monkeypatch):
    for treebank in ["t.export", "plcfrs:demo"]:
        monkeypatch.chdir(models)
        for command in (
            ["inspect", treebank],
            ["inspect", "g.plcfrs", "--diff", treebank],
            ["parse", treebank, "words.txt"],
            ["explain", treebank, "kato"],
            ["surprisal", treebank, "words.txt"],
        ):
            line = said(capsys, *command)
            assert line.startswith(f"plcfrs: {treebank}: this is a treebank, not a model")


def tar(content):
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        member = tarfile.TarInfo("a.export")
        member.size = len(content)
        archive.addfile(member, io.BytesIO(content))
    return file.getvalue()


def test_text_that_is_packed(tmp_path, models, capsys):
    for pack, what in [
        (lambda text: b"\xff\xfe" + text.decode().encode("utf-16-le"), "UTF-16: convert it"),
        (
            lambda text: text.decode().encode("utf-16-be"),
            "UTF-16: convert it to utf-8, for example with",
        ),
        (
            lambda text: text.decode().encode("utf-16-le"),
            "UTF-16: convert it to utf-8, for example with",
        ),
        (bz2.compress, "compressed with bzip2: unpack it first, for example with bunzip2"),
        (lzma.compress, "compressed with xz: unpack it first, for example with unxz"),
        (gzip.compress, "compressed with gzip: unpack it, or give it a name that ends in .gz"),
        (tar, "a tar archive: unpack it first"),
        (lambda text: b"PK\x03\x04" + text, "a zip file: unpack it, or give it a name that"),
        (lambda _: b"\x28\xb5\x2f\xfd\x04\x00", "compressed with zstd"),
    ]:
        for name in ["a.export", "a.txt", "a"]:
            path = tmp_path / name
            path.write_bytes(pack(EXPORT.encode()))
            for command in (["draw", path], ["parse", models / "g.plcfrs", path]):
                assert f"{path}: this is {what}" in said(capsys, *command)


def test_text_that_only_begins_oddly(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("plcfrs : kato\nBZ h\nPK\n", encoding="utf-8")
    assert [tree.words() for tree in read_trees(path)] == [
        ["plcfrs", ":", "kato"],
        ["BZ", "h"],
        ["PK"],
    ]
    with gzip.open(tmp_path / "a.export.gz", "wt", encoding="utf-8") as file:
        file.write(EXPORT)
    assert len(list(read_trees(tmp_path / "a.export.gz"))) == 1


def test_a_missing_folder_is_named(models, capsys, monkeypatch):
    for folder in ["nodir", "nodir/a", "words.txt"]:
        monkeypatch.chdir(models)
        for command, name in (
            ("parse g.plcfrs words.txt -o", "x.export"),
            ("parse g.plcfrs words.txt --stats", "s"),
            ("convert t.export -o", "x.dbr"),
            ("convert g.plcfrs -o", "x.yaml"),
            ("draw t.export -o", "x.svg"),
            ("transform t.export -o", "x.dbr"),
            ("surprisal g.plcfrs words.txt -o", "x.tsv"),
            ("find t.export NN -o", "x.export"),
            ("extract t.export -o", "x.plcfrs"),
            ("train gap t.export -o", "x.gap"),
            ("eval t.export t.export -o", "x.csv"),
            ("inspect g.plcfrs -o", "x.yaml"),
        ):
            output = f"{folder}/{name}"
            line = said(capsys, *command.split(), output)
            assert line == f"plcfrs: {output}: there is no folder {folder}"


def test_a_query_with_what_does_not_occur(models, capsys):
    for query, absent in [
        ("NPP", ["NPP"]),
        ("NN < NPP", ["NPP"]),
        ("/^Q/", ["/^Q/"]),
        ("kato|NN", []),
        ("NPP < Foo", ["NPP", "Foo"]),
        ("NN !< Foo", []),
        ("NN < XX|/^Y/", ["XX|/^Y/"]),
    ]:
        capsys.readouterr()
        assert run(["find", str(models / "t.export"), query]) == 0
        lines = capsys.readouterr().err.splitlines()[1:]
        assert lines == [f"{each} is not a category, tag or word of any tree" for each in absent]


def test_tables_that_are_not_what_their_names_say(models, tmp_path, capsys):
    for name, is_said in [("a.json", True), ("a.xlsx.gz", True), ("a.tsv", False), ("a", False)]:
        words, output = str(models / "words.txt"), str(tmp_path / name)
        for command in (
            ["surprisal", str(models / "g.plcfrs"), words, "-o", output],
            ["parse", str(models / "g.plcfrs"), words, "--stats", output],
        ):
            capsys.readouterr()
            assert run(command) == 0
            assert (f"{output}: written as TSV" in capsys.readouterr().err) == is_said


def test_next_steps_where_there_is_no_parse(tmp_path, capsys):
    grammar = "plcfrs: 1\nstart: S\nrules: |\n  S -> N V 1\nlexicon: |\n  N kato 1\n  V kuras 1\n"
    (tmp_path / "s.yaml").write_text(grammar, encoding="utf-8")
    explain = ["explain", str(tmp_path / "s.yaml")]
    assert run([*explain, "kuras kato"]) == 0
    shown = capsys.readouterr().out
    for step in ("--fallback partial", "--want 'NP 0-1'", "plcfrs inspect"):
        assert step in shown
    assert run([*explain, "kato kuras"]) == 0
    assert "--fallback" not in capsys.readouterr().out
    assert run([*explain, "kuras kato", "--want", "N 1"]) == 0
    assert "--fallback" not in capsys.readouterr().out
