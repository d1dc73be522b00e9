"""The API without a server."""

import threading
from math import fsum, inf, isclose
from xml.etree import ElementTree

import late_parse
import pytest
from fastapi.testclient import TestClient
from quick import full
from serving import AMBIGUOUS, SENTENCE, refusal, upload

from plcfrs.grammar import Grammar
from plcfrs.parsers.grammar.model import GrammarModel
from plcfrs.parsing.registry import load_model
from plcfrs.treebank import read_trees
from plcfrs.web.app import create_app, warm_up
from plcfrs.web.store import NamedModel, Store


def parse(client, text=SENTENCE, **wanted):
    wanted.setdefault("tagged", "/" in text)
    return client.post("/api/v1/parse", json={"text": text, **wanted})


def test_models_say_what_can_be_chosen(serve, demo, refined, transitions):
    answer = serve(demo, refined, transitions).get("/api/v1/models").json()
    plain, fine, steps = answer["models"]
    grammar = Grammar.load(demo)
    assert (plain["name"], plain["kind"]) == ("demo", "grammar")
    assert plain["capabilities"] == ["budget", "nbest", "sums", "surprisal"]
    assert (plain["strategies"], plain["objectives"]) == (["astar", "knuth"], ["mpd", "mcp"])
    assert (plain["rules"], plain["words"]) == (len(grammar.rules), len(grammar.lexicon.words))
    assert "WP" in plain["tags"]
    assert (fine["kind"], "nbest" in fine["capabilities"], fine["strategies"]) == (
        "refined",
        False,
        [],
    )
    assert (steps["kind"], "nbest" in steps["capabilities"]) == ("gap", True)
    assert (steps["strategies"], steps["objectives"]) == ([], [])
    assert (steps["rules"], steps["fan_out"]) == (None, None)
    assert "WP" in steps["tags"]
    assert steps["options"]["system"] == "gap"
    assert answer["limits"]["max_length"] == 100


def test_examples_are_sentences_that_the_model_parses(serve, transitions):
    client = serve("plcfrs:demo", transitions)
    for model in ("plcfrs:demo", "steps"):
        examples = client.get("/api/v1/examples", params={"model": model}).json()
        assert len(examples) == 6
        for example in examples:
            assert parse(client, model=model, **example).json()["status"] == "parsed"


def test_the_first_examples_have_gaps(serve):
    client = serve("plcfrs:english")
    examples = client.get("/api/v1/examples").json()
    assert not any(example["tagged"] for example in examples)
    (best,) = parse(client, **examples[0]).json()["parses"]
    assert best["gap_degree"] == 1


def test_examples_have_tags_if_words_are_unknown(serve, tmp_path):
    late_parse.GRAMMAR.save(tmp_path / "late.plcfrs")
    client = serve(tmp_path / "late.plcfrs", alone=True)
    assert client.get("/api/v1/examples").json() == []
    upload(client, "a.discbracket", b"(S (A 0=a) (A 1=b) (A 2=c))\n")
    assert client.get("/api/v1/examples").json() == [{"text": "a/A b/A c/A", "tagged": True}]


def test_a_server_without_a_model_has_treebanks():
    client = TestClient(create_app(Store([], ["plcfrs:demo"])), base_url="http://localhost")
    assert client.get("/api/v1/models").json()["models"] == []
    params = {"treebank": "plcfrs:demo", "query": "NP"}
    assert client.get("/api/v1/trees", params=params).json()["total"] > 0
    assert refusal(parse(client)) == (404, "there is no model by default: there are none")


def test_a_parse_is_that_of_the_model(serve, demo, tmp_path):
    answer = parse(serve()).json()
    expected = GrammarModel.load(demo).parse([tuple(word.split("/")) for word in SENTENCE.split()])
    (best,) = answer["parses"]
    assert (answer["status"], answer["message"]) == ("parsed", "")
    assert best["score"] == expected.score
    assert best["gap_degree"] == 1
    for format in ("discbracket", "export"):
        path = tmp_path / f"tree.{format}"
        path.write_text(best["tree"][format], encoding="utf-8")
        assert list(read_trees(path)) == [expected.tree]


def test_the_picture_has_the_constituents_and_tokens_that_the_answer_names(serve):
    tree = parse(serve()).json()["parses"][0]["tree"]
    svg = ElementTree.fromstring(tree["svg"])
    nodes = [one.get("data-yield") for one in svg.iter() if one.get("data-node")]
    tokens = [one for one in svg.iter() if one.get("data-token")]
    assert dict(zip(tree["labels"], nodes, strict=True))["VP"] == "0 3"
    assert [token["form"] for token in tree["tokens"]] == ["What", "should", "we", "do", "?"]
    assert len(tokens) == 5


