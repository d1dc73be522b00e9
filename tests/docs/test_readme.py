"""The README: its size, its links, and its table, which is that of the benchmark."""

import json
import re
import shlex
from pathlib import Path

from blocks import blocks_of, cells
from demo_trees import raw_demo_trees

from plcfrs import load_model, train, transform
from plcfrs.cli import run

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_it_is_one_screen_or_two():
    assert len(README.encode()) <= 6000


def test_links_are_there():
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert len(links) > 10
    assert [link for link in links if not (ROOT / link).exists()] == []


def rows_of(name):
    """Return the rows of the first table of a file of results."""
    results = json.loads((ROOT / f"docs/results/{name}.json").read_text(encoding="utf-8"))
    return next(iter(results["tables"].values()))


def shown(row, column):
    """Return a score as the README has it, with its deviation in brackets."""
    deviation = row[f"+- {column}"]
    return f"{row[column]:.2f}" + ("" if deviation is None else f" ({deviation:.2f})")


def test_the_table_of_combined_parsers_has_the_figures_of_their_benchmarks():
    lines = README.splitlines()
    first = next(number for number, line in enumerate(lines) if "| combined for |" in line) + 2
    names = ["experts-fast", "experts"]
    for line, name in zip(lines[first : first + len(names)], names, strict=True):
        row = rows_of(name)["all, mean"]
        scores = [shown(row, "LF1"), shown(row, "Disc. LF1")]
        assert cells(line)[2:] == [*scores, f"{row['mean CPU ms']:g}"], name


def test_the_figures_of_neural_parsers_are_those_of_their_benchmark():
    row = rows_of("joint")["all heads"]
    assert f"from words alone: {shown(row, 'LF1')}, {shown(row, 'Disc. LF1')}." in README


def test_the_table_has_the_figures_of_the_benchmark():
    measured = rows_of("parsers")
    names = {
        "grammar": "evang-kallmeyer",
        "grammar --preset interpolated-v2h2": "interpolated-v2h2",
        "refined --grammars 4": "refined, product of 4",
        "gap": "gap, beam 4",
        "gap --beam 32": "gap, beam 32",
        "neural --heads transitions --tags given": "neural, transitions",
    }
    rows = [cells(line) for line in README.splitlines() if line.startswith("| `")][1:]
    assert len(rows) == 11
    for command, _, *figures in rows:
        kind = command.strip("`")
        row = measured[names.get(kind, kind)]
        scores = [shown(row, "LF1"), shown(row, "Disc. LF1")]
        assert figures == [*scores, f"{row['Sentences/s']}", f"{row['Training CPU s']}"], kind


def test_the_grammar_of_a_page_is_that_of_the_treebank(tmp_path, monkeypatch, capsys):
    """Its splits are not lost on the way: 201 rules, not 197."""
    for page in ["README.md", "docs/start/first-parse.md"]:
        monkeypatch.chdir(tmp_path)
        code = "".join(block.code for block in blocks_of((ROOT / page).read_text(encoding="utf-8")))
        before, training = re.search(
            r"(.*?)^plcfrs (train grammar .+?)$", code, re.M | re.S
        ).groups()
        for line in re.findall("^plcfrs (transform .+)", before, re.M):
            assert run(shlex.split(line)) == 0
        capsys.readouterr()
        assert run(shlex.split(training)) == 0
        assert capsys.readouterr().err.startswith("grammar: 201 rules\n")
        model = train("grammar", [transform(tree) for tree in raw_demo_trees()[:110]])
        grammar = load_model("demo.plcfrs").grammar
        assert (grammar.rules, grammar.lexicon) == (model.grammar.rules, model.grammar.lexicon)
