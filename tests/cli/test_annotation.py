"""Functions and null elements: what trainings learn, and what parses get."""

from pathlib import Path

import pytest
from bracket import read
from quick import core
from random_networks import sure_of_none

from plcfrs.cli import run
from plcfrs.grammar import Grammar
from plcfrs.parsers.neural.network import NeuralNetwork
from plcfrs.parsing.registry import load_model, train
from plcfrs.trees import restore_traces

DEMO = ["plcfrs:demo", "--sentences", "1-40"]
SENTENCE = "What/WP should/MD we/PRP do/VB ?/."
FULL = (
    "(SBARQ (WHNP-1 (WP What)) (SQ (MD should) (NP-SBJ (PRP we)) (VP (VB do) (NP (-NONE- *T*-1))))"
)
LEARNED = [
    ("functions,nulls", "penn", FULL),
    ("nulls", "penn", FULL.replace("-SBJ", "")),
    ("functions", "discbracket", "(MD 1=should) (NP-SBJ (PRP 2=we))"),
]


@pytest.fixture
def sentence(tmp_path):
    path = tmp_path / "sentence.txt"
    path.write_text(f"{SENTENCE}\n")
    return str(path)


@core(1, "family", ["grammar", "gap", "refined"])
@pytest.mark.parametrize(("annotation", "to", "found"), LEARNED)
def test_parses_get_what_was_learned(tmp_path, capsys, sentence, family, annotation, to, found):
    model, bare = str(tmp_path / "a.model"), str(tmp_path / "bare.discbracket")
    assert run(["train", family, *DEMO, "--annotation", annotation, "-o", model]) == 0
    assert "annotation: " in capsys.readouterr().err
    assert run(["parse", model, sentence, "--tagged", "--to", to]) == 0
    assert found in capsys.readouterr().out
    assert run(["parse", model, sentence, "--tagged", "--functions", "no", "-o", bare]) == 0
    assert "-SBJ" not in Path(bare).read_text()
    assert run(["complete", model, bare, "--to", to]) == 0
    assert found in capsys.readouterr().out


def test_without_annotation_it_is_said_what_to_do(tmp_path, capsys, sentence):
    model, yaml = str(tmp_path / "a.plcfrs"), str(tmp_path / "a.yaml")
    assert run(["train", "grammar", *DEMO, "--annotation", "none", "-o", model]) == 0
    assert run(["train", "grammar", *DEMO, "-o", yaml]) == 0  # which is for people
    assert "annotation" not in capsys.readouterr().err
    for path in (model, yaml):
        assert run(["parse", path, sentence, "--tagged", "--to", "penn"]) == 0
        assert "has learned no null elements" in capsys.readouterr().err
        assert run(["complete", path, sentence]) == 2
        assert "has learned neither functions nor null elements" in capsys.readouterr().err


@pytest.mark.full
def test_the_network_of_a_parser_has_a_say_in_functions(tmp_path, capsys, monkeypatch):
    path = tmp_path / "bare.mrg"
    path.write_text("(S (NP (PRP She)) (VP (VBD slept) (PP (IN at) (NP (NN night)))) (. .))\n")
    assert run(["complete", "plcfrs:english", str(path)]) == 0
    assert "(PP-TMP " in capsys.readouterr().out
    monkeypatch.setattr(NeuralNetwork, "function_scores", staticmethod(sure_of_none))
    assert run(["complete", "plcfrs:english", str(path)]) == 0
    assert "PP-" not in capsys.readouterr().out


def test_extraction_keeps_few_trees_in_memory(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("plcfrs.cli.extract_command._MOST_ANNOTATED", 2)
    assert run(["extract", *DEMO, "-o", str(tmp_path / "a.plcfrs")]) == 0
    assert "annotation: 3 functions" in capsys.readouterr().err


def test_functions_of_categories_stay(tmp_path, capsys, sentence):
    model = str(tmp_path / "a.plcfrs")
    assert run(["train", "grammar", *DEMO, "--functions", "-o", model]) == 0
    assert run(["parse", model, sentence, "--tagged", "--functions", "no"]) == 0
    assert "NP-SBJ" in capsys.readouterr().out
    parse = load_model(model).parse([tuple(each.split("/")) for each in SENTENCE.split()])
    assert restore_traces(parse.tree) == read(f"{FULL} (. ?))")


def test_grammar_files_keep_what_was_learned(tmp_path):
    model = train("grammar", "plcfrs:demo")
    for name in ("a.plcfrs", "again.plcfrs"):
        model.save(tmp_path / name)
        model = load_model(tmp_path / name)
    Grammar.load(tmp_path / "a.plcfrs").save(tmp_path / "b.plcfrs")
    files = [(tmp_path / name).read_bytes() for name in ("a.plcfrs", "again.plcfrs", "b.plcfrs")]
    assert files[0] == files[1] == files[2]
