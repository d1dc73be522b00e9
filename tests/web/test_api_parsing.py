"""What the API tells about a parse: steps, posteriors."""

import re

import pytest
from demo_trees import demo_trees, raw_demo_trees
from serving import AMBIGUOUS, SENTENCE, parsed, refusal

from plcfrs import Fixed, FixedConstituent, load_model, train
from plcfrs.completion import Completion
from plcfrs.parsing.parse import constituents_of
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


@pytest.mark.parametrize("name", ["demo", "fine", "steps"])
def test_parses_have_what_is_fixed(serve, models, name):
    fixed = Fixed(
        (FixedConstituent.over(None, [0, 1]),), (FixedConstituent.over("SQ", range(5)),), {2: "NN"}
    )
    known = {"required": ["* 0-1"], "forbidden": ["SQ 0-4"], "tags": {"2": "NN"}}
    (best,) = parsed(serve(models[name]), "What should we do ?", tagged=False, fixed=known)[
        "parses"
    ]
    parse = load_model(models[name]).parse("What should we do ?", fixed=fixed)
    assert best["tree"]["discbracket"].strip() == str(parse.tree)
    assert not fixed.missing(constituents_of(parse.tree))
    assert parse.tree.tokens[2].tag == "NN"


def test_the_cost_of_what_is_fixed(serve):
    (free,) = parsed(serve(), AMBIGUOUS)["parses"]
    assert free["fixed_cost"] is None
    (best,) = parsed(serve(), AMBIGUOUS, fixed={"required": ["NP-OBJ 2-6"]})["parses"]
    assert best["fixed_cost"] == pytest.approx(free["score"] - best["score"])
    assert "NP-OBJ" in best["tree"]["labels"]
    answer = parsed(serve(), AMBIGUOUS, fixed={"required": ["UNKNOWN 2-6"]})
    assert answer["message"].startswith("No parse that was found has all that is fixed")
    assert answer["parses"][0]["fixed_cost"] is None


@pytest.mark.parametrize(
    ("known", "message"),
    [
        ({"required": ["NP"]}, "'NP' should be like 'VP 0,3-4': a category and token positions"),
        ({"required": ["NP 5"]}, "NP 5: the tokens of the sentence have numbers 0 to 4"),
        ({"forbidden": ["NP 99999999999"]}, "the tokens of the sentence have numbers 0 to 4"),
        ({"tags": {"5": "NP"}}, "5: the tokens of the sentence have numbers 0 to 4"),
        ({"required": ["NP 0-1", "* 1-2"]}, "NP 0-1 and * 1-2 cross: no tree has both"),
        ({"required": ["NP 0"], "forbidden": ["* 0"]}, "NP 0 is required, but * 0 is forbidden"),
        ({"forbidden": ["NP-SBJ 0"]}, "forbidden NP-SBJ 0: give a category without functions"),
    ],
)
def test_impossible_constituents_are_refused(serve, known, message):
    wanted = {"text": SENTENCE, "tagged": True, "fixed": known}
    status, told = refusal(serve().post("/api/v1/parse", json=wanted))
    assert status == 400
    assert message in told
