"""Commands on constituents as dependencies."""

from itertools import product

import pytest
from quick import core

from plcfrs.cli import run
from plcfrs.transformation import without_unaries
from plcfrs.treebank import read_dependencies, read_trees, write_dependencies
from plcfrs.trees import DependencyTree, Token


@pytest.fixture
def folder(tmp_path, monkeypatch, capsys):
    """A folder with transformed trees in `gold.export`, without functions."""
    monkeypatch.chdir(tmp_path)
    options = ["--sentences", "1-30", "--splits", "none"]
    assert run(["transform", "plcfrs:demo", *options, "-o", "all.export"]) == 0
    lines = (tmp_path / "all.export").read_text().splitlines()
    columns = [line.split("\t") for line in lines]
    for row in columns:
        row[-2:-1] = ["--"] if len(row) > 4 else row[-2:-1]
    (tmp_path / "gold.export").write_text("".join("\t".join(row) + "\n" for row in columns))
    capsys.readouterr()
    return tmp_path


@core(
    3,
    ("encoding", "unaries", "extension"),
    product(["direct", "delta", "hall-nivre"], ["dropped", "labels"], ["conllu.gz", "conll"]),
)
def test_there_and_back(folder, capsys, encoding, unaries, extension):  # noqa: ARG001
    options = ["--encoding", encoding, "--unaries", unaries]
    assert run(["convert", "gold.export", "-o", f"a.{extension}", *options]) == 0
    assert bool(capsys.readouterr().err) == (unaries == "dropped" and encoding != "hall-nivre")
    assert run(["convert", f"a.{extension}", "-o", "b.export", "--encoding", encoding]) == 0
    gold, found = list(read_trees("gold.export")), list(read_trees("b.export"))
    if unaries == "dropped" and encoding != "hall-nivre":
        gold = [without_unaries(tree) for tree in gold]
    assert found == gold
    if extension == "conllu.gz":
        assert [tree.id for tree in found] == [tree.id for tree in gold]


def test_head_rules_matter(folder, capsys):  # noqa: ARG001
    for name, rules in (("a", "collins"), ("b", "negra")):
        options = ["--encoding", "direct", "--head-rules", rules]
        assert run(["convert", "gold.export", "-o", f"{name}.conllu", *options]) == 0
    one, other = (list(read_dependencies(f"{name}.conllu")) for name in "ab")
    assert one != other


def test_encodings_of_both_kinds(tmp_path, capsys):
    tree = DependencyTree([Token("Größe", "NN")], [0], ["root"])
    write_dependencies([tree], tmp_path / "a.conllu", encoding="latin-1")
    path = str(tmp_path / "a.conllu")
    assert run(["convert", path, "--text-encoding", "latin-1", "--to", "conllx"]) == 0
    assert "Größe" in capsys.readouterr().out
    options = ["--encoding", "direct", "--text-encoding", "latin-1"]
    assert run(["convert", path, *options]) == 0
    assert capsys.readouterr().out == "(ROOT (NN 0=Größe))\n"
    assert run(["convert", path, "--encoding", "direct"]) == 2
    assert "byte 0xf6 is not utf-8" in capsys.readouterr().err


def test_nested_repair(tmp_path, capsys):
    tokens = [Token(word, "X") for word in "abc"]
    tree = DependencyTree(tokens, [0, 1, 1], ["root", "S#2", "VP#1"])
    write_dependencies([tree], tmp_path / "a.conllu")
    found = []
    for options in ([], ["--nested"]):
        command = ["convert", str(tmp_path / "a.conllu"), "--encoding", "direct", *options]
        assert run(command) == 0
        found.append(capsys.readouterr().out)
    assert found[0] == "(ROOT (S (VP (X 0=a) (X 2=c)) (X 1=b)))\n"
    assert found[1] != found[0]


def test_words_need_no_encoding(folder, capsys):  # noqa: ARG001
    assert run(["convert", "gold.export", "-o", "a.conllu", "--encoding", "direct"]) == 0
    capsys.readouterr()
    for format in ("tokens", "tagged"):
        assert run(["convert", "a.conllu", "--to", format]) == 0
        found = capsys.readouterr().out
        assert run(["convert", "gold.export", "--to", format]) == 0
        assert capsys.readouterr().out == found


def test_a_sentence_is_parsed_with_its_tags(folder, capsys):
    assert run(["extract", "gold.export", "-o", "g.plcfrs"]) == 0
    rows = ["1\tXyz\t_\tNOUN\tNNS\t_\t_\t_\t_\t_", "2\tsing\t_\tVERB\tVBP\t_\t_\t_\t_\t_"]
    (folder / "a.conllu").write_text("\n".join(["# sent_id = x", *rows, "", ""]))
    assert run(["parse", "g.plcfrs", "a.conllu"]) == 0
    assert "(NNS 0=Xyz)" in capsys.readouterr().out


def test_nothing_is_learned_from_dependencies(tmp_path, capsys):
    for command in [["extract"], ["train", "grammar"], ["train", "reduction"]]:
        tree = DependencyTree([Token("a", "X"), Token("b", "X")], [0, 1], ["root", "S#1"])
        write_dependencies([tree], tmp_path / "a.conllu")
        path = str(tmp_path / "a.conllu")
        assert run([*command, path, "-o", str(tmp_path / "model")]) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert line.startswith(
            f"plcfrs: {path}: has dependencies, not constituents: convert them first"
        )
