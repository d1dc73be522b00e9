"""The routes that show grammars: rules, their sentences, differences, files, overviews."""

import pytest
from quick import core
from serving import refusal

from plcfrs.cli.inspect_command import command as inspect_command
from plcfrs.grammar import Grammar, Recipe, derivation_of, unbinarize_grammar
from plcfrs.grammar.selection import compare
from plcfrs.parsers.grammar.model import GrammarModel
from plcfrs.transformation import transform_all
from plcfrs.treebank import read_trees

TREEBANK = "plcfrs:demo"


@pytest.fixture(scope="session")
def trees():
    return list(transform_all(read_trees(TREEBANK)))


@pytest.fixture(scope="session")
def half(tmp_path_factory, trees):
    """The file of a Markovized grammar of half of the treebank."""
    path = tmp_path_factory.mktemp("models") / "half.plcfrs"
    GrammarModel.train(trees[:70], Recipe("head-outward", horizontal=1)).save(path)
    return path


def uses(client, rule, **params):
    return client.get("/api/v1/rules/uses", params={"rule": rule, "treebank": TREEBANK, **params})


@core(1, "restored", [False, True], ids=["binarized", "restored"])
def test_a_rule_leads_to_its_trees(serve, trees, restored):
    client = serve()
    params = {"limit": 500, "restored": restored}
    rules = client.get("/api/v1/rules", params=params).json()["rules"]
    for rule in rules[::51]:
        answer = uses(client, rule["rule"], limit=500).json()
        assert answer["total"] == rule["count"] == len(answer["uses"])
        assert answer["trees"] == len({use["number"] for use in answer["uses"]})
        for use in answer["uses"]:
            tree = trees[use["number"] - 1]
            assert tree.id == use["id"]
            nodes, yields = tree.nodes(), tree.yields()
            assert use["marked"]
            for node in use["marked"]:
                assert bin(yields[nodes[node]]).count("1") == len(use["positions"])
            if restored:
                assert rule["rule"] in map(str, derivation_of(tree).rules())


def test_a_marked_constituent_is_red_in_its_tree(serve):
    client = serve()
    (use, *_) = uses(client, "VP^HINF_2 -> WHNP VB [0, 1]", limit=1).json()["uses"]
    assert use["words"].count(" ... ") == 1
    params = {"treebank": TREEBANK, "transform": True, "offset": use["number"] - 1}
    plain = client.get("/api/v1/trees", params=params).json()["trees"][0]["tree"]
    marked = client.get("/api/v1/trees", params={**params, "marked": use["marked"]}).json()
    tree = marked["trees"][0]["tree"]
    assert (plain["marked"], tree["marked"]) == ([], use["marked"])
    assert tree["labels"][use["marked"][0]] == "VP^HINF" == use["label"]
    assert tree["svg"] != plain["svg"]


def test_trees_are_binarized_as_the_grammar_states(serve, half):
    client = serve(half)
    for rule in client.get("/api/v1/rules", params={"limit": 500}).json()["rules"][::151]:
        found = uses(client, rule["rule"], limit=500).json()["uses"]
        assert len([use for use in found if use["number"] <= 70]) == rule["count"]


@core(
    1,
    ("stated", "shown"),
    [({"splits": "none"}, True), ({"punctuation": "remove"}, False)],
    ids=["same words", "fewer words"],
)
def test_other_trees_than_on_the_page(serve, tmp_path, trees, stated, shown):
    grammar = Recipe().grammar(trees)
    grammar.options |= stated
    grammar.save(tmp_path / "other.plcfrs")
    found = uses(serve(tmp_path / "other.plcfrs"), "NP -> PRP [0]").json()["uses"]
    assert [bool(use["marked"]) for use in found] == [shown] * len(found)
    pronouns = {use["words"].lower() for use in found}
    assert {"we", "he", "she"} <= pronouns
    assert all(" " not in one for one in pronouns)


def test_a_grammar_that_does_not_state_its_recipe(serve, demo, tmp_path):
    grammar = Grammar.load(demo)
    grammar.options.clear()
    grammar.save(tmp_path / "foreign.plcfrs")
    client = serve(tmp_path / "foreign.plcfrs")
    rule = str(next(iter(grammar.rules)))
    answer = uses(client, rule)
    assert answer.status_code == 400
    assert answer.json()["error"]["message"] == (
        "cannot find the sentences of a rule of foreign: it does not record its binarization"
    )


def test_errors(serve, demo, transitions):
    for params, status, message in [
        ({"rule": "A -> B [0]"}, 404, "no rule A -> B [0]"),
        ({"treebank": "other"}, 404, "no treebank other"),
        ({"model": "steps"}, 400, "it has no rules"),
    ]:
        answer = uses(serve(demo, transitions), **{"rule": "NP -> PRP [0]", **params})
        assert answer.status_code == status
        assert message in answer.json()["error"]["message"]


