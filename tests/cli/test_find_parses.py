"""``plcfrs find --parse`` searches the parses of sentences."""

import re

import pytest
from quick import core, full

from plcfrs import read_trees, write_trees
from plcfrs.cli import run


@pytest.fixture(scope="module")
def model(trained):
    return str(trained("gap", 140))


@pytest.fixture(params=["words.txt", full("tagged.export")])
def sentences(request, tmp_path):
    path, trees = tmp_path / request.param, list(read_trees("plcfrs:demo"))[60:90]
    if path.suffix == ".txt":
        path.write_text("".join(" ".join(tree.words()) + "\n" for tree in trees))
    else:
        write_trees(trees, path)
    return str(path)


@core(1, "query", ["VP[discontinuous]", "NP < DT", "SBARQ|SQ"])
def test_the_same_is_found_as_in_parses_in_a_file(model, sentences, query, tmp_path, capsys):
    parses = str(tmp_path / "parses.export")
    assert run(["parse", model, sentences, "-o", parses]) == 0
    assert run(["find", parses, query]) == 0
    expected = capsys.readouterr().out
    assert run(["find", sentences, query, "--parse", model]) == 0
    found = capsys.readouterr().out
    assert [line.split("\t")[1:] for line in found.splitlines()] == [
        line.split("\t")[1:] for line in expected.splitlines()
    ]
    assert found


def test_running_text_is_split_for_an_included_model(tmp_path, capsys):
    text = tmp_path / "a.txt"
    text.write_text("Who's there? We didn't see the dog. She slept.")
    assert run(["find", str(text), "*[tag]", "--parse", "plcfrs:english-grammar"]) == 0
    out = capsys.readouterr().out
    assert [line.split("\t")[2] for line in out.splitlines()] == [
        "Who",
        "'s",
        "there",
        "?",
        "We",
        "did",
        "n't",
        "see",
        "the",
        "dog",
        ".",
        "She",
        "slept",
        ".",
    ]


def test_what_is_no_model_is_told_in_a_line(sentences, capsys):
    for name in ["nothing.gap", "plcfrs:demo", "plcfrs:klingon"]:
        assert run(["find", sentences, "S", "--parse", name]) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_a_parse_is_shown_among_its_neighbours(model, sentences, capsys):
    assert run(["find", sentences, "SBARQ", "--parse", model, "--context", "1"]) == 0
    assert re.search(r"\n\S+\tSBARQ\t.*\n\S+\t\t\w.*\n--\n", capsys.readouterr().out)
