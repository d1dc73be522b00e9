"""The route that says how surprising words are."""

import csv
from io import StringIO
from xml.etree import ElementTree

import pytest
from serving import refusal

from plcfrs import load_model
from plcfrs.cli import run
from plcfrs.forest import word_by_word
from plcfrs.grammar import Grammar, Nonterminal, Rule, tag
from plcfrs.parsers.grammar.model import GrammarModel
from plcfrs.trees import Tree

SENTENCE = "What should we do ?"
TAGGED = "What/WP should/MD we/PRP do/VB ?/."
NUMBERS = (
    "surprisal",
    "at_least",
    "at_most",
    "tag_surprisal",
    "word_surprisal",
    "log_prefix_probability",
    "entropy",
    "entropy_reduction",
    "derivation_entropy",
    "derivation_entropy_reduction",
)


def ask(client, text=SENTENCE, **wanted):
    return client.post("/api/v1/surprisal", json={"text": text, **wanted})


def read(client, text=SENTENCE, **wanted):
    answer = ask(client, text, **wanted)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_numbers_are_those_of_the_model(serve, demo):
    expected = load_model(demo).surprisal(SENTENCE)
    answer = read(serve())
    assert (answer["model"], answer["message"], answer["normalised"]) == ("demo", "", False)
    assert [word["word"] for word in answer["words"]] == SENTENCE.split()
    for word, known in zip(answer["words"], expected, strict=True):
        assert [word[name] for name in NUMBERS] == [
            None if number is None else pytest.approx(number)
            for number in (getattr(known, name) for name in NUMBERS)
        ]
        assert (word["status"], word["tag"], word["analyses"]) == ("read", "", [])


def test_entropy_of_derivations_if_it_is_wanted(serve, demo):
    expected = load_model(demo).surprisal(SENTENCE, derivation_entropy=True)
    words = read(serve(), derivation_entropy=True)["words"]
    assert [word["derivation_entropy"] for word in words] == pytest.approx(
        [word.derivation_entropy for word in expected]
    )
    assert all(word["derivation_entropy"] is None for word in read(serve())["words"])


def test_given_tags_are_read(serve):
    words = read(serve(), TAGGED, tagged=True)["words"]
    assert [word["tag"] for word in words] == ["WP", "MD", "PRP", "VB", "."]
    assert all(word["word_surprisal"] < 1e-9 for word in words)
    assert sum(word["surprisal"] for word in words) > 0


def test_running_text_is_split(serve):
    words = read(serve(), "What should we do?", tokenize=True)["words"]
    assert [word["word"] for word in words] == SENTENCE.split()


def test_analyses_are_those_of_the_model_with_open_constituents_marked(serve, demo):
    expected = load_model(demo).surprisal(SENTENCE, 3)
    words = read(serve(), analyses=3)["words"]
    for word, known in zip(words, expected, strict=True):
        assert len(word["analyses"]) == len(known.analyses)
        for one, other in zip(word["analyses"], known.analyses, strict=True):
            tree = one["tree"]
            assert one["probability"] == pytest.approx(other.probability)
            assert one["open"] == list(other.open) == [tree["labels"][i] for i in tree["marked"]]
            assert Tree.from_string(tree["discbracket"]) == other.tree
            assert tree["svg"].startswith("<svg")
            assert [(each["category"], tuple(each["positions"])) for each in one["awaited"]] == [
                tuple(each) for each in other.awaited
            ]
            for each in one["awaited"]:
                assert tree["labels"][each["node"]] == each["category"]
    assert any(one["awaited"] for word in words for one in word["analyses"])
    assert any(one["open"] for word in words for one in word["analyses"])


def test_analyses_after_some_words_only(serve):
    words = read(serve(), analyses=2, at=[3])["words"]
    assert [len(word["analyses"]) for word in words] == [0, 0, 0, 2, 0]


def test_the_table_is_that_of_the_command(serve, demo, tmp_path):
    for kind, analyses in [("tsv", 0), ("csv", 2)]:
        sentence, table = tmp_path / "sentence.txt", tmp_path / f"table.{kind}"
        sentence.write_text(f"{SENTENCE}\n")
        command = ["surprisal", str(demo), str(sentence), "-o", str(table)]
        assert run([*command, "--analyses", str(analyses)]) == 0
        found, expected = (
            list(csv.reader(StringIO(text), delimiter="," if kind == "csv" else "\t"))
            for text in (read(serve(), analyses=analyses)[kind], table.read_text())
        )
        assert [row[1:] for row in found] == [row[1:] for row in expected]
        assert found[0] == expected[0]


def test_the_sentence_has_an_identifier_in_the_table(serve):
    rows = list(csv.DictReader(StringIO(read(serve(), sentence="control")["csv"])))
    assert [row["sentence"] for row in rows] == ["control"] * 5


