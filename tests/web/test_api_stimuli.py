"""The route that reads lists of sentences and tables of stimuli."""

import csv
from io import StringIO

import pytest
from serving import refusal

from plcfrs import load_model
from plcfrs.cli import run

TABLE = """item,condition,region,word
1,object,filler,What
1,object,subject,should
1,object,subject,we
1,object,verb,do?
2,subject,filler,Who
2,subject,verb,left?
"""


def ask(client, text, **wanted):
    return client.post("/api/v1/surprisal/items", json={"text": text, **wanted})


def read(client, text, **wanted):
    answer = ask(client, text, **wanted)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_list_has_a_sentence_a_line(serve, demo):
    sentences = ["What should we do ?", "Who left ?"]
    answer = read(serve(), "\n\n".join(sentences))
    assert answer["total"] == 2
    assert [item["sentence"] for item in answer["items"]] == ["1", "2"]
    model = load_model(demo)
    for item, text in zip(answer["items"], sentences, strict=True):
        assert (item["text"], item["kept"], item["message"]) == (text, {}, "")
        assert [word["surprisal"] for word in item["words"]] == pytest.approx(
            [word.surprisal for word in model.surprisal(text)]
        )


def test_the_table_is_that_of_the_command(serve, demo, tmp_path):
    for kind in ["tsv", "csv"]:
        stimuli, table = tmp_path / "stimuli.csv", tmp_path / f"table.{kind}"
        stimuli.write_text(TABLE)
        assert run(["surprisal", str(demo), str(stimuli), "--tokenize", "-o", str(table)]) == 0
        answer = read(serve(), TABLE, tokenize=True)
        assert answer[kind] == table.read_text()
        assert [item["kept"] for item in answer["items"]] == [
            {"item": "1", "condition": "object"},
            {"item": "2", "condition": "subject"},
        ]


def test_reading_goes_on_after_the_first_ones(serve):
    answer = read(serve(), "What ?\nWho ?\nWhy ?", first=1)
    assert answer["total"] == 3
    assert [item["text"] for item in answer["items"]] == ["Who ?", "Why ?"]
    assert [row["sentence"] for row in csv.DictReader(StringIO(answer["csv"]))] == list("2233")


def test_only_some_are_read_at_a_time(serve, monkeypatch):
    monkeypatch.setattr("plcfrs.web.surprisal._SECONDS", 0.0)
    assert len(read(serve(), "What ?\nWho ?")["items"]) == 1


def test_a_sentence_that_cannot_be_read_says_why_and_loses_no_other(serve):
    for bad, wanted, why in [
        ("a " * 200, {}, "the sentence has 200 words"),
        ("a" * 20_000, {}, "the limit is 10000 characters"),
        ("What now", {"tagged": True}, "expected word/TAG, but found 'What'"),
    ]:
        good = "What/WP should/MD" if wanted else "What should"
        answer = read(serve(), f"{good}\n{bad}\n{good}", **wanted)
        assert [len(item["words"]) for item in answer["items"]] == [2, 0, 2]
        assert why in answer["items"][1]["message"]
        rows = list(csv.DictReader(StringIO(answer["csv"])))
        assert [row["sentence"] for row in rows] == list("11233")
        assert why in rows[2]["status"]


def test_what_has_no_sentence_in_the_grammar_is_told(serve):
    (item,) = read(serve(), "should/MD should/MD should/MD", tagged=True)["items"]
    assert "no sentence that continues with “should”" in item["message"]
    assert item["words"][-1]["status"] == "no sentence"


def test_errors(serve):
    for text, wanted, status, message in [
        ("", {}, 400, "there are no sentences"),
        ("a\n" * 3000, {}, 413, "3000 sentences"),
        ("item\tcondition\n1\ta", {}, 400, "expected a column sentence or word"),
        ("item,sentence\n1,2,3", {}, 400, "3 cells, but there are 2 columns"),
        ('item,sentence\n1,"a', {}, 400, "not a table"),
        ("a", {"tagged": True, "tokenize": True}, 400, "tokenize is for words without tags"),
        ("a", {"first": -1}, 422, "first"),
        ("a", {"model": "other"}, 404, "other"),
    ]:
        found, said = refusal(ask(serve(), text, **wanted))
        assert found == status
        assert message in said


def test_other_families_are_refused(serve, refined):
    status, message = refusal(ask(serve(refined), "a"))
    assert status == 400
    assert "surprisal is for grammars" in message
