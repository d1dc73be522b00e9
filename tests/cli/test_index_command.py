"""``plcfrs index``: all commands read the compiled treebank like the original."""

from pathlib import Path

import pytest

from plcfrs.treebank import read_trees

TREEBANK = """\
#FORMAT 4
#BOS 1 0 0 0
Das	der	ART	Acc	NK	500
Boot	Boot	NN	Acc	NK	500
hat	haben	VAFIN	3.Sg	HD	502
Ida	Ida	NE	Nom	SB	502	SB	501
geputzt	putzen	VVPP	--	HD	501
.	--	$.	--	--	0
#500	--	NP	--	OA	501
#501	--	VP	--	OC	502
#502	--	S	--	--	0
#EOS 1
#BOS 7 0 0 0
Straße	Straße	NN	Nom	HD	500
#500	--	NP	--	--	0
#EOS 7
"""


@pytest.fixture
def index(plcfrs, tmp_path):
    """A function that runs ``plcfrs index`` on a treebank with everything that export holds."""
    (tmp_path / "a.export").write_text(TREEBANK, encoding="utf-8")
    return lambda *arguments: plcfrs("index", *arguments, "-o", "a.treebank")


def test_the_same_trees_and_bytes_each_time(index):
    assert index("a.export") == (0, "", "2 trees, 7 tokens\n")
    assert [tree.id for tree in read_trees("a.treebank")] == ["1", "7"]
    first = Path("a.treebank").read_bytes()
    index("a.export")
    assert Path("a.treebank").read_bytes() == first


def test_a_compiled_treebank_is_compiled_to_the_same_bytes(index, plcfrs):
    index("a.export")
    plcfrs("index", "a.treebank", "-o", "b.treebank")
    assert Path("b.treebank").read_bytes() == Path("a.treebank").read_bytes()


def test_commands_read_it_like_the_original(index, plcfrs):
    index("a.export")
    for command in [
        "draw {}",
        "draw {} --sentences 2",
        "transform {}",
        "transform {} --binarization left-to-right",
        "eval {} a.export",
        "eval a.export {}",
        "extract {} -o g.plcfrs",
        "find {} VP --kwic",
        "convert {} --encoding delta --to conllu",
        *(f"convert {{}} --to {format}" for format in ("export", "tigerxml", "json", "tagged")),
    ]:
        expected = plcfrs(*command.format("a.export").split())
        assert plcfrs(*command.format("a.treebank").split()) == expected
        assert expected.code == 0


def test_a_grammar_of_it_is_that_of_the_original(index, plcfrs):
    index("a.export")
    for name in ("a.export", "a.treebank"):
        assert plcfrs("extract", name, "-o", f"{name}.plcfrs").code == 0
    assert Path("a.treebank.plcfrs").read_bytes() == Path("a.export.plcfrs").read_bytes()


def test_several_treebanks_become_one(index):
    Path("b.dbr").write_text("(ROOT (NP (NE 0=Ida)))\n")
    assert index("a.export", "b.dbr").err == "3 trees, 8 tokens\n"
    assert [tree.id for tree in read_trees("a.treebank")] == ["1", "7", "b:1"]


def test_a_selection(index):
    for option in (["--sentences", "2"], ["--max-length", "5"]):
        assert index("a.export", *option).err == "1 tree, 1 token\n"


def test_a_format_and_an_encoding(index):
    Path("a.xyz").write_text(TREEBANK, encoding="latin-1")
    assert index("a.xyz", "--from", "export", "--text-encoding", "latin-1").code == 0
    assert [tree.words()[0] for tree in read_trees("a.treebank")] == ["Das", "Straße"]


def test_transformed_trees_are_those_of_transform(index, plcfrs):
    assert index("plcfrs:demo", "--transform").err == "140 trees, 1461 tokens\n"
    expected = plcfrs("transform", "plcfrs:demo", "--to", "export").out
    assert plcfrs("convert", "a.treebank", "--to", "export").out == expected


def test_options_of_the_transformation(index, plcfrs):
    index("plcfrs:demo", "--transform", "--reattach", "*T*")
    expected = plcfrs("transform", "plcfrs:demo", "--reattach", "*T*").out
    assert plcfrs("convert", "a.treebank").out == expected


