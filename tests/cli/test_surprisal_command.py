"""``plcfrs surprisal``."""

import csv
from io import StringIO

import pytest
from demo_trees import raw_demo_trees

from plcfrs.cli import run
from plcfrs.forest import word_by_word
from plcfrs.parsers.grammar.model import GrammarModel
from plcfrs.parsing.registry import train
from plcfrs.prefix import chart


@pytest.fixture
def grammar(trained):
    return str(trained("grammar", 140))


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("What should we do ?\n\nWe do it .\n")
    return str(path)


def rows(text, delimiter="\t"):
    return list(csv.DictReader(StringIO(text), delimiter=delimiter))


def test_each_word_has_a_row(grammar, text, capsys):
    assert run(["surprisal", grammar, text]) == 0
    captured = capsys.readouterr()
    found = rows(captured.out)
    expected = GrammarModel.load(grammar).surprisal("What should we do ?")
    assert [row["word"] for row in found] == [
        "What",
        "should",
        "we",
        "do",
        "?",
        "",
        "We",
        "do",
        "it",
        ".",
    ]
    assert [row["position"] for row in found] == [*"01234", "0", *"0123"]
    assert found[5]["status"] == "no words"
    for row, word in zip(found, expected, strict=False):
        assert float(row["surprisal"]) == pytest.approx(word.surprisal, rel=1e-5)
        parts = float(row["tag_surprisal"]) + float(row["word_surprisal"])
        assert parts == pytest.approx(word.surprisal, rel=1e-4)
    assert captured.err.endswith("3 sentences: 2 read, 1 no words\n")


def test_trees_with_their_tags_or_without(grammar, capsys):
    assert run(["surprisal", grammar, "plcfrs:demo", "--sentences", "1-3"]) == 0
    tagged = rows(capsys.readouterr().out)
    assert run(["surprisal", grammar, "plcfrs:demo", "--sentences", "1-3", "--own-tags"]) == 0
    untagged = rows(capsys.readouterr().out)
    trees = raw_demo_trees()[:3]
    assert {row["sentence"] for row in tagged} == {tree.id for tree in trees}
    assert all(float(row["word_surprisal"]) < 1e-9 for row in tagged)
    assert {row["tag"] for row in untagged} == {"NA"}
    assert any(float(row["word_surprisal"]) > 0 for row in untagged)


def test_a_table_with_commas(grammar, text, tmp_path):
    table = tmp_path / "table.csv"
    assert run(["surprisal", grammar, text, "-o", str(table)]) == 0
    assert [row["word"] for row in rows(table.read_text(), ",")][:2] == ["What", "should"]


def test_an_interrupted_run_continues(grammar, tmp_path, monkeypatch, capsys):
    command = ["surprisal", grammar, "plcfrs:demo", "--sentences", "1-6", "-o"]
    whole, part = tmp_path / "whole.tsv", tmp_path / "part.tsv"
    assert run([*command, str(whole)]) == 0
    extend, left = chart.PrefixChart.extend, [30]

    def interrupted(self, *arguments, **named):
        left[0] -= 1
        if not left[0]:
            raise KeyboardInterrupt
        extend(self, *arguments, **named)

    with monkeypatch.context() as patched:
        patched.setattr(chart.PrefixChart, "extend", interrupted)
        assert run([*command, str(part)]) == 1
    assert "--resume" in capsys.readouterr().err
    assert not part.exists()
    assert run([*command[:-2], "1-5", "-o", str(part), "--resume"]) == 2  # another input
    assert run([*command, str(part), "--resume"]) == 0
    assert "resuming after sentence" in capsys.readouterr().err
    assert part.read_text() == whole.read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["part.tsv", "whole.tsv"]


def test_words_for_which_there_is_no_time(grammar, text, capsys):
    assert run(["surprisal", grammar, text, "--max-seconds", "1e-9"]) == 0
    captured = capsys.readouterr()
    assert {row["status"] for row in rows(captured.out)} == {"out of time", "no words"}
    assert "2 out of time" in captured.err


