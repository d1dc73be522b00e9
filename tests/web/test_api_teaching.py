"""The route that follows a search."""

import re

import pytest

from plcfrs import load_model
from plcfrs.parsing.parse import BARE_PARSE
from plcfrs.trees import Tree, render_label
from plcfrs.trees.tree import runs

SENTENCE = "What/WP should/MD we/PRP do/VB ?/."


def followed(client, **wanted):
    return client.post("/api/v1/course", json={"text": SENTENCE, "tagged": True, **wanted})


def test_a_search_leads_to_the_parse(serve):
    client = serve()
    answer = followed(client).json()
    assert answer["status"] == "goal"
    goal = answer["pops"][-1]["popped"]
    root = {"symbol": "ROOT", "ranges": [[0, 5]], "text": "[ROOT, ⟨⟨0,5⟩⟩]"}
    assert answer["items"][goal["item"]] == root
    parsed = client.post("/api/v1/parse", json={"text": SENTENCE, "tagged": True}).json()
    assert -goal["cost"] == pytest.approx(parsed["parses"][0]["score"])
    assert [one["by"] for one in answer["scanned"]] == ["scan"] * 5
    assert "[VP^HINF_2, ⟨⟨0,1⟩, ⟨3,4⟩⟩]" in [one["text"] for one in answer["items"]]
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


def test_an_exercise_has_choices_of_which_one_was_deduced(serve):
    answer = followed(serve()).json()
    texts = [one["text"] for one in answer["items"]]
    for step in answer["pops"]:
        popped = step["popped"]
        if popped["by"] == "scan":
            assert step["choices"] == []
            continue
        assert len(set(step["choices"])) == 4
        ranges = texts[popped["item"]].partition(", ")[2]
        of_these_ranges = [one for one in step["choices"] if one.endswith(f", {ranges}")]
        assert [one for one in of_these_ranges if one in texts] == [texts[popped["item"]]]


def constituents(tree):
    """Return the categories with their yields, without those of binarized rules."""
    labels = [
        (re.split("[_^]", render_label(node))[0], span) for node, span in tree.yields().items()
    ]
    return {one for one in labels if not one[0].startswith("@")}


def test_each_item_has_the_tree_of_its_best_derivation(serve, demo):
    client = serve()
    answer = followed(client).json()
    trees = [Tree.from_string(step["tree"]["discbracket"]) for step in answer["pops"]]
    for step, tree in zip(answer["pops"], trees, strict=True):
        item = answer["items"][step["popped"]["item"]]
        nodes = tree.nodes()
        assert step["tree"]["labels"] == list(map(render_label, nodes))
        assert step["tree"]["tags"] == [token.tag for token in tree.tokens]
        if step["popped"]["by"] != "scan" and item["symbol"] != "ROOT":
            top = next(node for node in nodes if render_label(node) == item["symbol"])
            assert [list(run) for run in runs(tree.yields()[top])] == item["ranges"]
        drawn = client.post("/api/v1/draw", json={"discbracket": step["tree"]["discbracket"]})
        assert len(drawn.json()["nodes"]) == len(nodes)
    tagged = [tuple(one.split("/")) for one in SENTENCE.split()]
    ((parsed,),) = load_model(demo).parse_together([tagged], BARE_PARSE)
    assert constituents(trees[-1]) == constituents(parsed.tree)


def test_words_outside_of_an_item_have_their_own_tags_or_none(serve):
    client = serve()
    assert followed(client).json()["pops"][0]["tree"]["tags"] == ["WP", "MD", "PRP", "VB", "."]
    plain = followed(client, text="What should we do ?", tagged=False).json()
    tags = plain["pops"][0]["tree"]["tags"]
    (own,) = [tag for tag in tags if tag != "…"]
    assert own == ["WP", "MD", "PRP", "VB", "."][tags.index(own)]


def test_running_text_is_split_as_for_a_parse(serve):
    client = serve()
    text = "What should we do?"
    answer = followed(client, text=text, tagged=False, tokenize=True).json()
    parsed = client.post("/api/v1/parse", json={"text": text, "tokenize": True}).json()
    forms = [
        [token["form"] for token in one["tokens"]] for one in (answer, parsed["parses"][0]["tree"])
    ]
    assert forms[0] == forms[1] == ["What", "should", "we", "do", "?"]


def test_without_a_parse_the_agenda_becomes_empty(serve):
    answer = followed(serve(), text="we/PRP do/VB").json()
    assert answer["status"] == "exhausted"
    assert answer["relaxed"] is None


def test_errors(serve):
    for wanted, status, message in [
        ({"text": ""}, 400, "there is no sentence"),
        ({"tokenize": True}, 400, "tokenize is for words without tags"),
        ({"text": "a/XYZ"}, 400, "XYZ"),
        ({"model": "other"}, 404, "other"),
        ({"strategy": "best"}, 422, "strategy"),
        ({"text": "a/DT " * 200}, 413, "200 words"),
    ]:
        response = followed(serve(), **wanted)
        assert response.status_code == status
        assert message in response.json()["error"]["message"]


def test_other_families_have_no_such_steps(serve, transitions):
    response = followed(serve(transitions))
    assert response.status_code == 400
    assert "only the search of a grammar" in response.json()["error"]["message"]
