"""The route that follows a search."""

import pytest

SENTENCE = "What/WP should/MD we/PRP do/VB ?/."


def followed(client, **wanted):
    return client.post("/api/v1/course", json={"text": SENTENCE, "tagged": True, **wanted})


def test_a_search_leads_to_the_parse(serve):
    client = serve()
    answer = followed(client).json()
    assert answer["status"] == "goal"
    goal = answer["pops"][-1]["popped"]
    assert answer["items"][goal["item"]] == {"symbol": "ROOT", "ranges": [[0, 5]]}
    parsed = client.post("/api/v1/parse", json={"text": SENTENCE, "tagged": True}).json()
    assert -goal["cost"] == pytest.approx(parsed["parses"][0]["score"])
    assert [one["by"] for one in answer["scanned"]] == ["scan"] * 5
    assert {"symbol": "VP^HINF_2", "ranges": [[0, 1], [3, 4]]} in answer["items"]
    assert [token["form"] for token in answer["tokens"]] == ["What", "should", "we", "do", "?"]


def test_costs_are_those_of_rules_and_children(serve):
    answer = followed(serve(), strategy="knuth").json()
    costs = {one["item"]: one["cost"] for one in answer["scanned"]}
    for step in answer["pops"]:
        for made in step["following"]:
            total = made["rule_cost"] + sum(costs[child] for child in made["children"])
            assert made["cost"] == pytest.approx(total)
            assert made["bound"] == made["cost"]
            costs[made["item"]] = made["cost"]
    assert answer["relaxed"] == 0


def test_without_a_parse_the_agenda_becomes_empty(serve):
    answer = followed(serve(), text="we/PRP do/VB").json()
    assert answer["status"] == "exhausted"
    assert answer["relaxed"] is None


@pytest.mark.parametrize(
    ("wanted", "status", "message"),
    [
        ({"text": ""}, 400, "there is no sentence"),
        ({"text": "a/XYZ"}, 400, "XYZ"),
        ({"model": "other"}, 404, "other"),
        ({"strategy": "best"}, 422, "strategy"),
        ({"text": "a/DT " * 200}, 413, "200 words"),
    ],
)
def test_errors(serve, wanted, status, message):
    response = followed(serve(), **wanted)
    assert response.status_code == status
    assert message in response.json()["error"]["message"]


def test_other_families_have_no_such_steps(serve, transitions):
    response = followed(serve(transitions))
    assert response.status_code == 400
    assert "only the search of a grammar" in response.json()["error"]["message"]
