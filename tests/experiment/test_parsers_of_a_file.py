"""Seeds, parsers that share a model or learn from parses, and the columns of their tables."""

import json
from statistics import mean, median, stdev

import pytest
from demo_trees import demo_trees

from plcfrs import InputError, load_model, score
from plcfrs.experiment import load_experiment
from plcfrs.experiment.folder import read_lines, read_tree_lines
from plcfrs.forest.posteriors import calibration_points
from plcfrs.parsing.registry import train
from plcfrs.trees import mark_heads

START = """
treebank: {path: "plcfrs:demo"}
sets:
  train: {sentences: 1-60}
  more: {sentences: 61-80}
  test: {sentences: 111-130}
parsers:
  plain: {training: train, test: test}
"""
GAP = "  gap: {kind: gap, training: train, test: test, epochs: 1, seeds: 2}\n"


def made(said, stage):
    return [line.partition(":")[0] for line in said if line.startswith(stage) and ": done" in line]


def lines_of(run, name):
    return list(read_lines(run.folder / "parses" / f"{name}.jsonl"))


def test_seeds_and_their_means(run):
    words = "  words: {model: gap, test: test, gold-tags: no}\n"
    columns = "columns: [LF1, Disc. LF1 <= 9, CPU ms, File MB]"
    tables = f"scores: [{{kind: seeds, {columns}}}, {{kind: parsers, title: Each, {columns}}}]"
    means, each = run(START + GAP + words + tables)
    assert list(means.rows) == ["plain", "gap", "words"]
    names = ["gap seed 1", "gap seed 2", "words seed 1", "words seed 2"]
    assert list(each.rows) == ["plain", *names]
    assert made(run.said, "train") == ["train plain", "train gap seed 1", "train gap seed 2"]
    of_limited = "Disc. LF1 <= 9"
    scores = ["LF1", "+- LF1", of_limited, f"+- {of_limited}"]
    assert means.columns == ["Seeds", *scores, "CPU ms", "File MB"]
    found = [each.rows[name][0] for name in names[2:]]
    assert means.rows["words"][:3] == [2, pytest.approx(mean(found)), pytest.approx(stdev(found))]
    assert means.rows["plain"][:3] == [1, each.rows["plain"][0], None]
    test = demo_trees()[110:130]
    model = train("gap", demo_trees()[:60], epochs=1, seed=2)
    parses = [model.parse(tree).tree for tree in test]
    short = [
        (gold, parse) for gold, parse in zip(test, parses, strict=True) if len(gold.tokens) <= 9
    ]
    row = each.rows["gap seed 2"]
    assert row[0] == score(test, parses).labelled.f1
    assert row[1] == score(*zip(*short, strict=True)).labelled_discontinuous.f1
    seconds = [line["cpu_seconds"] for line in lines_of(run, "gap seed 2")]
    assert row[2] == pytest.approx(1000 * median(seconds))
    size = (run.folder / "models" / "gap seed 2.gap").stat().st_size
    assert row[3] == pytest.approx(size / 1e6)


def test_products_share_no_grammar(write):
    refined = "  r: {kind: refined, training: train, test: test, grammars: 4, seeds: 3}\n"
    plans = load_experiment(write(f"{START}{refined}scores: []")).parsers
    assert [plans[f"r seed {number}"].settings.seed for number in (1, 2, 3)] == [1, 5, 9]


def test_time_and_memory(run):
    (table,) = run(f"{START}scores: [{{kind: parsers, columns: [Training CPU s, Peak MB]}}]")
    seconds, memory = table.rows["plain"]
    assert 0 < seconds < 60
    assert 50 < memory < 10_000
    note = json.loads((run.folder / "models/plain.plcfrs.made.json").read_text("utf-8"))
    assert note["figures"]["CPU seconds"] == seconds


@pytest.mark.full
def test_a_saved_model_is_parsed_with(run, tmp_path):
    train("grammar", demo_trees()[:60]).save(tmp_path / "saved.plcfrs")
    parsers = f"  saved: {{model: '{tmp_path / 'saved.plcfrs'}', test: test, objective: mcp}}\n"
    (table,) = run(f"{START}{parsers}scores: [{{kind: parsers, columns: [LF1, Training CPU s]}}]")
    test = demo_trees()[110:130]
    model = load_model(tmp_path / "saved.plcfrs")
    parses = [model.parse(tree, objective="mcp").tree for tree in test]
    assert table.rows["saved"] == [score(test, parses).labelled.f1, None]