def test_splits_are_kept_if_that_is_wanted(index, plcfrs):
    found = plcfrs("find", "plcfrs:demo", "*[split]", "--transform", "--count")
    assert found.out > "0\n"
    index("plcfrs:demo", "--transform")
    assert plcfrs("find", "a.treebank", "*[split]", "--count").out == "0\n"
    index("plcfrs:demo", "--transform", "--write-splits")
    assert plcfrs("find", "a.treebank", "*[split]", "--count") == found


def test_malformed_trees_are_skipped(index):
    Path("b.dbr").write_text("(S we)\n(S (NN 0=a))\n")
    ran = index("b.dbr", "--skip-bad")
    assert ran.code == 0
    assert ran.err.endswith("malformed trees skipped: 1\n1 tree, 1 token\n")


def test_what_cannot_be_compiled(index):
    Path("malformed.dbr").write_text("(S (NN 0=a))\n(S we)\n")
    Path("empty.txt").write_text("")
    Path("b.conllu").write_text("1\tAh\t_\tUH\t_\t_\t0\troot\t_\t_\n\n")
    for command, problem in [
        ("a.export --reattach none", "options of the transformation need --transform\n"),
        ("malformed.dbr", "malformed.dbr:2: "),
        ("empty.txt", "empty.txt: no trees\n"),
        ("a.export --sentences 3-9", "a.export: no trees were selected by --sentences 3-9\n"),
        ("b.export", "b.export: no such file\n"),
        ("b.conllu", "b.conllu: has dependencies, not constituents"),
    ]:
        ran = index(*command.split())
        assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
        assert ran.err.startswith(f"plcfrs: {problem}")
        assert not Path("a.treebank").exists()


@pytest.mark.full
def test_two_processes_write_the_same_file(index):
    index("plcfrs:demo", "--transform")
    alone = Path("a.treebank").read_bytes()
    index("plcfrs:demo", "--transform", "--jobs", "2")
    assert Path("a.treebank").read_bytes() == alone


def test_only_malformed_trees(index):
    Path("b.dbr").write_text("(S we)\n")
    ran = index("b.dbr", "--skip-bad")
    assert (ran.code, ran.err.splitlines()[-1]) == (
        2,
        "plcfrs: b.dbr: nothing was read: 1 malformed tree",
    )


def test_a_wrong_output_name(index, plcfrs):
    index("a.export")
    for name in ["b.export", "b", "b.treebank.gz", "-"]:
        assert plcfrs("index", "a.export", "-o", name) == (
            2,
            "",
            f"plcfrs: {name}: the name must end in .treebank\n",
        )
        assert Path("a.export").read_text(encoding="utf-8") == TREEBANK


def test_a_missing_folder(index, plcfrs):
    index("a.export")
    assert plcfrs("index", "a.export", "-o", "no/b.treebank") == (
        2,
        "",
        "plcfrs: no/b.treebank: there is no folder no\n",
    )


def test_a_missing_output_name(plcfrs):
    ran = plcfrs("index", "plcfrs:demo")
    assert ran[:2] == (2, "")
    assert "Missing option '-o'" in ran.err


def test_it_cannot_be_the_output_of_other_commands(index, plcfrs):
    index("a.export")
    ran = plcfrs("convert", "a.export", "-o", "b.treebank")
    assert ran[:2] == (2, "")
    assert ran.err.startswith("plcfrs: cannot write the format compiled: write one of")


def test_it_is_no_model(index, plcfrs):
    index("a.export")
    for command in ["inspect {}", "parse {} a.export", "explain {} Boot"]:
        ran = plcfrs(*command.format("a.treebank").split())
        assert ran[:2] == (2, "")
        assert ran.err.startswith("plcfrs: a.treebank: this is a treebank, not a model")


def test_it_is_no_grammar(index, plcfrs):
    index("a.export")
    assert plcfrs("convert", "a.treebank", "-o", "a.yaml") == (
        2,
        "",
        "plcfrs: a.treebank is not a grammar: extract one from a treebank with plcfrs extract\n",
    )
