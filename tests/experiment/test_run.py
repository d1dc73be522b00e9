"""Stages are reused, resumed or repeated, and their results are right."""

import csv
import json
import shutil
from importlib.resources import files

import pytest
from demo_trees import demo_trees, raw_demo_trees

from plcfrs import PRESETS, InputError, Recipe, TreebankError, load_model, read_trees
from plcfrs.evaluation import evaluate
from plcfrs.experiment import stages
from plcfrs.experiment.folder import read_tree_lines
from plcfrs.parsers.grammar.model import GrammarModel
from plcfrs.parsers.transition.training import TransitionTrainer
from plcfrs.parsing.registry import train
from plcfrs.transformation import CONTEXT_FREE, EVANG_KALLMEYER

SCORES = ("LP", "LR", "LF1", "UP", "UR", "UF1")


def demo(options=EVANG_KALLMEYER):
    return demo_trees(options)


def parsed(model, trees):
    return [model.parse(tree) for tree in trees]


def figures(scores):
    counts = scores.labelled, scores.unlabelled
    return [cell for each in counts for cell in (each.precision, each.recall, each.f1)]


def column(table, name):
    place = table.columns.index(name)
    return {row: cells[place] for row, cells in table.rows.items()}


def made_anew(said):
    return [line.partition(":")[0] for line in said if ": done" in line]


@pytest.mark.usefixtures("done")
def test_scores_are_those_of_the_steps_done_by_hand(run):
    (table,) = run()
    gold, context_free = demo()[110:130], demo(CONTEXT_FREE)[110:130]
    models = {
        "Tr": GrammarModel.train(demo(CONTEXT_FREE)[:110]),
        "Tr'": GrammarModel.train(demo()[:110], Recipe(shared=False)),
    }
    for name, model in models.items():
        parses = [parse.tree for parse in parsed(model, gold)]
        found = evaluate(gold, parses)
        expected = figures(found.all) + figures(found.continuous) + figures(found.discontinuous)
        rows = [f"{part} {score}" for part in ("Te'", "Te'_C", "Te'_D") for score in SCORES]
        assert [column(table, name)[row] for row in rows] == expected
        if name == "Tr":
            d_of_te = figures(evaluate(context_free, parses, reference=gold).discontinuous)
            assert [column(table, name)[f"Te_D {score}"] for score in SCORES] == d_of_te
    assert column(table, "Tr'")["Te LF1"] is None


def test_nothing_is_done_twice(run):
    first = run()
    assert len(made_anew(run.said)) == 9  # 4 sets, 2 grammars, 2 test sets, 1 table
    assert run() == first
    assert made_anew(run.said) == []
    assert run(force=True) == first
    assert len(made_anew(run.said)) == 9


@pytest.mark.usefixtures("done")
def test_only_what_has_changed_is_done(run, small):
    run()
    run(small.replace("test: Te}", "test: Te, preset: markov-v1h1}"))
    assert made_anew(run.said) == ["train Tr", "parse Tr", "score 1 (brackets)"]
    run(small.replace("test: Te}", "test: Te, preset: markov-v1h1, max-items: 9}"))
    assert made_anew(run.said) == ["parse Tr", "score 1 (brackets)"]
    run(small.replace("partition: Te'", "partition: Te"))
    assert made_anew(run.said) == ["train Tr", "parse Tr", "score 1 (brackets)"]


@pytest.mark.full
def test_the_treebank_has_changed(run, small, tmp_path):
    lines = (files("plcfrs") / "data" / "demo.mrg").read_text(encoding="utf-8")
    (tmp_path / "bank.mrg").write_text(lines, encoding="utf-8")
    text = small.replace('"plcfrs:demo"', "bank.mrg")  # beside the YAML file
    run(text)
    (tmp_path / "bank.mrg").write_text(lines.replace("nobody", "somebody"), encoding="utf-8")
    run(text)
    assert "transform Te'" in made_anew(run.said)


@pytest.mark.full
@pytest.mark.usefixtures("done")
def test_what_was_damaged_is_made_again(run):
    first = run()
    (run.folder / "parses" / "Tr.jsonl").write_text("{}\n", encoding="utf-8")
    (run.folder / "models" / "Tr'.plcfrs.made.json").write_text("[", encoding="utf-8")
    (run.folder / "trees" / "Te.jsonl").unlink()
    assert run() == first
    assert made_anew(run.said) == ["transform Te", "parse Tr", "train Tr'", "score 1 (brackets)"]


