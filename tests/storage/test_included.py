"""Models that are called by a name."""

import pytest

from plcfrs import Grammar, GrammarModel, load_model, train
from plcfrs.cli import run
from plcfrs.errors import MissingFileError
from plcfrs.storage.included import INCLUDED, is_included, model_path


def test_names_and_files(tmp_path):
    assert all(path.is_file() for path in INCLUDED.values())
    assert model_path(tmp_path / "a.gap") == tmp_path / "a.gap"
    assert is_included("plcfrs:english")
    assert not is_included("plcfrs:demo")


def test_a_wrong_name_is_answered_with_those_that_there_are(capsys):
    with pytest.raises(MissingFileError, match="plcfrs:english-grammar or plcfrs:icelandic"):
        load_model("plcfrs:klingon")
    assert run(["parse", "plcfrs:klingon"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_name_without_its_prefix_is_answered_with_the_whole_name(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run(["parse", "English"]) == 2
    assert capsys.readouterr().err == "plcfrs: English: no such file: is it plcfrs:english?\n"
    (tmp_path / "english").touch()
    assert model_path("english").name == "english"  # a file of this name comes first


def test_the_demo_is_a_treebank_and_no_model(capsys):
    assert run(["convert", "plcfrs:demo", "--sentences", "1", "--to", "tokens"]) == 0
    assert capsys.readouterr().out
    assert run(["parse", "plcfrs:demo"]) == 2
    assert "this is a treebank, not a model" in capsys.readouterr().err


def test_one_that_is_damaged_is_never_to_be_trained_again(tmp_path, monkeypatch, capsys):
    for is_there in [True, False]:
        for name in ["plcfrs:english", "plcfrs:english-grammar"]:
            path = tmp_path / "model"
            path.unlink(missing_ok=True)
            if is_there:
                path.write_bytes(INCLUDED[name].read_bytes()[:-100])
            monkeypatch.setitem(INCLUDED, name, path)
            assert run(["parse", name, "plcfrs:demo"]) == 2
            *_, last = capsys.readouterr().err.splitlines()
            assert last.startswith(f"plcfrs: {name}: ")
            assert last.endswith("; install plcfrs again with pip install --force-reinstall plcfrs")
            assert "it again" not in last


@pytest.mark.full
def test_a_grammar_is_read_by_its_name():
    grammar = Grammar.load("plcfrs:english-grammar")
    assert len(grammar.rules) > 5_000
    model = load_model("plcfrs:english-grammar")
    assert isinstance(model, GrammarModel)
    assert model.parse("What did you see ?").tree.gap_degree() == 1


@pytest.mark.full
def test_it_is_a_member_of_a_combination_wherever_that_is(tmp_path):
    train("gap", "plcfrs:demo", epochs=1).save(tmp_path / "a.gap")
    members = ("plcfrs:english-grammar", str(tmp_path / "a.gap"))
    combined = train("combined", "plcfrs:demo", members=members)
    combined.save(tmp_path / "a.combined")
    (tmp_path / "moved").mkdir()
    for name in ("a.gap", "a.combined"):
        (tmp_path / name).rename(tmp_path / "moved" / name)
    moved = load_model(tmp_path / "moved" / "a.combined")
    assert moved.members.names == ["plcfrs:english-grammar", "a.gap"]
    assert moved.parse("What did you see ?").tree == combined.parse("What did you see ?").tree
