"""Reports of plcfrs eval and compare other than brackets."""

import csv
import io
import json
from pathlib import Path

import pytest
import trace_examples as examples

from plcfrs.cli import run
from plcfrs.evaluation import (
    ConstructionScores,
    DependencyScores,
    construction_table,
    dependency_table,
    error_table,
    find_errors,
    summarize_errors,
)
from plcfrs.treebank import write_trees

TEXTS = [
    examples.WH,
    examples.FRONTED,
    examples.SURROUNDING,
    examples.FRONTING,
    examples.RAISING,
    examples.ICH,
    examples.EXP,
]
OPTIONS = ["--dependencies", "--constructions", "--errors"]


@pytest.fixture
def files(tmp_path):
    """Trees with traces, and the parses of a context-free parser that gets them all right."""
    gold, parses = str(tmp_path / "gold.mrg"), str(tmp_path / "parses.discbracket")
    text = "\n".join(f"( {' '.join(tree.split())})" for tree in TEXTS)
    (tmp_path / "gold.mrg").write_text(f"{text}\n", encoding="utf-8")
    write_trees(map(examples.context_free, TEXTS), parses)
    return gold, parses


def expected_tables():
    gold = [examples.discontinuous(text) for text in TEXTS]
    parses = [examples.context_free(text) for text in TEXTS]
    return [
        dependency_table({"found": DependencyScores.of(gold, parses)}),
        construction_table({"found": ConstructionScores.of(gold, parses)}),
        error_table(summarize_errors(find_errors(gold, parses))),
    ]


def test_json(files, capsys):
    assert run(["eval", *files, "--transform", *OPTIONS, "--to", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    for table in expected_tables():
        for row, cells in table.rows.items():
            assert list(found[table.title][row].values()) == cells
    assert found["Constructions"]["wh-movement"] == {"gold": 1, "found": 0}
    assert found["Dependencies"]["*T*-PRN"]["gold"] == 1
    assert len(found["Examples of errors"]) > 3


def test_csv_and_markdown_and_text(files, capsys):
    for to in ("csv", "markdown", "text"):
        assert run(["eval", *files, "--transform", *OPTIONS, "--to", to]) == 0
        output = capsys.readouterr().out
        rows = list(csv.reader(io.StringIO(output)))
        for table in expected_tables():
            for row, cells in table.rows.items():
                if to == "csv":
                    for column, cell in zip(table.columns, cells, strict=True):
                        assert [table.title, row, column, "" if cell is None else str(cell)] in rows
                elif all(isinstance(cell, int) for cell in cells):
                    words = [*row.replace("*", "\\*" if to == "markdown" else "*").split()]
                    words += map(str, cells)
                    lines = [line.replace("|", " ").split() for line in output.splitlines()]
                    assert words in lines


def test_nothing_more_unless_asked(files, capsys):
    assert run(["eval", *files, "--transform", "--to", "json"]) == 0
    assert (
        not {"Dependencies", "Constructions", "Errors"} & json.loads(capsys.readouterr().out).keys()
    )


def test_options_of_the_transformation(files, capsys):
    assert run(["eval", *files, "--transform", "--reattach", "none", "--to", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["Constituents"]["LF1"]["All"] == 100
    assert run(["eval", *files, "--reattach", "none"]) == 2
    assert "These options need --transform" in capsys.readouterr().err


def test_traces_that_were_not_transformed(files, capsys):
    assert run(["eval", *files, "--dependencies"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("plcfrs: sentence gold:1 has null elements")
    assert "--transform" in error


def test_attachment_and_errors_of_trees_with_null_elements(files, tmp_path, capsys):
    other = tmp_path / "other.mrg"
    text = Path(files[0]).read_text(encoding="utf-8")
    other.write_text(text.replace("(NP ", "(ADJP "), encoding="utf-8")
    assert run(["eval", files[0], str(other), "--attachment", "--errors", "--to", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["Attachment"]["UAS"]["All"] == 100
    errors = found["Errors"]
    assert errors["wrong label"] == errors["total"] != {"missed": 0, "spurious": 0}
    assert found["Null elements"]["all"]["LF1"] < 100


def test_gold_trees_without_traces(files, tmp_path, capsys):
    gold = str(tmp_path / "gold.discbracket")
    write_trees(map(examples.discontinuous, TEXTS), gold)
    assert run(["eval", gold, files[1], "--dependencies", "--to", "json"]) == 0
    output = capsys.readouterr()
    found = json.loads(output.out)["Dependencies"]
    total = expected_tables()[0].rows["total"]
    assert list(found["other"].values()) == list(found["total"].values()) == total
    assert "types of dependencies and constructions are unknown" in output.err
    assert run(["eval", gold, files[1], "--errors"]) == 0
    assert not capsys.readouterr().err


def test_a_comparison_lists_the_most_different_sentences(files, tmp_path, capsys):
    gold = str(tmp_path / "gold.discbracket")
    write_trees(map(examples.discontinuous, TEXTS), gold)
    arguments = ["compare", gold, files[1], gold, "--samples", "50", "--to", "json"]
    assert run(arguments) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["Difference"]["LF1"]["second"] == 100
    wrong = [row["wrong: first"] for row in found["Most different sentences"].values()]
    assert wrong == sorted(wrong, reverse=True)
    assert min(wrong) > 0
    assert run([*arguments, "--show", "2"]) == 0
    shown = json.loads(capsys.readouterr().out)["Most different sentences"]
    assert list(shown) == list(found["Most different sentences"])[:2]


def test_format_by_extension(files, tmp_path):
    for name, start in [("a.md", "| "), ("a.csv", "table,"), ("a.json", "{"), ("a.txt", "Const")]:
        assert run(["eval", *files, "-o", str(tmp_path / name)]) == 0
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(start)


def test_gold_trees_that_are_not_what_was_meant_are_named(tmp_path, capsys):
    gold, parses, empty = (str(tmp_path / name) for name in ("a.mrg", "b.export", "c.export"))
    assert run(["convert", "plcfrs:demo", "--sentences", "1-20", "-o", gold]) == 0
    assert run(["transform", "plcfrs:demo", "--sentences", "1-20", "-o", parses]) == 0
    capsys.readouterr()
    for command in (["eval", gold, parses], ["compare", gold, parses, parses, "--samples", "9"]):
        assert run(command) == 0
        assert "warning: the gold trees have traces" in capsys.readouterr().err
    assert run(["eval", gold, parses, "--transform"]) == 0
    assert "warning" not in capsys.readouterr().err
    words = tmp_path / "words.tokens"
    words.write_text("What should frobnicate\n", encoding="utf-8")
    grammar = str(tmp_path / "g.yaml")
    Path(grammar).write_text("plcfrs: 1\nstart: S\nrules: S -> A 1\nlexicon: A a 1\n")
    assert run(["parse", grammar, str(words), "-o", empty]) == 0
    capsys.readouterr()
    assert run(["eval", empty, empty]) == 0
    assert "warning: 1 gold tree with NOPARSE" in capsys.readouterr().err