def test_the_costs_of_the_derivation_add_up(serve):
    for text in [AMBIGUOUS, "What caused the fire at the mill ?"]:
        for one in parse(serve(), text, nbest=5).json()["parses"]:
            assert isclose(fsum(step["score"] for step in one["derivation"]), one["score"])
        steps = {step["words"] for step in one["derivation"]}
        assert {"What caused the fire at the mill ?", "the mill", "What"} <= steps


def test_parses_are_ordered_and_different(serve):
    parses = parse(serve(), AMBIGUOUS, nbest=5).json()["parses"]
    scores = [one["score"] for one in parses]
    assert len(parses) > 1
    assert scores == sorted(scores, reverse=True)
    assert len({one["tree"]["discbracket"] for one in parses}) == len(parses)
    assert [one["rank"] for one in parses] == list(range(1, len(parses) + 1))


def test_strategies_find_parses_of_the_same_cost(serve):
    client = serve()
    astar, knuth = (parse(client, strategy=name).json() for name in ("astar", "knuth"))
    assert isclose(astar["parses"][0]["score"], knuth["parses"][0]["score"])
    assert astar["statistics"]["items"] != knuth["statistics"]["items"]


def test_a_refined_grammar_parses(serve, refined):
    client = serve(refined)
    answer = parse(client, objective="max-rule-sum").json()
    assert answer["status"] == "parsed"
    assert answer["parses"][0]["probability"] is None
    assert all(step["score"] < 1e-9 for step in answer["parses"][0]["derivation"])
    assert "words relative to their tags" in answer["parses"][0]["meaning"]
    assert refusal(parse(client, nbest=2))[0] == 400
    assert refusal(parse(client, strategy="knuth"))[0] == 400


def test_a_transition_parser_parses(serve, transitions):
    client = serve(transitions)
    answer = parse(client).json()
    expected = load_model(transitions).parse([tuple(word.split("/")) for word in SENTENCE.split()])
    (best,) = answer["parses"]
    assert (answer["status"], answer["message"]) == ("parsed", "")
    assert best["score"] == expected.score
    assert best["probability"] is None
    steps = best["derivation"]
    assert isclose(sum(step["score"] for step in steps), expected.score)
    assert (steps[0]["rule"], steps[0]["tokens"], steps[0]["words"]) == ("SHIFT", [0], "What")
    gapped = [step["words"] for step in steps if step["tokens"] == [0, 3]]
    assert set(gapped) == {"What … do"}


def test_what_a_transition_parser_has(serve, transitions):
    client = serve(transitions)
    scores = [one["score"] for one in parse(client, nbest=3).json()["parses"]]
    assert len(scores) == 3
    assert scores == sorted(scores, reverse=True)
    tagged_by_itself = parse(client, "What should xyzzy do ?", tagged=False).json()
    assert tagged_by_itself["status"] == "parsed"
    assert refusal(parse(client, strategy="knuth"))[0] == 400
    assert refusal(parse(client, objective="mpd"))[0] == 400
    assert refusal(parse(client, objective="mpd", nbest=2))[0] == 400
    status, message = refusal(client.get("/api/v1/rules"))
    assert (status, message) == (400, "steps is SR-GAP (Coavoux and Crabbé 2017): it has no rules")


def test_a_sentence_without_a_parse_says_why(serve):
    for text, status, named in [
        ("What/WP should/XYZ ?/.", "unknown tag", "XYZ"),
        ("should/MD should/MD", "no parse", "no parse"),
    ]:
        answer = parse(serve(), text).json()
        assert answer["status"] == status
        assert named in answer["message"]
        assert answer["parses"][0]["score"] is None
        assert len(answer["parses"][0]["tree"]["tokens"]) == len(text.split())


def test_a_request_that_is_refused_says_why(serve):
    for wanted, status, named in [
        ({"text": "a " * 11}, 413, "11 words"),
        ({"text": "a" * 1001}, 413, "1000 characters"),
        ({"text": "What/WP should"}, 400, "word/TAG"),
        ({"text": " \n"}, 400, "no sentence"),
        ({"text": "a", "model": "none"}, 404, "expected one of demo"),
        ({"text": "a", "strategy": "beam"}, 400, "astar"),
        ({"text": "a", "fallback": "any"}, 400, "partial"),
        ({"text": "a", "objective": "best"}, 400, "mpd"),
        ({"text": "a", "nbest": 51}, 400, "50"),
        ({"text": "a", "nbest": 2, "objective": "mcp"}, 400, "objective"),
        ({"text": "a", "nbest": 0}, 422, "nbest"),
        ({"text": 7}, 422, "text"),
        ({}, 422, "text"),
    ]:
        tagged = "/" in str(wanted.get("text"))
        response = serve(max_length=10).post("/api/v1/parse", json={"tagged": tagged, **wanted})
        assert refusal(response)[0] == status
        assert named in refusal(response)[1]