@pytest.mark.full
@pytest.mark.usefixtures("done")
def test_an_interrupted_run_goes_on(run, monkeypatch):
    expected = run()
    shutil.rmtree(run.folder)
    parsed_by_now = []

    def interrupt(items, what):
        for number, item in enumerate(items):
            if what == "parse Tr'" and number == 7:
                raise KeyboardInterrupt
            yield item

    with pytest.raises(KeyboardInterrupt):
        run(progress=interrupt)
    (part,) = (run.folder / "parses").glob("Tr'.jsonl.*.part")
    assert len(part.read_bytes().splitlines()) == 7
    with part.open("ab") as file:
        file.write(b'{"id": "demo:118", "tok')  # as after a power cut
    parse = stages._parsed
    monkeypatch.setattr(
        stages, "_parsed", lambda *given: parsed_by_now.append(given[1][0].id) or parse(*given)
    )
    assert run() == expected
    assert parsed_by_now[1:] == [f"demo:{number}" for number in range(118, 131)]  # 1: to warm up
    assert not list(run.folder.rglob("*.part"))


@pytest.mark.full
def test_a_run_with_other_options_does_not_go_on(run, small):
    def interrupt(items, what):
        for number, item in enumerate(items):
            if what == "parse Tr" and number == 7:
                raise KeyboardInterrupt
            yield item

    with pytest.raises(KeyboardInterrupt):
        run(progress=interrupt)
    changed = small.replace("test: Te}", "test: Te, vertical: 2}")
    tables = run(changed)
    shutil.rmtree(run.folder)
    assert run(changed) == tables


@pytest.mark.full
def test_items_are_those_of_the_papers_search(run, small):
    (table,) = run(small.replace("shared: no", "shared: no, strategy: knuth"))
    gold = demo()[110:130]
    model = GrammarModel(Recipe(shared=False).grammar(demo()[:110]), "knuth")
    items = sum(parse.statistics.items for parse in parsed(model, gold))
    assert column(table, "Tr'")["Items"] == items


@pytest.mark.full
def test_a_refined_grammar(run, small):
    refined = "  R: {kind: refined, training: Tr', test: Te', cycles: 1, seed: 5, grammars: 2}\n"
    text = small.replace("scores:", f"{refined}scores:").replace("[Tr, Tr']", "[R]")
    (table,) = run(text)
    assert any(line.startswith("train R: cycle 1: substates ") for line in run.said)
    model = train("refined", demo()[:110], cycles=1, grammars=2, seed=5)
    parses = [parse.tree for parse in parsed(model, demo()[110:130])]
    expected = figures(evaluate(demo()[110:130], parses).all)
    assert [column(table, "R")[f"Te' {score}"] for score in SCORES] == expected


@pytest.mark.full
def test_a_grid(run, small):
    name = '"{binarization} v={vertical} h={horizontal}"'
    grid = "{binarization: [head-outward, right-to-left], vertical: [1, 2], horizontal: [0, inf]}"
    parsers = f"parsers: {{{name}: {{training: Tr', test: Te', grid: {grid}}}}}\n"
    start = small[: small.index("parsers:")]
    (table,) = run(f"{start}{parsers}scores: [{{kind: parsers, gold: Te'}}]\n")
    assert len(table.rows) == 8
    assert list(table.rows)[:3] == [
        "head-outward v=1 h=0",
        "head-outward v=1 h=inf",
        "head-outward v=2 h=0",
    ]
    model = GrammarModel.train(demo()[:110], Recipe("right-to-left", 0, 2))
    gold = demo()[110:130]
    found = evaluate(gold, [parse.tree for parse in parsed(model, gold)]).all
    row = dict(zip(table.columns, table.rows["right-to-left v=2 h=0"], strict=True))
    assert (row["LP"], row["LR"], row["LF1"]) == tuple(figures(found)[:3])
    assert row["Disc. LF1"] == found.labelled_discontinuous.f1
    assert row["Rules"] == len(model.grammar.rules)
    assert row["Parsed"] == 20 - found.without_parse