def test_unknown_words_are_told(serve):
    words = read(serve(), "What zyzzyva we do ?")["words"]
    assert [word["known"] for word in words] == [True, False, True, True, True]
    assert {word["known"] for word in read(serve(), TAGGED, tagged=True)["words"]} == {None}


def test_a_word_after_which_there_is_no_sentence(serve):
    answer = read(serve(), "should/MD should/MD should/MD", tagged=True, analyses=1)
    *_, last = answer["words"]
    assert (last["status"], last["surprisal"], last["analyses"]) == ("no sentence", None, [])
    assert "no sentence that continues with “should”" in answer["message"]
    assert "inf" in answer["tsv"]


def test_a_sentence_that_needs_more_than_the_limits(serve):
    answer = read(serve(max_items=5))
    assert answer["words"][-1]["status"] == "out of items"
    assert answer["words"][-1]["surprisal"] is None
    assert "limit of items was reached" in answer["message"]


def test_bounds_when_most_of_the_limits_is_used_up(serve, demo, monkeypatch):
    monkeypatch.setattr(word_by_word, "_LEAST", (0.0, 0.01))
    answer = read(serve(max_items=225))
    assert [word["status"] for word in answer["words"]] == [*3 * ["read"], *2 * ["bounded"]]
    assert answer["message"].startswith("From “do” on, the limits were nearly reached")
    for word, exact in zip(answer["words"], load_model(demo).surprisal(SENTENCE), strict=True):
        assert word["at_least"] <= exact.surprisal + 1e-9
        assert exact.surprisal <= word["at_most"] + 1e-9


def test_a_grammar_whose_derivations_do_not_sum_to_1(serve, tmp_path):
    s, a = Nonterminal("S"), tag("A")
    rules = {Rule(s, (s, s), ((0, 1),)): 3, Rule(s, (a,), ((0,),)): 1}
    path = tmp_path / "improper.plcfrs"
    GrammarModel(Grammar(rules, start=s)).save(path)
    assert read(serve(path), "a/A a/A", tagged=True)["normalised"]


def test_errors(serve):
    for wanted, status, message in [
        ({"text": ""}, 400, "there is no sentence"),
        ({"model": "other"}, 404, "other"),
        ({"analyses": -1}, 422, "analyses"),
        ({"analyses": 51}, 400, "analyses: the limit is 50 after a word"),
        ({"analyses": 50, "text": "a " * 11}, 400, "analyses: the limit is 500"),
        ({"at": [5]}, 400, "at: there is no word 5: expected 0 to 4"),
        ({"text": "a " * 200}, 413, "200 words"),
    ]:
        found, text = refusal(ask(serve(), **wanted))
        assert found == status
        assert message in text


def test_other_families_are_refused(serve, refined):
    status, message = refusal(ask(serve(refined)))
    assert status == 400
    assert "surprisal is for grammars" in message


def drawn(client, rows, **wanted):
    return client.post("/api/v1/surprisal/chart", json={"rows": rows, **wanted})


def test_bars_are_drawn_on_one_axis(serve):
    client = serve()
    rows = [
        [
            {
                "word": word["word"],
                "written": f"{word['surprisal']:.2f}",
                "syntactic": word["tag_surprisal"],
                "lexical": word["word_surprisal"],
                "known": word["known"],
            }
            for word in read(client, text)["words"]
        ]
        for text in (SENTENCE, "What zyzzyva we do ?")
    ]
    svg = ElementTree.fromstring(drawn(client, rows).content)
    texts = [text.text for text in svg.iter("{http://www.w3.org/2000/svg}text")]
    assert texts.count("bits") == 2
    bars = [one for one in svg.iter("{http://www.w3.org/2000/svg}rect") if one.get("x")]
    heights = [float(bar.get("height")) for bar in bars]
    flat = [bar for row in rows for bar in row]
    top = max(bar["syntactic"] + bar["lexical"] for bar in flat)
    expected = []
    for bar in flat:
        expected += [bar["syntactic"], bar["lexical"]]
        expected += [bar["syntactic"] + bar["lexical"]] * (bar["known"] is False)  # the stripes
    assert heights == pytest.approx([160 * bits / top for bits in expected], abs=0.1)
    assert {bar["word"] for bar in flat} <= set(texts)
    assert "a word that the model does not know" in texts
    assert drawn(client, rows, format="png").content.startswith(b"\x89PNG")


def test_charts_that_are_refused(serve):
    for rows, status in [
        ([], 422),
        ([[]] * 11, 422),
        ([[{"word": "a", "written": "1", "syntactic": -1}]], 400),
        ([[{"word": "a", "written": "1", "syntactic": 1e9}]], 400),
        ([[{"written": "1"}]], 422),
        ([[{"word": "a", "written": "1"}] * 2000], 413),
        ([[{"word": "\0<b>", "written": ""}]], 200),
        ([[]], 200),
    ]:
        assert drawn(serve(), rows).status_code == status
