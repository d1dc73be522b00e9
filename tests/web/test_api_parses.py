"""What the API tells about a parse: steps, posteriors, differences, files."""

import re

import pytest

from plcfrs import load_model
from plcfrs.evaluation import differences, load_settings
from plcfrs.reduction import from_dependencies
from plcfrs.transformation import transform
from plcfrs.treebank import FORMATS, read_dependencies, read_trees
from plcfrs.treebank.format import Chunk
from plcfrs.trees import Tree

SENTENCE = "What/WP should/MD we/PRP do/VB ?/."
AMBIGUOUS = "What/WP caused/VBD the/DT fire/NN at/IN the/DT mill/NN ?/."


def parse(client, text=SENTENCE, **wanted):
    answer = client.post("/api/v1/parse", json={"text": text, "tagged": True, **wanted})
    assert answer.status_code == 200, answer.text
    return answer.json()


def read(discbracket):
    return FORMATS["discbracket"].parse(Chunk("", 1, discbracket, 1))


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
    (best,) = parse(serve(models[name]))["parses"]
    steps = explained(models[name]).explanation.rows
    assert (best["step"], best["measure"]) == (step, measure)
    assert [one["clause"] for one in best["derivation"]] == [one.clause for one in steps]
    assert {name for one in best["derivation"] for name in one["details"]} == details
    assert [one["details"] for one in best["derivation"]] == [dict(one.details) for one in steps]


@pytest.mark.parametrize("name", ["demo", "fine", "steps"])
@pytest.mark.parametrize("text", [SENTENCE, AMBIGUOUS])
def test_steps_together_make_all_constituents(serve, models, name, text):
    (best,) = parse(serve(models[name]), text)["parses"]
    tree = read(best["tree"]["discbracket"])
    spans = tree.yields()
    made = set()
    for step in best["derivation"]:
        for number in step["nodes"]:
            assert spans[tree.nodes()[number]] == sum(1 << token for token in step["tokens"])
            made.add(number)
    assert made == set(range(len(tree.nodes())))


def test_dependencies_have_arcs(serve, reduction, demo):
    (best,) = parse(serve(reduction))["parses"]
    dependencies = explained(reduction).explanation.dependencies
    assert re.findall(r'<g data-token="(\d)"', best["arcs"]) == list("01234")
    for relation in dependencies.relations:
        assert f">{relation}<" in best["arcs"]
    assert best["derivation"][0]["tokens"] == [
        place - 1 for place in (1, dependencies.heads[0]) if place
    ]
    assert parse(serve(demo))["parses"][0]["arcs"] is None


@pytest.mark.parametrize("name", ["demo", "fine"])
def test_posteriors_are_those_of_the_model(serve, models, name):
    client = serve(models[name])
    (best,) = parse(client, AMBIGUOUS, posteriors=True)["parses"]
    pairs = [tuple(word.rsplit("/", 1)) for word in AMBIGUOUS.split()]
    found = load_model(models[name]).parse(pairs, posteriors=True).posteriors
    assert best["posteriors"] == pytest.approx([each.probability for each in found])
    assert len(best["posteriors"]) == len(best["tree"]["labels"])
    shades = [
        float(one)
        for one in re.findall(r'fill="#2f74d0" fill-opacity="([\d.]+)"', best["tree"]["svg"])
    ]
    assert shades == pytest.approx([0.3 * one for one in best["posteriors"]], abs=1e-3)
    (plain,) = parse(client, AMBIGUOUS)["parses"]
    assert plain["posteriors"] is None
    assert "#2f74d0" not in plain["tree"]["svg"]


def test_each_of_the_best_parses_has_posteriors(serve):
    client = serve()
    parses = parse(client, AMBIGUOUS, posteriors=True, nbest=3)["parses"]
    (best,) = parse(client, AMBIGUOUS, posteriors=True)["parses"]
    assert len(parses) == 3
    assert parses[0]["posteriors"] == pytest.approx(best["posteriors"])
    assert min(parses[1]["posteriors"]) < 0.5 < parses[1]["posteriors"][0]


def test_without_a_parse_there_are_no_posteriors(serve):
    (one,) = parse(serve(), "should/MD should/MD", posteriors=True)["parses"]
    assert one["posteriors"] == []


def test_posteriors_that_a_model_does_not_have_are_refused(serve, transitions):
    client = serve(transitions)
    wanted = {"text": SENTENCE, "tagged": True, "posteriors": True}
    answer = client.post("/api/v1/parse", json=wanted)
    assert answer.status_code == 400
    assert "probabilities of constituents" in answer.json()["error"]["message"]


