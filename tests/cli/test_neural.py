"""Neural parsers on the command line, in experiments, and on the page."""

import csv
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from random_networks import random_set_model

from plcfrs.cli import run
from plcfrs.parsing.registry import load_model
from plcfrs.storage.model_file import load, save
from plcfrs.web.app import create_app
from plcfrs.web.store import Store

SENTENCE = "What should we do ?"


@pytest.fixture
def model(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    random_set_model().save("x.neural")
    return "x.neural"


def test_files_are_parsed_in_their_order(model, capsys):
    parse = ["parse", model, "plcfrs:demo", "--sentences", "1-30"]
    assert run([*parse, "--stats", "rows.tsv", "-o", "one.export"]) == 0
    assert "30 of 30 sentences parsed" in capsys.readouterr().err
    rows = list(csv.DictReader(Path("rows.tsv").read_text().splitlines(), delimiter="\t"))
    assert [row["id"] for row in rows] == [f"demo:{number}" for number in range(1, 31)]
    assert all(float(row["score"]) < 0 < float(row["cpu_seconds"]) for row in rows)
    assert run([*parse, "--beam", "2", "--nbest", "2", "-o", "n.export"]) == 0
    assert "demo:30.rank1" in Path("n.export").read_text()


def test_an_interrupted_run_continues(model, monkeypatch):
    assert run(["parse", model, "plcfrs:demo", "-o", "whole.export"]) == 0
    parsed = []
    together = type(load_model(model)).parse_together

    def interrupted(self, sentences, *arguments, **options):
        parsed.append([sentence.id for sentence in sentences])
        if len(parsed) == 3:
            raise KeyboardInterrupt
        return together(self, sentences, *arguments, **options)

    monkeypatch.setattr("plcfrs.parsers.neural.SetBasedModel.batch_tokens", 300)
    monkeypatch.setattr("plcfrs.parsers.neural.SetBasedModel.parse_together", interrupted)
    assert run(["parse", model, "plcfrs:demo", "-o", "parts.export"]) == 1
    assert run(["parse", model, "plcfrs:demo", "-o", "parts.export", "--resume"]) == 0
    assert parsed[3] == parsed[2]
    assert Path("parts.export").read_bytes() == Path("whole.export").read_bytes()


def test_what_the_family_cannot_do(model, capsys):
    assert run(["parse", model, "plcfrs:demo", "--objective", "mcp"]) == 2
    refusal = "--objective is not for x.neural: it is a neural network"
    assert refusal in capsys.readouterr().err
    assert run(["explain", model, SENTENCE, "--binarized"]) == 2
    assert "neural cannot show binarized rules" in capsys.readouterr().err


def test_models_of_families_that_it_replaced(model, capsys):
    found = load(model)
    for kind in ("set-based", "spans", "joint"):
        save("old.model", found._replace(kind=kind))
        assert run(["inspect", "old.model"]) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert "train it again with plcfrs train neural --heads" in line


def test_explained_and_inspected(model, capsys):
    assert run(["explain", model, SENTENCE]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[3].split() == ["0.00", "SHIFT", "{What}"]
    assert lines[-1].endswith("the sum")
    assert run(["inspect", model]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("x.neural: a neural network that builds sets")
    assert lines[-2].startswith("  weights: ")
    assert lines[-1] == "  needs to parse: this file alone"


def test_on_the_page(model):
    client = TestClient(create_app(Store([model])), base_url="http://localhost")
    (about,) = client.get("/api/v1/models").json()["models"]
    assert (about["kind"], about["rules"]) == ("neural", None)
    found = client.post("/api/v1/parse", json={"text": SENTENCE, "nbest": 1}).json()
    (parse,) = found["parses"]
    assert (found["status"], parse["probability"], len(parse["derivation"])) == ("parsed", None, 18)


@pytest.mark.full
@pytest.mark.usefixtures("pytorch")
def test_trained(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    few = ["plcfrs:demo", "--sentences", "1-40", "--threads", "1", "--dev", "plcfrs:demo"]
    train = ["train", "neural", "--heads", "transitions", *few, "-o", "x.neural"]
    assert run([*train, "--epochs", "30", "--patience", "1", "--rate", "0"]) == 0
    said = capsys.readouterr().err.splitlines()
    lines = [line for line in said if not line.startswith("annotation: ")]
    assert lines[0] == "training set: 40 trees, 410 tokens"
    assert lines[1].startswith("epoch 1: loss ")
    assert lines[-2:] == ["no better score in 1 epoch", "best epoch: 1"]
    assert run([*train, "--beam", "0"]) == 2
    assert "--beam: 0 is not" in capsys.readouterr().err
    assert run([*train[:9], "--patience", "1", "-o", "y"]) == 2
    assert "patience: add a development set (--dev)" in capsys.readouterr().err


@pytest.mark.full
@pytest.mark.usefixtures("pytorch")
def test_experiment(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.yaml").write_text(
        'title: Sets\ntreebank: {path: "plcfrs:demo"}\n'
        "transformations: {plain: {splits: none}}\n"
        "sets:\n"
        "  Tr: {sentences: 1-60, transformation: plain}\n"
        "  Te: {sentences: 61-80, transformation: plain}\n"
        "parsers:\n"
        "  S: {kind: neural, heads: transitions, training: Tr, development: Te, test: Te,\n"
        "      epochs: 2, threads: 1, patience: 5, gold-tags: no, beam: 2}\n"
        "scores: [{kind: parsers, gold: Te}]\n"
    )
    assert run(["experiment", "x.yaml"]) == 0
    assert "S" in capsys.readouterr().out
