"""The routes that score parses and list their errors, against plcfrs eval."""

import json
from dataclasses import replace

import pytest
from fastapi.testclient import TestClient
from quick import core

from plcfrs.cli.eval_command import command as eval_command
from plcfrs.evaluation import find_errors
from plcfrs.parsing.registry import load_model
from plcfrs.transformation import remove_splits, transform_all
from plcfrs.treebank import FORMATS, read_trees
from plcfrs.web.app import create_app
from plcfrs.web.routes import render_file
from plcfrs.web.store import Store

TREEBANK = "plcfrs:demo"


@pytest.fixture(scope="session")
def gold():
    return [remove_splits(tree) for tree in transform_all(read_trees(TREEBANK))]


@pytest.fixture(scope="session")
def parses(gold, transitions):
    model = load_model(transitions)
    return [model.parse(tree).tree for tree in gold]


@pytest.fixture(scope="session")
def files(tmp_path_factory, gold, parses):
    """The files of gold trees and of parses by a transition parser."""
    folder = tmp_path_factory.mktemp("trees")
    for name, trees in (("gold", gold), ("parses", parses)):
        text = render_file(trees, FORMATS["discbracket"])
        (folder / f"{name}.discbracket").write_text(text)
    return [str(folder / f"{name}.discbracket") for name in ("gold", "parses")]


@pytest.fixture(scope="module")
def client(files, transitions):
    store = Store([str(transitions)], [TREEBANK, *files])
    return TestClient(create_app(store), base_url="http://localhost")


def texts_of(answer):
    """Return what is wrong, in words, of all parses."""
    parses = (parse for one in answer["sentences"] for parse in one["parses"])
    return [error["text"] for parse in parses for error in parse["errors"]]


def report(client, **params):
    return client.get("/api/v1/errors", params={"gold": "gold", "parses": "parses", **params})


@core(1, "settings", ["field", "all"])
def test_scores_are_those_of_eval(client, files, tmp_path, settings):
    path = tmp_path / "scores.json"
    eval_command(
        [*files, "--errors", "--settings", settings, "-o", str(path)], standalone_mode=False
    )
    expected = json.loads(path.read_text())
    (answer,) = report(client, settings=settings).json()["systems"]
    for table in answer["tables"]:
        rows = {
            name: dict(zip(table["columns"], row, strict=True))
            for name, row in table["rows"].items()
        }
        assert rows == expected[table["title"]]
        assert not {"D", "C"}.intersection(table["lines"][0])
    errors = expected["Errors"]
    for kind in answer["kinds"]:
        assert {"missed": kind["missed"], "spurious": kind["spurious"]} == errors[kind["kind"]]
    assert sum(kind["missed"] for kind in answer["kinds"]) == errors["total"]["missed"] > 0


def test_sentences_are_listed_by_kind_and_sorted(client, gold, parses):
    errors = list(find_errors(gold, parses))
    kinds = sorted({error.type for error in errors})
    assert len(kinds) > 1
    for kind in kinds:
        answer = report(client, kind=kind, sort="f1", limit=500).json()
        expected = {error.sentence.split(":")[1] for error in errors if error.type == kind}
        assert {str(one["number"]) for one in answer["sentences"]} == expected
        assert answer["total"] == len(expected)
        texts = texts_of(answer)
        assert sorted(texts) == sorted(str(error) for error in errors if error.type == kind)
        scores = [one["parses"][0]["f1"] for one in answer["sentences"]]
        assert scores == sorted(scores)
    worst = report(client, limit=500).json()["sentences"]
    wrong = [one["parses"][0]["missed"] + one["parses"][0]["spurious"] for one in worst]
    assert wrong == sorted(wrong, reverse=True)
    kinds = report(client).json()["systems"][0]["kinds"]
    assert sum(wrong) == sum(kind["missed"] + kind["spurious"] for kind in kinds)
    pages = [report(client, offset=offset, limit=5).json()["sentences"] for offset in (0, 5)]
    assert pages[0] + pages[1] == worst[:10]


def test_a_sentence_shows_both_trees_with_differences(client):
    listed = report(client, kind="wrong label", limit=1).json()["sentences"][0]
    params = {"gold": "gold", "parses": "parses", "number": listed["number"]}
    pair = client.get("/api/v1/errors/sentence", params=params).json()
    assert pair["sentence"]["id"] == listed["id"] == pair["gold"]["id"]
    (parse,), (scores,) = pair["parses"], listed["parses"]
    assert len(pair["gold"]["marked"]) == scores["missed"]
    assert len(parse["marked"]) == scores["spurious"]
    words = [token["form"] for token in pair["gold"]["tokens"]]
    assert words == listed["words"].split()
    assert words == [token["form"] for token in parse["tokens"]]
    gone = client.get("/api/v1/errors/sentence", params={**params, "number": 1000})
    assert gone.status_code == 404


