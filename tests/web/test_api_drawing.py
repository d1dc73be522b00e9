"""The API: trees drawn again, compared, and written in other formats."""

import pytest
from serving import AMBIGUOUS, parsed

from plcfrs.evaluation import differences, load_settings
from plcfrs.transformation import from_dependencies, transform
from plcfrs.treebank import FORMATS, read_dependencies, read_trees
from plcfrs.trees import Tree


def test_shades_are_drawn_again_and_in_latex(serve):
    client = serve()
    (best,) = parsed(client, posteriors=True)["parses"]
    tree = best["tree"]
    wanted = {"discbracket": tree["discbracket"], "shades": best["posteriors"]}
    again = client.post("/api/v1/draw", json={**wanted, "gaps": True}).json()
    assert again["svg"] == tree["svg"]
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
        each["tree"]["discbracket"] for each in parsed(client, AMBIGUOUS, nbest=2)["parses"]
    )
    found = compare(client, one, other).json()
    first, second = differences(*map(Tree.from_string, (one, other)), load_settings("all"))
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