@pytest.mark.full
def test_a_preset_may_be_changed(run, small):
    options = "preset: interpolated-v2h2, horizontal: 1"
    run(small.replace("shared: no", options))
    note = json.loads((run.folder / "models" / "Tr'.plcfrs.made.json").read_text("utf-8"))
    recipe = PRESETS["interpolated-v2h2"].recipe
    assert note["options"]["binarization"] == recipe.binarization
    assert (note["options"]["horizontal"], note["options"]["vertical"]) == (1, 2)
    assert note["options"]["estimator"] == "interpolated"
    assert set(note["versions"]) >= {"plcfrs", "Python", "numpy", "numba"}


@pytest.mark.full
def test_all_kinds_of_tables(run, small):
    kinds = ["reattachment", "parsers", "dependencies", "constructions"]
    scores = "".join(
        f"- {{kind: {kind}, title: The {kind}, gold: Te'}}\n" for kind in [*kinds, "trees"]
    )
    tables = run(small[: small.index("- kind") - 2] + scores)
    titles = [table.title for table in tables]
    for kind in kinds:
        assert any(title.startswith(f"The {kind}") for title in titles)
    assert tables[titles.index("The reattachment")].rows["total"][1] == 20
    page = (run.folder / "report.html").read_text("utf-8")
    assert page.count("wrong brackets") == 5
    assert page.count("<figcaption>gold") == 5


@pytest.mark.usefixtures("done")
def test_reports(run):
    (table,) = run()
    folder = run.folder
    cells = {row: dict(zip(table.columns, cells, strict=True)) for row, cells in table.rows.items()}
    report = json.loads((folder / "report.json").read_text("utf-8"))
    assert report["tables"] == {"Brackets": cells}
    assert [report["title"], report["about"]] == ["small", ""]
    assert all(report[key] for key in ("date", "plcfrs", "machine"))
    with (folder / "report.csv").open(encoding="utf-8") as file:
        rows = {(row["row"], row["column"]): row["figure"] for row in csv.DictReader(file)}
    assert float(rows["Te'_D LF1", "Tr"]) == cells["Te'_D LF1"]["Tr"]
    figure = cells["Te'_D LF1"]["Tr"]
    shown = f"{figure:.2f}"
    for name in ("report.txt", "report.md", "report.html"):
        assert shown in (folder / name).read_text("utf-8")


@pytest.mark.usefixtures("done")
def test_trees_for_other_programs(run):
    run()
    gold = [tree.id for tree in demo()[110:130]]
    for name, expected in (("trees/Te'", demo()[110:130]), ("parses/Tr'", None)):
        found = list(read_trees(run.folder / f"{name}.export"))
        assert len(found) == len(gold)
        assert expected is None or evaluate(expected, found).all.exact_match == 100


@pytest.mark.full
def test_options_and_a_log_are_kept(run):
    run()
    kept = json.loads((run.folder / "experiment.json").read_text("utf-8"))
    assert kept["options"]["sets"]["Tr"]["transformation"]["reattach"] == []
    assert kept["options"]["sets"]["Tr"]["selection"]["sentences"] == ["1-110"]
    assert kept["options"]["parsers"]["Tr'"]["settings"]["horizontal"] == "inf"
    assert kept["versions"]["plcfrs"]
    log = (run.folder / "log.txt").read_text("utf-8").splitlines()
    assert len(log) == len(run.said)
    assert "train Tr: done (rules: 174" in log[4]


@pytest.mark.full
def test_sentences_and_lengths(run, small):
    run(small.replace('sentences: "111-130"', 'sentences: "3, 111-130", max-length: 7'))
    lines = (run.folder / "trees" / "Te'.jsonl").read_text("utf-8").splitlines()
    expected = [
        tree.id
        for number, tree in enumerate(raw_demo_trees(), start=1)
        if (number == 3 or 111 <= number <= 130)
        and sum(not token.is_null for token in tree.tokens) <= 7
    ]
    assert [json.loads(line)["id"] for line in lines] == expected


@pytest.mark.full
def test_nothing_selected(run, small):
    with pytest.raises(TreebankError, match="set Te: no trees were selected"):
        run(small.replace("111-130", "1111"))


