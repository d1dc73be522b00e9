"""``plcfrs parse --fallback`` in the rows of --stats."""

import csv
from pathlib import Path

import pytest
from quick import full

from plcfrs.cli import run

GRAMMAR = Path(__file__).parents[1] / "golden" / "parse-fallback-partial" / "grammar.yaml"
SENTENCES = ["she saw boats", "saw she saw boats", "with she xyzzy"]


@pytest.mark.parametrize("jobs", ["1", full("2")])
def test_rows_and_summary_say_what_was_done(tmp_path, capsys, jobs):
    (tmp_path / "sentences.txt").write_text("\n".join(SENTENCES) + "\n", encoding="utf-8")
    stats = tmp_path / "stats.tsv"
    command = ["parse", str(GRAMMAR), str(tmp_path / "sentences.txt"), "--from", "tokens"]
    code = run([*command, "--fallback", "partial", "--stats", str(stats), "--jobs", jobs])
    assert code == 0
    captured = capsys.readouterr()
    assert [("NOPARSE" in line) for line in captured.out.splitlines()] == [False, True, True]
    assert "fallback partial: 2" in captured.err
    with stats.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert [row["fallback"] for row in rows] == ["none", "partial", "partial"]
    assert rows[0]["status"] == "parsed"
