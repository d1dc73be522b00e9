"""A new family is one module and one entry in the registry: then everything works with it."""

import json

import pytest

from plcfrs.cli import run
from plcfrs.corpus import parse_corpus
from plcfrs.errors import InputError
from plcfrs.parsing import registry
from plcfrs.parsing.registry import families, load_model, train

SENTENCE = "What should we do ?"


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    monkeypatch.setitem(registry.MODULES, "right-branching", "right_branching")


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "toy.right"
    train("right-branching", "plcfrs:demo").save(path)
    return path


def test_it_trains_saves_loads_and_parses(model):
    assert "right-branching" in families()
    loaded = load_model(model)
    parse = loaded(SENTENCE)
    assert (parse.status, parse.score, parse.log_probability) == ("parsed", 5.0, None)
    assert len(parse.tree.nodes()) == 5
    assert loaded.category == "VP"
    assert train("right-branching", "plcfrs:demo", rank=2).category != "VP"
    with pytest.raises(InputError, match="rank: 0 is not a whole number of at least 1"):
        train("right-branching", "plcfrs:demo", rank=0)


def test_the_command_line_knows_it(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    command = ["train", "right-branching", "plcfrs:demo", "--dev", "plcfrs:demo", "-o", "toy.right"]
    assert run(command) == 0
    assert "round 1: categories 17, F1" in capsys.readouterr().err
    assert run(["train", "right-branching", "plcfrs:demo", "--rank", "0", "-o", "x"]) == 2
    assert "--rank: 0 is not a whole number" in capsys.readouterr().err
    assert run(["train", "right-branching", "plcfrs:demo", "--resume", "-o", "x"]) == 2
    assert "No such option" in capsys.readouterr().err
    assert run(["parse", "toy.right", "plcfrs:demo", "-o", "toy.export"]) == 0
    assert "140 of 140 sentences parsed" in capsys.readouterr().err
    assert run(["parse", "toy.right", "plcfrs:demo", "--nbest", "2"]) == 2
    assert "--nbest is not for toy.right: it is a parser that" in capsys.readouterr().err
    assert run(["parse", "toy.right", "plcfrs:demo", "--max-items", "2"]) == 2
    assert "--max-items is not for toy.right" in capsys.readouterr().err
    assert run(["explain", "toy.right", SENTENCE]) == 0
    assert capsys.readouterr().out.splitlines()[4] == "VP -> 1"
    assert run(["inspect", "toy.right"]) == 0
    title = "toy.right: a parser that branches to the right"
    lines = capsys.readouterr().out.splitlines()
    assert lines == [title, "  category: VP", "annotation: 15 functions, 30 null elements"]
    assert run(["inspect", "toy.right", "--lhs", "NP"]) == 2
    assert "no rules to show: toy.right: a parser" in capsys.readouterr().err


@pytest.mark.full
def test_the_page_serves_it(model):
    from fastapi.testclient import TestClient

    from plcfrs.web.app import create_app
    from plcfrs.web.store import Store

    client = TestClient(create_app(Store([str(model)])), base_url="http://localhost")
    (about,) = client.get("/api/v1/models").json()["models"]
    assert (about["kind"], about["rules"]) == ("right-branching", None)
    answer = client.post("/api/v1/parse", json={"text": SENTENCE}).json()
    (best,) = answer["parses"]
    assert (best["score"], best["meaning"], best["probability"]) == (5.0, "tokens", None)
    assert [step["words"] for step in best["derivation"]] == SENTENCE.split()


@pytest.mark.full
def test_an_experiment_runs_it(tmp_path):
    path = tmp_path / "toy.yaml"
    path.write_text(
        "treebank: {path: 'plcfrs:demo'}\n"
        "sets: {all: {}}\n"
        "parsers: {toy: {kind: right-branching, training: all, test: all, rank: 2}}\n"
        "scores: [{kind: brackets, gold: all}]\n"
    )
    assert run(["experiment", str(path)]) == 0
    assert (tmp_path / "toy.results" / "models" / "toy.right").exists()
    lines = (tmp_path / "toy.results" / "parses" / "toy.jsonl").read_text().splitlines()
    assert json.loads(lines[0])["status"] == "parsed"


@pytest.mark.full
def test_many_sentences(model):
    parses = list(parse_corpus(model, [SENTENCE, "No ."], jobs=2))
    assert [len(parse.tree.tokens) for parse in parses] == [5, 2]
