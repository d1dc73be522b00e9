"""No command writes over a file that it reads, unless all that was read comes back."""

import pytest

from plcfrs.cli import run
from plcfrs.treebank import read_trees

GRAMMAR = "plcfrs: 1\nstart: S\nrules: |\n  S -> A B 1\nlexicon: |\n  A rain 1\n  B falls 1\n"
TREES = "(ROOT (S (A 0=rain) (B 1=falls)))\n(ROOT (S (A 0=rain) (C 1=stops)))\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Treebanks, texts and a grammar; a symbolic and a hard link to the text."""
    monkeypatch.chdir(tmp_path)
    for name, content in [
        ("a.txt", "rain falls\n"),
        ("g.yaml", GRAMMAR),
        ("b.dbr", TREES),
        ("m.prm", "DELETE_LABEL ROOT\n"),
        ("list.txt", "b.dbr\n"),
        ("stimuli.csv", "sentence\nrain falls\n"),
        ("a.dbr.part", TREES),
        ("texts/a.txt", "rain falls\n"),
    ]:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content)
    (tmp_path / "soft.txt").symlink_to("a.txt")
    (tmp_path / "hard.txt").hardlink_to("a.txt")
    return tmp_path


def test_what_is_read_is_not_lost(folder, capsys):
    for command, option in [
        ("parse g.yaml a.txt -o a.txt", "-o"),
        ("parse g.yaml texts/../a.txt -o ./a.txt", "-o"),
        ("parse g.yaml soft.txt -o a.txt", "-o"),
        ("parse g.yaml a.txt -o soft.txt", "-o"),
        ("parse g.yaml hard.txt -o a.txt", "-o"),
        ("parse g.yaml texts -o texts/a.txt", "-o"),
        ("parse g.yaml 't*/*.txt' -o texts/a.txt", "-o"),
        ("parse g.yaml @list.txt -o b.dbr", "-o"),
        ("parse g.yaml @list.txt -o list.txt", "-o"),
        ("parse g.yaml a.dbr.part -o a.dbr", "-o"),
        ("parse g.yaml a.txt -o new.dbr --stats g.yaml", "--stats"),
        ("parse g.yaml a.txt -o new.dbr --posteriors a.txt", "--posteriors"),
        ("surprisal g.yaml stimuli.csv -o stimuli.csv", "-o"),
        ("convert b.dbr -o b.dbr --to tokens", "-o"),
        ("convert b.dbr -o b.dbr --sentences 1", "-o"),
        ("convert b.dbr -o b.dbr --max-length 1", "-o"),
        ("transform b.dbr -o b.dbr --skip-bad", "-o"),
        ("transform b.dbr -o new.dbr --table b.dbr", "--table"),
        ("transform b.dbr -o new.dbr --anomalies b.dbr", "--anomalies"),
        ("find b.dbr S -o b.dbr", "-o"),
        ("draw a.txt -o a.txt", "-o"),
        ("draw b.dbr --against a.txt -o a.txt", "-o"),
        ("eval b.dbr a.txt -o a.txt", "-o"),
        ("eval b.dbr b.dbr --settings m.prm --stats m.prm", "--stats"),
        ("compare b.dbr b.dbr a.txt -o a.txt", "-o"),
        ("extract b.dbr -o b.dbr", "-o"),
        ("train gap b.dbr --dev g.yaml -o g.yaml", "-o"),
        ("train refined b.dbr -o new.refined --log b.dbr", "--log"),
        ("combine g.yaml new.gap --dev b.dbr -o g.yaml", "-o"),
        ("combine g.yaml --dev b.dbr --votes v=a.txt -o a.txt", "-o"),
        ("index b.dbr -o b.dbr", "-o"),
        ("inspect g.yaml -o g.yaml --lhs S", "-o"),
    ]:
        before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        assert run(command.replace("'", "").split()) == 2
        error = capsys.readouterr().err
        assert error.count("\n") == 1
        assert "writing to this input file would lose its content" in error
        assert error.endswith(f"give another file with {option}\n")
        assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_a_treebank_is_changed_in_place_and_other_files_are_replaced(folder):
    for command in [
        "transform b.dbr -o b.dbr",
        "transform b.dbr -o b.dbr --binarization left-to-right",
        "convert b.dbr -o b.dbr",
        "convert b.dbr b.dbr -o b.dbr",
        "parse g.yaml a.txt -o b.dbr",
    ]:
        assert run(command.split()) == 0
        trees = list(read_trees(folder / "b.dbr"))
        assert trees[0].words() == ["rain", "falls"]
        assert not (folder / "b.dbr.part").exists()


def test_words_and_traces_are_not_lost_in_place(folder, capsys):
    for tree, option in [
        ("(ROOT (S (NP (-NONE- 0=*T*)) (VP (VB 1=Go))))\n", "--reattach=none"),  # traces
        ("(ROOT (S (VB 0=Go) (. 1=!)))\n", "--punctuation=remove"),
    ]:
        (folder / "b.dbr").write_text(tree)
        assert run(["transform", "b.dbr", "-o", "b.dbr", option]) == 2
        assert "would lose its content" in capsys.readouterr().err
        assert (folder / "b.dbr").read_text() == tree
        assert run(["transform", "b.dbr", "-o", "new.dbr", option]) == 0


def test_what_a_format_lacks_is_not_lost_in_place(folder, capsys):
    tree = "(ROOT (S (A 0=rain) (B 1=falls) (C 2=again)))\n"
    (folder / "b.dbr").write_text(tree)
    assert run(["convert", "b.dbr", "-o", "b.export"]) == 0
    before = (folder / "b.export").read_bytes()
    command = "transform b.export --binarization left-to-right -o"
    assert run([*command.split(), "b.export"]) == 2
    assert "would lose its content" in capsys.readouterr().err
    assert (folder / "b.export").read_bytes() == before
    assert run([*command.split(), "new.export"]) == 0
