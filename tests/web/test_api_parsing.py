"""What the API tells about a parse: steps, posteriors."""

import re

import pytest
from demo_trees import demo_trees, raw_demo_trees
from serving import AMBIGUOUS, SENTENCE, parsed

from plcfrs import load_model, train
from plcfrs.completion import Completion
from plcfrs.transformation import EVANG_KALLMEYER
from plcfrs.transformation.presets import change_all
from plcfrs.trees import Tree


def explained(path, text=SENTENCE):
    pairs = [tuple(word.rsplit("/", 1)) for word in text.split()]
    return load_model(path).parse(pairs, explained=True)


@pytest.fixture(scope="session")
def models(demo, refined, transitions, reduction):
    return {"demo": demo, "fine": refined, "steps": transitions, "arcs": reduction}


@pytest.mark.parametrize(
    ("name", "step", "measure", "details"),
    [
        ("demo", "rule", "ln p", set()),
        ("fine", "rule", "ln posterior", set()),
        ("steps", "transition", "score", {"stack", "deque", "buffer"}),
        ("arcs", "dependency", "score", {"relation", "next best head", "costs"}),
    ],
)
def test_the_family_says_what_a_step_is(serve, models, name, step, measure, details):
    (best,) = parsed(serve(models[name]))["parses"]
    steps = explained(models[name]).explanation.rows
    assert (best["step"], best["measure"]) == (step, measure)
    assert [one["clause"] for one in best["derivation"]] == [one.clause for one in steps]
    assert {name for one in best["derivation"] for name in one["details"]} == details
    assert [one["details"] for one in best["derivation"]] == [dict(one.details) for one in steps]


def test_functions_are_there_unless_unwanted(serve, tmp_path):
    train("grammar", demo_trees()[:30]).save(tmp_path / "a.plcfrs")
    client = serve(tmp_path / "a.plcfrs")
    (model,) = client.get("/api/v1/models").json()["models"]
    assert model["annotation"] == ["functions"]
    for asked, found in (({}, True), ({"functions": True}, True), ({"functions": False}, False)):
        (best,) = parsed(client, **asked)["parses"]
        assert ("NP-SBJ" in best["tree"]["labels"]) == found


def test_trees_with_traces_are_given_if_asked_for(serve, models, tmp_path):
    trees = change_all(raw_demo_trees()[:30], EVANG_KALLMEYER, annotation=True)
    model = load_model(models["demo"])
    model.completion = Completion.train(trees, EVANG_KALLMEYER)
    model.save(tmp_path / "demo.plcfrs")
    client = serve(tmp_path / "demo.plcfrs")
    (best,) = parsed(client, traces=True)["parses"]
    words = [token["form"] for token in best["with_traces"]["tokens"]]
    assert words == ["What", "should", "we", "do", "*T*-1", "?"]
    assert 'data-trace="4"' in best["with_traces"]["svg"]
    for wanted in ({}, {"traces": True, "functions": False}):
        (best,) = parsed(client, **wanted)["parses"]
        assert best["with_traces"] is None


def test_steps_together_make_all_constituents(serve, models):
    for text in [SENTENCE, AMBIGUOUS]:
        for name in ["demo", "fine", "steps"]:
            (best,) = parsed(serve(models[name]), text)["parses"]
            tree = Tree.from_string(best["tree"]["discbracket"])
            spans = tree.yields()
            made = set()
            for step in best["derivation"]:
                for number in step["nodes"]:
                    assert spans[tree.nodes()[number]] == sum(
                        1 << token for token in step["tokens"]
                    )
                    made.add(number)
            assert made == set(range(len(tree.nodes())))


def test_dependencies_have_arcs(serve, reduction, demo):
    (best,) = parsed(serve(reduction))["parses"]
    dependencies = explained(reduction).explanation.dependencies
    assert re.findall(r'<g data-token="(\d)"', best["arcs"]) == list("01234")
    for relation in dependencies.relations:
        assert f">{relation}<" in best["arcs"]
    assert best["derivation"][0]["tokens"] == [
        place - 1 for place in (1, dependencies.heads[0]) if place
    ]
    assert parsed(serve(demo))["parses"][0]["arcs"] is None


def test_posteriors_are_those_of_the_model(serve, models):
    for name in ["demo", "fine"]:
        client = serve(models[name])
        (best,) = parsed(client, AMBIGUOUS, posteriors=True)["parses"]
        pairs = [tuple(word.rsplit("/", 1)) for word in AMBIGUOUS.split()]
        found = load_model(models[name]).parse(pairs, posteriors=True).posteriors
        assert best["posteriors"] == pytest.approx([each.probability for each in found])
        assert len(best["posteriors"]) == len(best["tree"]["labels"])
        shades = [
            float(one)
            for one in re.findall(r'fill="#2f74d0" fill-opacity="([\d.]+)"', best["tree"]["svg"])
        ]
        assert shades == pytest.approx([0.3 * one for one in best["posteriors"]], abs=1e-3)
        (plain,) = parsed(client, AMBIGUOUS)["parses"]
        assert plain["posteriors"] is None
        assert "#2f74d0" not in plain["tree"]["svg"]


def test_each_of_the_best_parses_has_posteriors(serve):
    client = serve()
    parses = parsed(client, AMBIGUOUS, posteriors=True, nbest=3)["parses"]
    (best,) = parsed(client, AMBIGUOUS, posteriors=True)["parses"]
    assert len(parses) == 3
    assert parses[0]["posteriors"] == pytest.approx(best["posteriors"])
    assert min(parses[1]["posteriors"]) < 0.5 < parses[1]["posteriors"][0]


def test_without_a_parse_there_are_no_posteriors(serve):
    (one,) = parsed(serve(), "should/MD should/MD", posteriors=True)["parses"]
    assert one["posteriors"] == []


def test_posteriors_that_a_model_does_not_have_are_refused(serve, transitions):
    client = serve(transitions)
    wanted = {"text": SENTENCE, "tagged": True, "posteriors": True}
    answer = client.post("/api/v1/parse", json=wanted)
    assert answer.status_code == 400
    assert "probabilities of constituents" in answer.json()["error"]["message"]


def test_unknown_words_are_those_that_the_model_does_not_have(serve, models):
    for name in ["demo", "fine", "steps"]:
        text = "What/WP should/MD zyzzyva/PRP do/VB ?/."
        words = [word.split("/")[0] for word in text.split()]
        known = load_model(models[name]).words
        assert "zyzzyva" not in known
        expected = [position for position, word in enumerate(words) if word not in known]
        assert parsed(serve(models[name]), text)["unknown"] == expected


def test_unknown_words_of_a_sentence_without_tags(serve):
    answer = parsed(serve(), "What zyzzyva we do ?", tagged=False)
    assert answer["unknown"] == [1]


def test_a_model_without_a_list_of_words_knows_of_no_unknown_ones(serve, reduction):
    assert parsed(serve(reduction), "What/WP zyzzyva/VB ?/.")["unknown"] == []


def test_a_text_is_split_into_sentences(serve):
    for kind, text, sentences in [
        ("tokenize", "Mr. Hob left.\nWho\nknows why?", ["Mr. Hob left.", "Who knows why?"]),
        ("tokens", "Who left ? We did\nnot .\n\n", ["Who left ?", "We did", "not ."]),
        ("tagged", "We/PRP ./. did/VBD\n\nnot/RB ./.", ["We/PRP ./. did/VBD", "not/RB ./."]),
    ]:
        answer = serve().post("/api/v1/sentences", json={"text": text, kind: True})
        assert answer.json() == {"sentences": sentences}