def test_what_the_user_types_is_escaped_in_pictures(serve):
    word = '"><script>alert(1)</script>&'
    tree = parse(serve(), f"{word}/NN do/VB", tagged=True).json()["parses"][0]["tree"]
    svg = ElementTree.fromstring(tree["svg"])
    assert word in [one.text for one in svg.iter()]
    assert not any("script" in one.tag for one in svg.iter())


def test_a_search_without_time_or_items_says_so(serve):
    text = " ".join(f"{word}/{tag}" for word, tag in [("a", "NN"), ("b", "VBZ")] * 10)
    assert parse(serve(max_items=50), text).json()["status"] == "out of items"


def test_a_parse_that_is_not_proven_says_so(serve, tmp_path):
    late_parse.GRAMMAR.save(tmp_path / "late.plcfrs")
    client = serve(tmp_path / "late.plcfrs", max_items=late_parse.ITEMS)
    answer = parse(client, "a/A", strategy="knuth").json()
    (only,) = answer["parses"]
    assert (answer["status"], answer["fallback"]) == ("parsed", "none")
    assert only["gap"] > 0
    assert f"a better parse would be at most {only['gap']:.2g} nats better" in answer["message"]
    proven = parse(serve(tmp_path / "late.plcfrs"), "a/A").json()
    assert (proven["message"], proven["parses"][0]["gap"]) == ("", 0.0)


def test_the_tree_of_a_sentence_without_a_parse_can_be_chosen(serve):
    client, text = serve(), "the/DT mill/NN ./. ./."
    assert client.get("/api/v1/models").json()["models"][0]["fallbacks"] == [
        "none",
        "flat",
        "partial",
    ]
    answers = [parse(client, text, fallback=name).json() for name in ("none", "flat", "partial")]
    assert [answer["fallback"] for answer in answers] == ["none", "flat", "partial"]
    assert {answer["status"] for answer in answers} == {"no parse"}
    labels = [answer["parses"][0]["tree"]["labels"] for answer in answers]
    assert [set(each) > {"ROOT", "NOPARSE"} for each in labels] == [False, False, True]
    stopped = parse(serve(max_items=2), SENTENCE, fallback="partial").json()
    assert (stopped["status"], stopped["fallback"]) == ("out of items", "partial")


def test_no_limit_is_null(serve):
    limits = serve(max_seconds=inf, max_items=inf).get("/api/v1/models").json()["limits"]
    assert (limits["max_seconds"], limits["max_items"], limits["max_memory"]) == (None, None, 1.0)


def test_a_tree_is_drawn_again_with_collapsed_constituents(serve):
    client = serve()
    tree = parse(client).json()["parses"][0]["tree"]
    assert (tree["marked"], tree["marked_tokens"]) == ([], [])
    vp = tree["labels"].index("VP")
    wanted = {"discbracket": tree["discbracket"], "gaps": True}
    whole = client.post("/api/v1/draw", json=wanted).json()
    assert tree["gaps"]
    assert whole["svg"] == tree["svg"].replace(f">{tree['id']}<", "><")
    assert whole["nodes"] == list(range(len(tree["labels"])))
    shut = client.post("/api/v1/draw", json={**wanted, "collapsed": [vp], "marked": [vp]}).json()
    assert shut["nodes"] == [node for node in whole["nodes"] if tree["labels"][node] != "WHNP"]
    assert shut["svg"].count('font-weight="bold"') == 1
    root = client.post("/api/v1/draw", json={**wanted, "collapsed": [0], "spacious": True}).json()
    assert (root["nodes"], root["parts"]) == ([0], [[0, 1, 2, 3, 4]])
    assert "What should we do ?" in root["svg"]
    assert refusal(client.post("/api/v1/draw", json={"discbracket": "(S (A"}))[0] == 400
    tikz = client.post("/api/v1/draw/file", json={**wanted, "format": "tikz"})
    assert tikz.headers["content-type"] == "application/x-tex"
    assert "tikzpicture" in tikz.text
    svg = client.post("/api/v1/draw/file", json={**wanted, "format": "svg"}).text
    assert svg == whole["svg"]
    assert refusal(client.post("/api/v1/draw/file", json={**wanted, "format": "gif"}))[0] == 422


def test_running_text_is_split_into_words(serve):
    client = serve()
    answer = parse(client, "What  should\nwe do?", tokenize=True).json()
    tokens = answer["parses"][0]["tree"]["tokens"]
    assert [(token["form"], token["start"], token["end"]) for token in tokens] == [
        ("What", 0, 4),
        ("should", 6, 12),
        ("we", 13, 15),
        ("do", 16, 18),
        ("?", 18, 19),
    ]
    assert answer["status"] == "parsed"
    assert refusal(parse(client, tokenize=True))[0] == 400


