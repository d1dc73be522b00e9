"""The routes that compare two systems, against plcfrs compare."""

import json
from functools import partial

import pytest
from demo_trees import demo_trees
from fastapi.testclient import TestClient

from plcfrs.cli.compare_command import command as compare_command
from plcfrs.evaluation import comparison, score
from plcfrs.parsers.grammar.model import GrammarModel
from plcfrs.transformation import remove_splits
from plcfrs.treebank import FORMATS, write_trees
from plcfrs.web.app import create_app
from plcfrs.web.routes import render_file
from plcfrs.web.store import Store

GOLD = [remove_splits(tree) for tree in demo_trees()]
RANGE = "31-80,90"
SAMPLES = 200
CHOSEN = [*GOLD[30:80], GOLD[89]]


@pytest.fixture(scope="module")
def models():
    """Grammars of a half and of a quarter of the treebank."""
    return {"half": GrammarModel.train(demo_trees()[:70]), "few": GrammarModel.train(GOLD[:35])}


@pytest.fixture(scope="module")
def parses(models):
    """Their parses of some sentences."""
    return {name: [model.parse(tree).tree for tree in CHOSEN] for name, model in models.items()}


@pytest.fixture(scope="module", autouse=True)
def _few_samples():
    """Take fewer random samples than the page does."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(comparison, "difference", partial(comparison.difference, samples=SAMPLES))
        yield


@pytest.fixture(scope="module")
def client(models, tmp_path_factory):
    """A client of a server with both, which have parsed the sentences."""
    folder = tmp_path_factory.mktemp("served")
    for name, model in models.items():
        model.save(folder / f"{name}.plcfrs")
    models["few"].grammar.save(folder / "unknown.yaml")
    write_trees(GOLD, folder / "gold.discbracket")
    names = [str(folder / name) for name in ("half.plcfrs", "few.plcfrs", "unknown.yaml")]
    store = Store(names, [str(folder / "gold.discbracket")])
    found = TestClient(create_app(store), base_url="http://localhost")
    for name in ("half", "few", "unknown"):
        wanted = {"treebank": "gold", "sentences": RANGE, "model": name}
        while (done := found.post("/api/v1/parses", json=wanted).json())["parsed"] < 51:
            assert done["total"] == 51
    return found


def report(client, **params):
    both = {"gold": "gold", "parses": "by few", "other": "by half", "sentences": RANGE}
    answer = client.get("/api/v1/errors", params={"limit": 500, **both, **params})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_differences_are_those_of_compare(client, parses, tmp_path):
    files = [tmp_path / f"{name}.discbracket" for name in ("gold", "few", "half")]
    for file, trees in zip(files, (CHOSEN, parses["few"], parses["half"]), strict=True):
        file.write_text(render_file(trees, FORMATS["discbracket"]))
    path = tmp_path / "differences.json"
    options = ["--samples", str(SAMPLES), "-o", str(path)]
    compare_command([*map(str, files), *options], standalone_mode=False)
    expected = json.loads(path.read_text())["Difference"]
    found = report(client)["differences"]
    assert found["columns"][:2] == ["A: few", "B: half"]
    for measure in ("LF1", "LF1 discontinuous"):
        assert found["rows"][measure] == [*expected[measure].values()]
    exact = [score(CHOSEN, parses[name]).exact_match for name in ("few", "half")]
    assert found["rows"]["Exact match"][:3] == pytest.approx([*exact, exact[1] - exact[0]])
    assert 0 < exact[0] < exact[1]
    assert found["lines"][0] == ["Difference", *found["columns"]]
    assert found["lines"][-1][1:3] == [f"{each:.2f}" for each in exact]
    assert found["rows"]["Exact match"][-1] < 0.05


def test_a_system_does_not_differ_from_itself(client):
    for first, second, _, low, high, *p in report(client, other="by few")["differences"][
        "rows"
    ].values():
        assert (first, low, high, p) == (second, 0, 0, [1, 1])


def test_sentences_are_listed_by_who_is_right(client, parses):
    exact = {
        name: [
            bool(score([gold], [parse]).exact) for gold, parse in zip(CHOSEN, trees, strict=True)
        ]
        for name, trees in parses.items()
    }
    numbers = [*range(31, 81), 90]
    total = 0
    for right, wanted in (
        ("first", (True, False)),
        ("second", (False, True)),
        ("both", (True, True)),
        ("neither", (False, False)),
    ):
        pairs = zip(numbers, exact["few"], exact["half"], strict=True)
        expected = {number for number, *both in pairs if tuple(both) == wanted}
        answer = report(client, right=right)
        assert {one["number"] for one in answer["sentences"]} == expected
        assert answer["right"].get(right, 0) == answer["total"] == len(expected)
        total += len(expected)
    assert report(client)["right"]["all"] == total == 51


def test_sentences_are_sorted_by_either_system(client):
    for place, sort in enumerate(("f1", "other-f1")):
        scores = [one["parses"][place]["f1"] for one in report(client, sort=sort)["sentences"]]
        assert scores == sorted(scores)
        assert len(set(scores)) > 1


def test_training_sentences_are_counted(client):
    seen = [one["trained_on"] for one in report(client)["systems"]]
    assert seen == [5, 40]
    answer = report(client, other="by unknown")
    assert [one["trained_on"] for one in answer["systems"]] == [5, None]
    assert [one["is_model"] for one in answer["systems"]] == [True, True]
    known, unknown = (one["doubt"] for one in answer["systems"])
    assert known.startswith("5 of ")
    assert unknown == "The training set of unknown is not known."


def test_a_sentence_shows_all_trees(client):
    listed = report(client, right="neither")["sentences"][0]
    params = {"gold": "gold", "parses": "by few", "other": "by half", "sentences": RANGE}
    answer = client.get("/api/v1/errors/sentence", params={**params, "number": listed["number"]})
    found = answer.json()
    assert found["sentence"]["parses"][0]["missed"] == listed["parses"][0]["missed"]
    spurious = [one["spurious"] for one in listed["parses"]]
    assert [len(tree["marked"]) for tree in found["parses"]] == spurious
    missed = [one["missed"] for one in listed["parses"]]
    assert max(missed) <= len(found["gold"]["marked"]) <= sum(missed)
    outside = client.get("/api/v1/errors/sentence", params={**params, "number": 1})
    assert outside.status_code == 404


def test_all_sentences_are_a_table(client, parses):
    params = {"gold": "gold", "parses": "by few", "other": "by half", "sentences": RANGE}
    lines = client.get("/api/v1/errors.tsv", params=params).text.splitlines()
    head, *rows = (line.split("\t") for line in lines)
    assert head == [
        "number",
        "id",
        "length",
        "F1 few",
        "exact match few",
        "F1 half",
        "exact match half",
    ]
    assert len(rows) == 51
    for gold, few, half, row in zip(CHOSEN, parses["few"], parses["half"], rows, strict=True):
        assert row[1] == gold.id or row[1].startswith("gold:")
        scores = [score([gold], [few]), score([gold], [half])]
        assert row[3::2] == [f"{one.labelled.f1:.2f}" for one in scores]
        assert row[4::2] == [str(one.exact) for one in scores]


def test_too_many_sentences_are_refused(client, monkeypatch):
    monkeypatch.setattr("plcfrs.web.comparison._MOST", 50)
    params = {"gold": "gold", "parses": "by few", "other": "by half", "sentences": RANGE}
    answer = client.get("/api/v1/errors", params={**params, "settings": "all"})
    assert answer.status_code == 400
    assert answer.json()["error"]["message"] == (
        "choose up to 50 sentences to compare, such as 1-50"
    )