def test_shades_are_drawn_again_and_in_latex(serve):
    client = serve()
    (best,) = parse(client, posteriors=True)["parses"]
    tree = best["tree"]
    wanted = {"discbracket": tree["discbracket"], "shades": best["posteriors"]}
    assert client.post("/api/v1/draw", json=wanted).json()["svg"] == tree["svg"]
    shut = client.post("/api/v1/draw", json={**wanted, "collapsed": [1]}).json()
    assert shut["svg"].count("#2f74d0") == len(shut["nodes"]) < len(tree["labels"])
    answer = client.post("/api/v1/draw", json={**wanted, "shades": [0.5]})
    assert answer.status_code == 400
    assert "as many as" in answer.json()["error"]["message"]
    darkest = [1e9 * one for one in best["posteriors"]]
    assert "1e" not in client.post("/api/v1/draw", json={**wanted, "shades": darkest}).json()["svg"]
    latex = client.post("/api/v1/draw/file", json={**wanted, "format": "tikz"}).text
    assert latex.count("fill=blue!30") == sum(one > 0.99 for one in best["posteriors"])


def compare(client, first, second, **wanted):
    return client.post("/api/v1/compare", json={"first": first, "second": second, **wanted})


def test_two_parses_are_compared(serve):
    client = serve()
    one, other = (
        each["tree"]["discbracket"] for each in parse(client, AMBIGUOUS, nbest=2)["parses"]
    )
    found = compare(client, one, other).json()
    first, second = differences(read(one), read(other), load_settings("all"))
    assert not found["same"]
    assert (len(found["first"]["marked"]), len(found["second"]["marked"])) == (
        len(first),
        len(second),
    )
    assert found["errors"]
    assert compare(client, one, one).json()["same"]
    assert compare(client, one, one).json()["errors"] == []


def test_a_parse_is_compared_with_a_gold_tree_that_has_traces(serve):
    gold = next(tree for tree in read_trees("plcfrs:demo") if tree.tokens[-2].is_null)
    wanted = FORMATS["discbracket"].render(gold, 1)
    parsed = FORMATS["discbracket"].render(transform(gold), 1)
    refused = compare(serve(), wanted, parsed)
    assert refused.status_code == 400
    assert "traces" in refused.json()["error"]["message"]
    assert compare(serve(), wanted, parsed, transform=True).json()["same"]


@pytest.mark.parametrize(
    ("wanted", "status", "named"),
    [
        ({"second": "(ROOT (X 0=b))"}, 400, "the same words"),
        ({"second": "(ROOT"}, 400, "tree"),
        ({"settings": "mine"}, 400, "settings"),
        ({"second": 200_000 * "("}, 413, "too large"),
        ({"first": f"{2_000 * '(S '}(A 0=a){2_000 * ')'}"}, 413, "too large"),
    ],
)
def test_what_cannot_be_compared(serve, wanted, status, named):
    answer = compare(serve(), **{"first": "(ROOT (X 0=a))", "second": "(ROOT (X 0=a))", **wanted})
    assert answer.status_code == status
    assert named in answer.json()["error"]["message"]


def written(client, tree, folder, **wanted):
    """Return the file of a tree in some format."""
    wanted = {"discbracket": FORMATS["discbracket"].render(tree, 1), **wanted}
    answer = client.post("/api/v1/draw/file", json=wanted)
    assert answer.headers["content-type"].startswith("text/plain")
    path = folder / f"tree.{wanted['format']}"
    path.write_text(answer.text, encoding="utf-8")
    return path


def test_a_tree_is_written_in_other_formats(serve, tmp_path):
    tree = Tree.from_string("(ROOT (S (VP (WP 0=What) (VB 3=do)) (MD 1=should) (NP (PRP 2=we))))")
    client = serve()
    for format in ("discbracket", "export"):
        path = written(client, tree, tmp_path, format=format, collapsed=[1])
        assert list(read_trees(path)) == [tree]
    (dependencies,) = read_dependencies(written(client, tree, tmp_path, format="conllu"))
    assert dependencies.heads == [4, 4, 4, 0]
    assert from_dependencies(dependencies) == tree


@pytest.mark.parametrize(("rules", "heads"), [("collins", [3, 3, 0]), ("negra", [0, 1, 1])])
def test_heads_are_found_by_the_chosen_rules(serve, tmp_path, rules, heads):
    tree = Tree.from_string("(ROOT (PP (APPR 0=in) (ART 1=der) (NN 2=Stadt)))")
    path = written(serve(), tree, tmp_path, format="conllu", head_rules=rules)
    assert [found.heads for found in read_dependencies(path)] == [heads]
