"""The budget as options, and the gap in the summary and in the rows of --stats."""

import csv

import late_parse
import pytest
from quick import full

from plcfrs.budget import Budget, BudgetSettings
from plcfrs.cli import run

STOPPED = ["--strategy", "knuth", "--max-items", str(late_parse.ITEMS)]


@pytest.fixture
def grammar(tmp_path):
    late_parse.GRAMMAR.save(tmp_path / "late.plcfrs")
    (tmp_path / "words").write_text("a/A\na/A\n", encoding="utf-8")
    return tmp_path / "late.plcfrs"


@pytest.fixture
def parse(grammar, tmp_path, capsys):
    """Return a function that parses the words and returns the rows and the summary."""

    def parsed(*options):
        stats, trees = tmp_path / "stats.tsv", tmp_path / "trees.export"
        command = ["parse", str(grammar), str(tmp_path / "words"), "--tagged", *options]
        assert run([*command, "--stats", str(stats), "-o", str(trees)]) == 0
        with stats.open(encoding="utf-8") as file:
            return list(csv.DictReader(file, delimiter="\t")), capsys.readouterr().err

    return parsed


def test_options_that_are_not_given_are_as_usual():
    assert BudgetSettings().chosen == Budget()
    assert BudgetSettings(5, 60.0).chosen == Budget(5, 60.0)


@pytest.mark.parametrize("jobs", ["1", full("2")])
def test_rows_and_summary_say_what_is_not_proven(parse, jobs):
    rows, summary = parse(*STOPPED, "--jobs", jobs)
    assert [(row["status"], row["fallback"]) for row in rows] == [("parsed", "none")] * 2
    gap = float(rows[0]["gap"])
    assert gap > 0
    assert "2 of 2 sentences parsed, 0 failed" in summary
    better = f"a better parse would be at most {gap:.2g} nats better"
    assert f"2 parses not proven to be the best: {better}" in summary


def test_a_proven_parse_has_no_gap(parse):
    for options in [
        [],
        ["--max-items", "inf"],
        ["--max-seconds", "inf", "--max-memory", "inf"],
        ["--max-memory", "0.5"],
    ]:
        rows, summary = parse(*options)
        assert [row["gap"] for row in rows] == ["0.0", "0.0"]
        assert "proven" not in summary


def test_a_sentence_without_a_parse_has_no_gap(parse):
    for option in ("--max-seconds", "--max-memory"):
        rows, summary = parse(option, "1e-9", "--fallback", "partial")
        assert {(row["gap"], row["fallback"]) for row in rows} == {("", "partial")}
        assert {row["status"] for row in rows} == {
            option.replace("--max-", "out of ").replace("seconds", "time")
        }
        assert "0 of 2 sentences parsed, 2 failed" in summary


def test_an_explanation_takes_the_budget(grammar, capsys):
    command = ["explain", str(grammar), "--tagged", "a/A"]
    assert run([*command, "--max-items", "1"]) == 2
    assert "the budget was used up" in capsys.readouterr().err
    assert run([*command, "--max-seconds", "inf"]) == 0


def test_impossible_limits(grammar, capsys):
    for option, value in [
        ("--max-items", "0"),
        ("--max-items", "x"),
        ("--max-seconds", "0"),
        ("--max-memory", "-1"),
    ]:
        assert run(["parse", str(grammar), option, value]) == 2
        assert option in capsys.readouterr().err