def test_analyses_have_columns_of_their_own(grammar, text, capsys):
    assert run(["surprisal", grammar, text, "--analyses", "2"]) == 0
    found = rows(capsys.readouterr().out)
    expected = GrammarModel.load(grammar).surprisal("What should we do ?", 2)
    for row, word in zip(found, expected, strict=False):
        for rank, analysis in enumerate(word.analyses, start=1):
            shown = float(row[f"probability_{rank}"])
            assert shown == pytest.approx(analysis.probability, rel=1e-5)
            assert row[f"open_{rank}"].split() == list(analysis.open)
            assert row[f"tree_{rank}"] == str(analysis.tree)
    assert found[1]["awaited_1"] == "VP(What)"
    assert found[5]["tree_1"] == "NA"  # no words


def test_the_entropy_of_derivations(grammar, text, capsys):
    assert run(["surprisal", grammar, text, "--derivation-entropy"]) == 0
    found = rows(capsys.readouterr().out)
    assert float(found[0]["derivation_entropy"]) > float(found[4]["derivation_entropy"])
    assert float(found[0]["derivation_entropy_reduction"]) > 0
    assert found[5]["derivation_entropy"] == "NA"  # no words


def test_the_precision_can_be_chosen(grammar, capsys, monkeypatch):
    monkeypatch.setattr(word_by_word, "_SMALL", 0)
    text = "plcfrs:demo"
    widths = []
    for precision in ("0.1", "0"):
        assert run(["surprisal", grammar, text, "--sentences", "1", "--precision", precision]) == 0
        found = rows(capsys.readouterr().out)
        assert {row["status"] for row in found} == {"read"}
        widths.append([float(row["at_most"]) - float(row["at_least"]) for row in found])
    assert 0.0 < max(widths[0]) <= 0.1
    assert max(widths[1]) == 0.0
    assert run(["surprisal", grammar, text, "--precision", "-1"]) == 2
    assert "--precision" in capsys.readouterr().err


def test_words_with_bounds(grammar, text, capsys, monkeypatch):
    monkeypatch.setattr(word_by_word, "_LEAST", (0.0, 0.01))
    assert run(["surprisal", grammar, text, "--max-items", "225"]) == 0
    captured = capsys.readouterr()
    found = [row for row in rows(captured.out) if row["status"] == "bounded"]
    assert found
    for row in found:
        assert float(row["at_least"]) <= float(row["surprisal"]) <= float(row["at_most"])


@pytest.mark.full
def test_other_models_are_refused(text, tmp_path, capsys):
    model = tmp_path / "steps.gap"
    train("gap", "plcfrs:demo", epochs=1).save(model)
    assert run(["surprisal", str(model), text]) == 2
    assert "surprisal is for grammars" in capsys.readouterr().err
    assert run(["surprisal", str(tmp_path / "none.plcfrs"), text]) == 2
    assert run(["surprisal", text, text]) == 2
    assert run(["surprisal", text, "--resume"]) == 2


@pytest.mark.full
def test_several_processes_give_the_same_rows(grammar, tmp_path):
    command = ["surprisal", grammar, "plcfrs:demo", "-o"]
    one, two = tmp_path / "one.tsv", tmp_path / "two.tsv"
    assert run([*command, str(one)]) == 0
    assert run([*command, str(two), "--jobs", "2"]) == 0
    assert one.read_text() == two.read_text()


@pytest.fixture
def stimuli(tmp_path):
    path = tmp_path / "stimuli.csv"
    path.write_text(
        "item,region,rt,word\n1,filler,310,What\n1,verb,290,should\n1,verb,305,we\n"
        "1,end,402,do?\n2,subject,311,We\n2,end,330,zorb.\n"
    )
    return str(path)


def test_a_table_of_stimuli_keeps_its_rows_and_columns(grammar, stimuli, capsys):
    assert run(["surprisal", grammar, stimuli, "--tokenize"]) == 0
    captured = capsys.readouterr()
    found = rows(captured.out)
    assert [row["word"] for row in found] == ["What", "should", "we", "do?", "We", "zorb."]
    assert [row["rt"] for row in found] == ["310", "290", "305", "402", "311", "330"]
    assert [row["known"] for row in found] == ["1", "1", "1", "1", "1", "0"]
    assert "unknown words (known is 0): 1" in captured.err
    words = GrammarModel.load(grammar).surprisal("What should we do ?")
    expected = [*(word.surprisal for word in words[:3]), words[3].surprisal + words[4].surprisal]
    shown = [float(row["surprisal"]) for row in found[:4]]
    assert shown == pytest.approx(expected, rel=1e-5)
    assert float(found[3]["entropy"]) == pytest.approx(words[4].entropy, rel=1e-5)


