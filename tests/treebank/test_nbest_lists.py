"""Scores, numbers and headers of N-best lists beside trees in brackets."""

import pytest
from quick import core

from plcfrs.cli import run
from plcfrs.errors import TreebankError
from plcfrs.treebank import read_trees

ZORB, RAIN = "(S (NN zorb))", "(S (NN rain))"
NBEST = f"2 s7\n-3.2\n{ZORB}\n-5e-1\n{RAIN}\n\n0 s8\n\n1 s9\n-Infinity\n{RAIN}\n\n"


@pytest.fixture
def read(tmp_path):
    def reader(text, name="a.mrg"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return [(tree.id, *tree.words()) for tree in read_trees(path)]

    return reader


@core(
    4,
    "text, expected",
    [
        (f"{ZORB}\t-3.2\n{RAIN}\t-4\n", [("a:1", "zorb"), ("a:2", "rain")]),
        (f"-3.2\t{ZORB}\n-4.5 {RAIN}\n", [("a:1", "zorb"), ("a:2", "rain")]),
        (f"{ZORB} (p=0.003)\n7\t-3e-2\t{RAIN}\t0.5 1\n", [("a:1", "zorb"), ("7", "rain")]),
        (f"17\t{ZORB}\nwsj_18\t{RAIN}\n", [("17", "zorb"), ("wsj_18", "rain")]),
        (f"17\t(S\n  (NN zorb))\t-1\n{RAIN}\n", [("17", "zorb"), ("a:2", "rain")]),
        (NBEST, [("s7.rank1", "zorb"), ("s7.rank2", "rain"), ("s8.rank1",), ("s9.rank1", "rain")]),
    ],
)
@core(1, "name", ["a.mrg", "a.tst", "a.txt"])
def test_what_is_beside_parses(read, text, expected, name):
    assert read(text, name) == expected


def test_the_best_parses_are_scored(tmp_path, capsys):
    tmp_path.joinpath("gold.mrg").write_text(f"{ZORB}\n(S (NN mist))\n{RAIN}\n")
    tmp_path.joinpath("parses.tst").write_text(NBEST)
    assert run(["eval", str(tmp_path / "gold.mrg"), str(tmp_path / "parses.tst")]) == 0
    assert "66.67" in capsys.readouterr().out


def test_other_words_outside_are_errors(read):
    with pytest.raises(TreebankError, match="outside all brackets"):
        read(f"{ZORB}\n3 cats\n{RAIN}\n")


@core(1, "name", ["a.mrg", "a.txt", "a"])
def test_positions_are_those_of_all_words(read, name):
    assert read("( (NP (CD 2=2) (NN zorb)))\n", name) == [("a:1", "2=2", "zorb")]
    assert read("(NP (NN 1=zorb) (CD 0=2))\n", name) == [("a:1", "2", "zorb")]


@core(1, "text", ["(3 (2 It) (4 fell))", "(2 It)\n(3 (2 It)\n  (4 fell))", "(12 (3 a) (4 b))"])
def test_labels_that_are_numbers(read, text):
    assert read(text, "a.txt") == read(text, "a.mrg")