@core(1, "own_tags", [False, True], ids=["given tags", "own tags"])
def test_a_treebank_is_parsed_in_steps_and_scored(client, gold, transitions, own_tags, monkeypatch):
    monkeypatch.setattr("plcfrs.web.evaluation._SECONDS", 0)
    wanted = {"treebank": TREEBANK, "transform": True, "own_tags": own_tags}
    wanted["sentences"] = "3-12,21-40"
    steps = [client.post("/api/v1/parses", json=wanted).json() for _ in range(3)]
    monkeypatch.setattr("plcfrs.web.evaluation._SECONDS", 60)
    assert [step["parsed"] for step in steps] == [0, 0, 0]
    early = {"gold": TREEBANK, "parses": "by steps", **wanted, "first": 9}
    assert client.get("/api/v1/errors", params=early).json()["error"]["message"] == (
        "0 sentences are parsed with steps, not 9: parse more with POST /api/v1/parses"
    )
    done = client.post("/api/v1/parses", json=wanted).json()
    assert done == {"parsed": 30, "total": 30}
    params = {"gold": TREEBANK, "parses": "by steps", **wanted}
    answer = client.get("/api/v1/errors", params={**params, "limit": 500}).json()
    model = load_model(transitions)
    chosen = gold[2:12] + gold[20:40]
    sentences = [tree.words() if own_tags else tree for tree in chosen]
    errors = list(find_errors(chosen, [model.parse(one).tree for one in sentences]))
    assert sorted(texts_of(answer)) == sorted(map(str, errors))
    numbers = {one["number"] for one in answer["sentences"]}
    assert numbers == {*range(3, 13), *range(21, 41)}
    some = client.get("/api/v1/errors", params={**params, "first": 11}).json()
    assert {one["number"] for one in some["sentences"]} == {*range(3, 13), 21}
    whole = client.post("/api/v1/parses", json={**wanted, "sentences": ""}).json()
    assert whole == {"parsed": len(gold), "total": len(gold)}


def test_sentences_that_do_not_match_are_named(client, gold):
    other = [replace(tree, tokens=list(tree.tokens)) for tree in gold]
    other[2].tokens[1] = replace(other[2].tokens[1], form="different")
    for trees, message in (
        (gold[:9], "sentence 10 (gold:10) has a gold tree but no parse"),
        (other, "sentence 3 (gold:3): word 2 is 'woman' in the gold tree, 'different'"),
    ):
        content = render_file(trees, FORMATS["discbracket"]).encode()
        name = client.post(
            "/api/v1/treebanks", params={"name": "other.discbracket"}, content=content
        ).json()["name"]
        answer = report(client, parses=name)
        assert answer.status_code == 400
        assert answer.json()["error"]["message"].startswith(message)
        assert "\n" not in answer.json()["error"]["message"]


def test_errors(client):
    for params, status, message in [
        ({"gold": TREEBANK}, 400, "the gold trees have traces: turn them into crossing branches"),
        ({"parses": TREEBANK}, 400, "the parses have traces: choose trees without"),
        ({"gold": "none"}, 404, "there is no treebank none"),
        ({"sort": "beauty"}, 400, "sort: expected one of wrong, f1"),
        ({"kind": "typo"}, 400, "kind: expected one of attachment, wrong label"),
        ({"settings": "/etc/passwd"}, 400, "settings: expected one of field, all"),
        ({"sentences": "9-2"}, 400, "9-2: empty range: write FIRST-LAST"),
        ({"sentences": "1-x"}, 400, "'1-x' is not a number or a range such as 1-500"),
        ({"sentences": "900-"}, 400, "'900-' is not a number or a range such as 1-500"),
        ({"sentences": "900"}, 400, "gold has no sentences 900"),
        ({"sentences": "1," * 999}, 422, "sentences: "),
        ({"sort": "other-f1"}, 400, "sort: expected one of wrong, f1"),
        ({"right": "maybe"}, 422, "right: "),
        ({"parses": "by magic"}, 404, "there is no model magic"),
        ({"other": "none"}, 404, "there is no treebank none"),
        ({"first": 0}, 422, "first: "),
    ]:
        answer = report(client, **params)
        assert answer.status_code == status
        assert message in answer.json()["error"]["message"]


def test_a_range_of_a_file_is_scored_as_by_eval(client, files, tmp_path):
    path = tmp_path / "scores.json"
    wanted = ["--sentences", "5-30,60", "-o", str(path)]
    eval_command([*files, *wanted], standalone_mode=False)
    (answer,) = report(client, sentences="5-30,60").json()["systems"]
    found = answer["tables"][0]
    expected = json.loads(path.read_text())["Constituents"]
    assert dict(zip(found["columns"], found["rows"]["LF1"], strict=True)) == expected["LF1"]


def test_at_most_a_thousand_sentences_are_parsed(client, gold):
    content = render_file(gold * 8, FORMATS["discbracket"]).encode()
    name = client.post(
        "/api/v1/treebanks", params={"name": "long.discbracket"}, content=content
    ).json()["name"]
    answer = client.post("/api/v1/parses", json={"treebank": name})
    assert answer.status_code == 400
    assert answer.json()["error"]["message"] == (
        "choose up to 1000 sentences to parse, such as 1-1000"
    )
    parsed = client.post("/api/v1/parses", json={"treebank": name, "sentences": "1119-2000"})
    assert parsed.json() == {"parsed": 2, "total": 2}