@pytest.mark.full
def test_a_parser_learns_from_parses(run):
    teacher = "  parses: {model: plain, test: more, gold-tags: no}\n"
    pupil = GAP.replace("seeds: 2", "silver: parses")
    run(f"{START}{teacher}{pupil}scores: [{{kind: parsers, parsers: [gap]}}]")
    trees = demo_trees()
    plain = train("grammar", trees[:60], annotation=())
    parses = [plain.parse(" ".join(tree.words())) for tree in trees[60:80]]
    learned = [mark_heads(each.tree) for each in parses if each.status == "parsed"]
    model = train("gap", [*trees[:60], *learned], epochs=1, annotation=())
    found = read_tree_lines(run.folder / "parses/gap.jsonl")
    assert list(map(str, found)) == [str(model.parse(tree).tree) for tree in trees[110:130]]


@pytest.mark.full
def test_safe_constituents_and_calibration(run):
    refined = "  r: {kind: refined, training: test, test: train, cycles: 1, safe: 0}\n"
    safe = "  safe: {model: r, test: train, safe: 0.999}\n"
    scores = """
scores:
  - {kind: parsers, parsers: [r, safe], columns: [LP, LR]}
  - {kind: calibration, gold: train, parsers: [r]}
"""
    each, table = run(START + refined + safe + scores)
    assert each.rows["safe"][1] < each.rows["r"][1]
    golds = demo_trees()[:60]
    lines = lines_of(run, "r")
    points = [
        one
        for gold, line in zip(golds, lines, strict=True)
        for one in calibration_points(gold, line["posteriors"])
    ]
    error, *_, last = table.rows["r, right"]
    assert sum(filter(None, table.rows["r"])) == len(points)
    assert last == 100 * mean(right for chance, right in points if chance >= 0.9)
    assert 0 < error < 100


@pytest.mark.full
def test_significance(run):
    (table,) = run(f"{START}{GAP}scores: [{{kind: significance, gold: test}}]")
    assert list(table.rows) == ["gap seed 1 - plain", "gap seed 2 - plain"]
    golds = demo_trees()[110:130]
    f1 = {
        name: score(golds, read_tree_lines(run.folder / f"parses/{name}.jsonl")).labelled.f1
        for name in ("plain", "gap seed 1")
    }
    difference = f1["gap seed 1"] - f1["plain"]
    assert table.rows["gap seed 1 - plain"][0] == pytest.approx(difference)


@pytest.mark.full
def test_names_of_parsers_may_have_stars(write):
    score = "scores: [{kind: parsers, parsers: [%s], without: [%s]}]"
    words = "  words: {model: gap, test: more}\n"

    def chosen(names, without=""):
        text = START + GAP + words + score % (names, without)
        return load_experiment(write(text)).scores[0].gold

    assert chosen("gap") == {"test": ("gap seed 1", "gap seed 2")}
    assert chosen("'*'", "gap") == {"test": ("plain",), "more": ("words seed 1", "words seed 2")}
    assert chosen("plain, '*seed 2'", "words") == {"test": ("plain", "gap seed 2")}
    with pytest.raises(InputError, match="parsers: unknown value 'gab'"):
        chosen("gab")


@pytest.mark.full
def test_sets_of_other_treebanks(run, tmp_path, monkeypatch):
    monkeypatch.setenv("TREES_OF_A_TEST", str(tmp_path))
    text = "( (S (NN one)))\n( (S (NN two)\n( (S (NN three)))\n( (S (NN four)))\n"
    (tmp_path / "own.mrg").write_text(text, encoding="utf-8")
    sets = "  own: {path: $TREES_OF_A_TEST/own.mrg, skip-bad: yes, every: 2}\n"
    own = "  own: {training: own, test: own}\n"
    run(START.replace("parsers:\n", f"{sets}parsers:\n{own}") + "scores: [{kind: parsers}]")
    trees = read_tree_lines(run.folder / "trees/own.jsonl")
    assert [tree.words() for tree in trees] == [["one"], ["four"]]


def test_a_small_run(write):
    text = f"{START}{GAP.replace('epochs: 1', 'epochs: 9')}scores: []"
    experiment = load_experiment(write(text)).small()
    assert {
        plan.settings.epochs for name, plan in experiment.parsers.items() if name != "plain"
    } == {1}
    assert {chosen.most for chosen in experiment.sets.values()} == {100}