def test_regions_are_summed(grammar, stimuli, capsys):
    assert run(["surprisal", grammar, stimuli, "--tokenize", "--by", "region", "--end"]) == 0
    found = rows(capsys.readouterr().out)
    assert [row["word"] for row in found] == [
        "What",
        "should we",
        "do?",
        "</s>",
        "We",
        "zorb.",
        "</s>",
    ]
    assert [row["region"] for row in found[:4]] == ["filler", "verb", "end", "NA"]
    assert [row["item"] for row in found] == ["1"] * 4 + ["2"] * 3
    words = GrammarModel.load(grammar).surprisal("What should we do ?", end=True)
    sums = [words[0], words[1:3], words[3:5], words[5]]
    for row, one in zip(found[:4], sums, strict=True):
        each = one if isinstance(one, list) else [one]
        assert float(row["surprisal"]) == pytest.approx(sum(w.surprisal for w in each), rel=1e-5)
    assert run(["surprisal", grammar, stimuli, "--by", "part"]) == 2
    assert "no such column, only sentence, item, region, rt" in capsys.readouterr().err


def test_punctuation_is_added_to_the_word_before(grammar, tmp_path, capsys):
    text = tmp_path / "text.txt"
    text.write_text("`` What should we , do ? ''\n")
    assert run(["surprisal", grammar, str(text)]) == 0
    alone = [float(row["surprisal"]) for row in rows(capsys.readouterr().out)]
    assert run(["surprisal", grammar, str(text), "--no-punctuation", "--end"]) == 0
    captured = capsys.readouterr()
    found = rows(captured.out)
    assert [row["word"] for row in found] == ["What", "should", "we", "do", "</s>"]
    expected = [sum(alone[:2]), alone[2], sum(alone[3:5]), sum(alone[5:])]
    assert [float(row["surprisal"]) for row in found[:4]] == pytest.approx(expected, rel=1e-4)
    assert "punctuation marks: 4; their surprisal was added to the word before" in captured.err


def test_marks_of_regions(grammar, tmp_path, capsys):
    table = tmp_path / "marked.csv"
    table.write_text("sep=;\nitem;sentence\n1;What | should we / do ?\n")
    assert run(["surprisal", grammar, str(table), "--by", "region", "--end"]) == 0
    captured = capsys.readouterr()
    found = rows(captured.out)
    assert [(row["region"], row["word"]) for row in found] == [
        ("1", "What"),
        ("2", "should we"),
        ("3", "do ?"),
        ("NA", "</s>"),
    ]
    assert "| and / mark regions: the column region has their numbers" in captured.err
    text = tmp_path / "marked.txt"
    text.write_text("What | should we / do ?\n")
    assert run(["surprisal", grammar, str(text)]) == 0
    assert "words | and /: 2; they mark regions only" in capsys.readouterr().err


def test_a_suite_of_syntaxgym_has_results_for_its_regions(grammar, tmp_path, capsys):
    suite = tmp_path / "suite.json"
    suite.write_text(
        '{"region_meta": {"1": "filler"}, "items": [{"item_number": 1, "conditions": ['
        '{"condition_name": "gap", "regions": [{"region_number": 1, "content": "What"}, '
        '{"region_number": 2, "content": "should we do?"}]}]}]}'
    )
    assert run(["surprisal", grammar, str(suite), "--tokenize"]) == 0
    found = rows(capsys.readouterr().out)
    words = GrammarModel.load(grammar).surprisal("What should we do ?")
    sums = [words[0].surprisal, sum(word.surprisal for word in words[1:])]
    assert [float(row["surprisal"]) for row in found] == pytest.approx(sums, rel=1e-5)
    assert [(row["condition"], row["region"], row["region_name"]) for row in found] == [
        ("gap", "1", "filler"),
        ("gap", "2", ""),
    ]