def test_grammars_are_compared(serve, demo, half):
    client = serve(demo, half)
    before, after = (unbinarize_grammar(Grammar.load(path)) for path in (demo, half))
    found = compare(before, after)
    for kind in ("changed", "appeared", "disappeared"):
        params = {"other": "demo", "model": "half", "kind": kind, "limit": 500}
        answer = client.get("/api/v1/rules/changes", params=params).json()
        expected = getattr(found, kind)
        assert [one["rule"] for one in answer["changes"]] == [str(one.rule) for one in expected]
        assert [one["change"] for one in answer["changes"]] == [one.change for one in expected]
        assert answer[kind] == len(expected) > 0
    assert answer["divergences"][0]["bits"] == max(found.divergences.values())
    assert answer["lost_words"] == len(found.lost_words)
    params = {"other": "demo", "model": "half", "sort": "rank"}
    assert client.get("/api/v1/rules/changes", params=params).status_code == 422


def test_the_file_of_a_grammar_is_the_grammar(serve, demo, tmp_path):
    client = serve()
    path = tmp_path / "rules.yaml"
    path.write_text(client.get("/api/v1/rules.yaml").text)
    whole, original = Grammar.load(path), Grammar.load(demo)
    assert (whole.rules, whole.options) == (original.rules, original.options)
    assert whole.lexicon.words == original.lexicon.words
    found = client.get("/api/v1/rules.yaml", params={"lhs": "VP_2", "text": "whnp"})
    path.write_text(found.text)
    some = Grammar.load(path)
    assert 0 < len(some.rules) < len(original.rules)
    assert all(str(rule.lhs) == "VP_2" and "WHNP" in str(rule) for rule in some.rules)


def test_a_grammar_has_the_overview_of_inspect(serve, demo, refined, capsys):
    client = serve(demo, refined)
    for path in (demo, refined):
        inspect_command([str(path)], standalone_mode=False)
        printed = capsys.readouterr().out.replace(str(path), path.stem)
        params = {"model": path.stem}
        answer = client.get("/api/v1/inspection", params=params).json()
        assert answer["lines"] == printed.splitlines()


def test_rules_are_found(serve, demo):
    client = serve()
    grammar = Grammar.load(demo)
    everything = client.get("/api/v1/rules", params={"limit": 500}).json()
    assert everything["total"] == len(grammar.rules)
    counts = [rule["count"] for rule in everything["rules"]]
    assert counts == sorted(counts, reverse=True)
    expected = {
        str(rule)
        for rule in grammar.rules
        if str(rule.lhs) == "VP_2" and "WHNP" in map(str, rule.rhs)
    }
    found = client.get("/api/v1/rules", params={"lhs": "VP_2", "rhs": "WHNP", "limit": 500}).json()
    assert {rule["rule"] for rule in found["rules"]} == expected
    assert expected
    wide = client.get("/api/v1/rules", params={"fan_out": 2}).json()
    assert wide["total"] == grammar.count_by_fan_out()[2]
    clause = found["rules"][0]["clause"]
    by_text = client.get("/api/v1/rules", params={"text": f" {clause.lower()}"}).json()
    assert clause in [rule["clause"] for rule in by_text["rules"]]


def test_a_model_is_inspected(serve, demo, refined, transitions):
    client = serve(demo, refined, transitions)

    def inspect(**params):
        return client.get("/api/v1/inspection", params=params)

    assert not inspect().json()["substates"]
    assert any("weights" in line for line in inspect(model="steps").json()["lines"])
    fine = inspect(model="fine").json()
    assert fine["substates"]
    assert any("VP" in line for line in fine["lines"])
    assert any("VP" in line for line in inspect(model="fine", symbol="VP").json()["lines"])
    assert refusal(inspect(model="fine", symbol="XYZ"))[0] == 400
    assert refusal(inspect(symbol="VP")) == (
        400,
        "demo is a PLCFRS (Evang and Kallmeyer 2011): it has no substates",
    )


def test_rules_come_in_pages(serve):
    client = serve()
    pages = [
        client.get("/api/v1/rules", params={"offset": offset, "limit": 7}).json()["rules"]
        for offset in (0, 7)
    ]
    both = client.get("/api/v1/rules", params={"limit": 14}).json()["rules"]
    assert pages[0] + pages[1] == both


def test_a_search_for_rules_that_cannot_be_says_why(serve):
    for params, named in [({"lhs": "VPP"}, "VPP"), ({"sort": "beauty"}, "count, prob")]:
        status, message = refusal(serve().get("/api/v1/rules", params=params))
        assert status == 400
        assert named in message