def test_the_api_is_described(serve):
    client = serve()
    document = client.get("/openapi.json").json()
    assert set(document["paths"]) == {
        "/api/v1/compare",
        "/api/v1/counts",
        "/api/v1/counts.tsv",
        "/api/v1/course",
        "/api/v1/draw",
        "/api/v1/draw/file",
        "/api/v1/draw/text",
        "/api/v1/edit",
        "/api/v1/errors",
        "/api/v1/errors.tsv",
        "/api/v1/errors/sentence",
        "/api/v1/examples",
        "/api/v1/hits",
        "/api/v1/hits.tsv",
        "/api/v1/inspection",
        "/api/v1/models",
        "/api/v1/parse",
        "/api/v1/parses",
        "/api/v1/project",
        "/api/v1/project/act",
        "/api/v1/project/checks",
        "/api/v1/project/choices",
        "/api/v1/project/menu",
        "/api/v1/project/sentence",
        "/api/v1/project/train",
        "/api/v1/project/training",
        "/api/v1/queries",
        "/api/v1/queries/translation",
        "/api/v1/rules",
        "/api/v1/rules.yaml",
        "/api/v1/rules/changes",
        "/api/v1/rules/uses",
        "/api/v1/sentences",
        "/api/v1/surprisal",
        "/api/v1/surprisal/chart",
        "/api/v1/surprisal/items",
        "/api/v1/treebanks",
        "/api/v1/trees",
        "/api/v1/trees/example",
        "/api/v1/trees/file",
        "/api/v1/want",
    }
    for methods in document["paths"].values():
        for operation in methods.values():
            assert operation["description"]
            assert operation["responses"]["429"]["content"]
    assert client.get("/api").status_code == 200


def test_an_unknown_path_is_an_error_in_json(serve):
    assert refusal(serve().get("/api/v1/nothing"))[0] == 404
    assert refusal(serve().get("/static/../../pyproject.toml"))[0] == 404


@pytest.fixture
def slow(monkeypatch):
    """Let models parse only on command; give an event that says when one is about to."""
    begun, go = threading.Event(), threading.Event()

    class SlowModel(NamedModel):
        def parser(self, **options):
            begun.set()
            assert go.wait(120)
            return super().parser(**options)

    monkeypatch.setattr("plcfrs.web.store.NamedModel", SlowModel)
    yield begun, go
    go.set()


@pytest.mark.parametrize(
    ("limits", "status", "named"),
    [({"waiting": 0}, 429, "waiting"), full({"max_seconds": 1.0}, 503, "busy")],
)
def test_too_many_sentences_are_refused_while_one_takes_long(serve, slow, limits, status, named):
    begun, go = slow
    answers = []
    with serve(alone=True, jobs=1, **limits) as client:
        first = threading.Thread(target=lambda: answers.append(parse(client).status_code))
        first.start()
        assert begun.wait(120)
        second = parse(client)
        others = client.get("/api/v1/models").status_code  # the server still answers
        go.set()
        first.join()
        assert parse(client).status_code == 200
    assert refusal(second)[0] == status
    assert named in refusal(second)[1]
    assert second.headers["retry-after"] == "1"
    assert (answers, others) == ([200], 200)


def test_a_failure_of_the_server_is_an_error_in_json(serve, monkeypatch, capsys):
    def fail(*_):
        raise ZeroDivisionError

    monkeypatch.setattr("plcfrs.web.parsing.describe_parses", fail)
    client = serve(alone=True)
    client.__dict__["_transport"].raise_server_exceptions = False
    status, message = refusal(parse(client))
    assert status == 500
    assert "ZeroDivisionError" in message
    assert "Traceback" in capsys.readouterr().err


def test_warming_up_parses_with_all_models(demo, refined, transitions, tmp_path):
    bad = tmp_path / "bad.mrg"  # a request gets its error
    bad.write_text("(S (A b)", encoding="utf-8")
    warm_up(Store([str(demo), str(refined), str(transitions)], [str(bad)]))


def test_why_a_constituent_is_missing(serve, transitions):
    wanted = {"text": "What/WP should/MD we/PRP do/VB ?/.", "tagged": True}
    client = serve()
    lines = client.post("/api/v1/want", json={**wanted, "want": "VP 0,3"}).json()["lines"]
    assert lines[0].startswith("VP 0,3: in the best parse")
    lines = client.post("/api/v1/want", json={**wanted, "want": "NP 0-1"}).json()["lines"]
    assert lines[0].startswith("NP 0-1: ")
    assert refusal(client.post("/api/v1/want", json={**wanted, "want": "?"}))[0] == 400
    other = serve(transitions).post("/api/v1/want", json={**wanted, "want": "NP 0-1"})
    assert other.json()["lines"][0].startswith("NP 0-1: not in the best parse")