@pytest.mark.full
def test_sets_that_do_not_go_together(run, small):
    with pytest.raises(InputError, match=r"Brackets: sentence 1 \(demo:111\): word 1 is"):
        run(small.replace("test: Te'", "test: Tr'"))


TRANSITIONS = "  G: {kind: gap, training: Tr', test: Te', development: Te', epochs: 4, beam: 3}\n"


@pytest.mark.full
def test_a_transition_parser(run, small):
    text = small.replace("scores:", f"{TRANSITIONS}scores:").replace("[Tr, Tr']", "[Tr', G]")
    (table,) = run(text)
    assert sum(line.startswith("train G: epoch ") for line in run.said) == 4
    model = train("gap", demo()[:110], beam=3, epochs=4, development=demo()[110:130])
    parses = [parse.tree for parse in parsed(model, demo()[110:130])]
    expected = figures(evaluate(demo()[110:130], parses).all)
    assert [column(table, "G")[f"Te' {score}"] for score in SCORES] == expected
    assert column(table, "G")["Items"] is None
    assert column(table, "G")["Rules"] is None
    assert load_model(run.folder / "models" / "G.gap").about["tags"] == "given"


@pytest.mark.full
def test_a_grid_of_transition_parsers_on_words_alone(run, small):
    options = "training: Tr', test: Te', gold-tags: no, tags: own, epochs: 2"
    grid = 'grid: {kind: [swap, skipshift], order: [left, dist2], features: ["baseline"]}'
    name = '"{kind} {order} {features}"'
    parsers = f"parsers: {{{name}: {{{options}, {grid}}}}}\n"
    (table,) = run(
        f"{small[: small.index('parsers:')]}{parsers}scores: [{{kind: parsers, gold: Te'}}]\n"
    )
    assert list(table.rows) == [
        "swap left baseline",
        "swap dist2 baseline",
        "skipshift left baseline",
        "skipshift dist2 baseline",
    ]
    trees = read_tree_lines(run.folder / "parses" / "swap left baseline.jsonl")
    assert [tree.tokens for tree in trees] != [tree.tokens for tree in demo()[110:130]]


@pytest.mark.full
def test_an_interrupted_training_goes_on(run, small, monkeypatch):
    text = small.replace("scores:", f"{TRANSITIONS}scores:").replace("[Tr, Tr']", "[G]")
    run_epoch = TransitionTrainer.run

    def interrupted(trainer, number, step):
        if number == 3:
            raise KeyboardInterrupt
        return run_epoch(trainer, number, step)

    monkeypatch.setattr(TransitionTrainer, "run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(text)
    monkeypatch.undo()
    tables = run(text)
    lines = [
        line[: len("train G: epoch 3")] for line in run.said if line.startswith("train G: epoch ")
    ]
    assert lines == ["train G: epoch 3", "train G: epoch 4"]
    shutil.rmtree(run.folder)
    assert run(text) == tables


@pytest.mark.full
def test_means_over_seeds(run, small):
    name = '"gap beam {beam}, seed {seed}"'
    grid = "grid: {beam: [1, 2], seed: [1, 2]}"
    parsers = f"parsers: {{{name}: {{kind: gap, training: Tr', test: Te', epochs: 1, {grid}}}}}\n"
    scores = "scores: [{kind: seeds, gold: Te'}, {kind: parsers, gold: Te'}]\n"
    means, each = run(f"{small[: small.index('parsers:')]}{parsers}{scores}")
    assert list(means.rows) == ["gap beam 1", "gap beam 2"]
    for group, cells in means.rows.items():
        row = dict(zip(means.columns, cells, strict=True))
        for figure in ("LF1", "Disc. LF1"):
            place = each.columns.index(figure)
            figures = [each.rows[f"{group}, seed {seed}"][place] for seed in (1, 2)]
            assert row["Seeds"] == 2
            assert row[figure] == pytest.approx(sum(figures) / 2)
            deviation = sum((one - row[figure]) ** 2 for one in figures)
            assert row[f"+- {figure}"] == pytest.approx(deviation**0.5)
    (alone,) = run(
        small.replace("kind: brackets", "kind: seeds").replace("{Te': [Tr, Tr'], Te: [Tr]}", "Te'")
    )
    assert [cells[0] for cells in alone.rows.values()] == [1, 1]
    assert alone.rows["Tr"][alone.columns.index("+- LF1")] is None
