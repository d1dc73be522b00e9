"""A whole experiment: all stages in order, and the reports.

Trees are transformed, models are trained, sentences are parsed, and parses are scored.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, replace
from itertools import islice
from math import inf
from pathlib import Path
from statistics import median
from typing import TextIO

from plcfrs.compiling import working_cpu_time
from plcfrs.corpus.parsing import in_chunks
from plcfrs.errors import GrammarError, InputError, TreebankError
from plcfrs.evaluation import REPORTS, Drawing, Table, render_html
from plcfrs.evaluation.report import render_text
from plcfrs.experiment.folder import (
    Figures,
    Folder,
    Result,
    digest,
    dump_tree,
    plain,
    program,
    read_lines,
    read_tree_lines,
    versions,
    write_json,
)
from plcfrs.experiment.scores import (
    KINDS,
    Experiment,
    ParserPlan,
    Results,
    ScorePlan,
    TreeSet,
    beside,
)
from plcfrs.grammar import Grammar
from plcfrs.learning.runner import Runner
from plcfrs.parsing.parse import Wanted
from plcfrs.parsing.registry import family_of, find_family, load_model
from plcfrs.parsing.sentence import Sentence
from plcfrs.parsing.sentence_parser import SentenceParser
from plcfrs.plots import Curve, CurvePlot
from plcfrs.settings import change_settings, settings_of
from plcfrs.storage.files import digest_of
from plcfrs.transformation import Anomaly, remove_splits, transform_all
from plcfrs.treebank import FORMATS, read_trees, write_trees
from plcfrs.treebank.compilation import compile_trees
from plcfrs.treebank.files import find_sources, read_blocks
from plcfrs.treebank.registry import EXTENSIONS
from plcfrs.trees import Tree


def transform_set(folder: Folder, name: str, chosen: TreeSet) -> Result:
    """Select and transform the trees of a set, and write ``NAME.export`` for other programs."""
    title, file = f"transform {name}", f"trees/{name}.jsonl"

    def build(part: Path) -> Figures:
        anomalies: list[Anomaly] = []
        read = read_trees(chosen.files, chosen.format, chosen.encoding, None, chosen.selection)
        trees = transform_all(read, chosen.transformation, anomalies)
        number = 0
        with part.open("w", encoding="utf-8", newline="\n") as lines:
            for tree in folder.progress(trees, title):
                _write_line(lines, dump_tree(tree))
                number += 1
        if not number:
            raise TreebankError(f"set {name}: no trees were selected")
        _write_export(part, folder.path / file)
        return {"trees": number, "odd annotations": len(anomalies)}

    return folder.make(title, file, chosen, _treebank_files(chosen), build)


def make_model(
    folder: Folder,
    name: str,
    plan: ParserPlan,
    trees: Mapping[str, Result],
    models: Mapping[str, Result],
) -> Result:
    """Extract or train the model of a parser; `models` are those of the parsers before it."""
    training, family = trees[plan.training], find_family(plan.kind)
    development = [trees[plan.development]] if plan.development else []
    members = [models.get(member) or _model_file(member) for member in plan.members]
    title = f"train {name}"

    def build(part: Path) -> Figures:
        read = compile_trees(folder.progress(read_tree_lines(training.path), title))
        scored = [tree for result in development for tree in read_tree_lines(result.path)]
        settings = plan.settings
        if members:
            settings = replace(settings, members=tuple(str(member.path) for member in members))
        runner = Runner(family.trainer(read, settings, {}), scored, checkpoint=part)
        if part.exists():
            with suppress(GrammarError):  # the earlier run was interrupted at its very end
                runner.resume(part)
        figures: dict[str, float] = {}
        for done in runner.rounds():
            if len(runner.trainer.rounds) > 1:
                folder.log(f"{title}: {done}")
            if done.is_best:
                figures = {**runner.trainer.facts, **done.figures}
        if len(runner.trainer.rounds) > 1 and runner.best is not None:
            figures[runner.trainer.unit] = runner.best
        runner.finish().save(part)
        return figures

    file = f"models/{name}.{family.extension}"
    return folder.make(title, file, plan.settings, [training, *development, *members], build)


def count_items(
    folder: Folder, name: str, plan: ParserPlan, grammar: Result, test: Result
) -> Result | None:
    """Parse again with the search of the paper, to count its items, if the family has it."""
    if all(each.name != "strategy" for each in settings_of(plan.options)):
        return None
    paper = replace(
        plan,
        options=change_settings(plan.options, {"strategy": "knuth"}),
        objective="mpd",
        budget=plan.budget._replace(max_seconds=inf),  # to count all items
    )
    return parse_set(folder, f"count items {name}", f"items/{name}.jsonl", paper, grammar, test)


def parse_set(
    folder: Folder, title: str, file: str, plan: ParserPlan, grammar: Result, test: Result
) -> Result:
    """Parse the test set of a parser; the parses are also written to ``NAME.export``."""

    def build(part: Path) -> Figures:
        model = load_model(grammar.path, plan.budget, **vars(plan.options))
        trees = list(read_tree_lines(test.path))
        done = _keep_complete_lines(part, trees)
        # The first parse loads the kernels; this should not count as parsing time.
        shortest = min(trees, key=lambda tree: len(tree.tokens))
        _parsed(model, [Sentence.of(shortest)], plan)
        with part.open("a", encoding="utf-8", newline="\n") as lines:
            left = islice(folder.progress(trees, title), done, None)
            for chunk in in_chunks(left, model.together):
                for content in _parsed(model, chunk, plan):
                    _write_line(lines, content)
        _write_export(part, folder.path / file)
        return _figures_of_parses(part)

    options = [plan.options, plan.objective, plan.gold_tags, *plan.budget]
    return folder.make(title, file, options, [grammar, test], build)


def _parsed(
    model: SentenceParser, sentences: list[Sentence], plan: ParserPlan
) -> list[dict[str, object]]:
    start = working_cpu_time()
    if not plan.gold_tags:
        sentences = [replace(sentence, tags=None) for sentence in sentences]
    parses = model.parse_together(sentences, Wanted(plan.objective))
    seconds = (working_cpu_time() - start) / len(sentences)
    return [
        {
            **dump_tree(parse.tree),
            "status": parse.status,
            "score": None if parse.score == -inf else parse.score,
            "unproven": bool(parse.optimality_gap),
            "items": parse.statistics.items,
            "cpu_seconds": round(seconds, 6),
        }
        for parse, *_ in parses
    ]


def _keep_complete_lines(part: Path, trees: list[Tree]) -> int:
    """Remove an incomplete last line of an interrupted run, and count the complete lines."""
    if not part.exists():
        return 0
    complete = []
    with part.open("rb") as lines:
        for line, tree in zip(lines, trees, strict=False):
            try:
                if not line.endswith(b"\n") or json.loads(line)["id"] != tree.id:
                    break
            except (ValueError, KeyError, TypeError):
                break
            complete.append(line)
    part.write_bytes(b"".join(complete))
    return len(complete)


def _figures_of_parses(path: Path) -> Figures:
    lines = list(read_lines(path))
    return {
        "sentences": len(lines),
        "parsed": sum(line["status"] == "parsed" for line in lines),
        "unproven": sum(line["unproven"] for line in lines),
        "items": sum(line["items"] for line in lines),
        "cpu seconds": sum(line["cpu_seconds"] for line in lines),
    }


def _model_file(name: str) -> Result:
    """Return the file of a model that was trained elsewhere."""
    return Result(Path(name), digest_of([Path(name)]))


def _treebank_files(chosen: TreeSet) -> list[Result]:
    """Return the treebank files of a set as inputs."""
    extensions = FORMATS[chosen.format].extensions if chosen.format else EXTENSIONS
    return [
        Result(Path(source.name), digest(b"".join(read_blocks(source))))
        for source in find_sources(chosen.files, extensions)
    ]


def _write_export(part: Path, result: Path) -> None:
    trees = map(remove_splits, read_tree_lines(part))
    write_trees(trees, result.with_name(f"{result.stem}.export"))


def _write_line(lines: TextIO, content: dict[str, object]) -> None:
    lines.write(json.dumps(content, ensure_ascii=False) + "\n")
    lines.flush()


_ENDINGS = {"text": "txt", "markdown": "md", "latex": "tex", "csv": "csv", "json": "json"}


def run_experiment(experiment: Experiment, folder: Folder) -> list[Table]:
    """Run the stages that have changed since the last run, and write the reports.

    Parameters
    ----------
    experiment : Experiment
    folder : Folder
        Gets the results: trees, models, parses and tables in subfolders, ``report.*``,
        ``experiment.json`` (all options and versions) and ``log.txt``. If a stage fails, the
        results of earlier stages are kept.
    """
    write_json(
        folder.path / "experiment.json", {"versions": versions(), "options": plain(experiment)}
    )
    results = _results(experiment, folder)
    found: list[Table] = []
    drawings: list[Drawing] = []
    for number, plan in enumerate(experiment.scores, start=1):
        content = json.loads(_score(folder, number, plan, results).path.read_text(encoding="utf-8"))
        made = [Table(**table) for table in content["tables"]]
        found += [beside(table, plan.published) if plan.published else table for table in made]
        drawings += [Drawing(**drawing) for drawing in content["drawings"]]
    reports = {_ENDINGS[name]: render_all(found) for name, render_all in REPORTS.items()}
    reports["txt"] = render(found)
    reports["html"] = render_html(
        experiment.title, found, drawings, [f"plcfrs {program()}"], parser_plots(results)
    )
    for extension, text in reports.items():
        (folder.path / f"report.{extension}").write_text(f"{text}\n", encoding="utf-8")
    return found


def render(tables: Iterable[Table]) -> str:
    """Return tables for the terminal, each with its own column widths."""
    return "\n\n".join(render_text([table]) for table in tables)


def _results(experiment: Experiment, folder: Folder) -> Results:
    """Run the stages before scoring."""
    plans = experiment.parsers
    trees = {name: transform_set(folder, name, each) for name, each in experiment.sets.items()}
    models: dict[str, Result] = {}
    for name, plan in plans.items():
        models[name] = make_model(folder, name, plan, trees, models)
    parses = {
        name: parse_set(
            folder, f"parse {name}", f"parses/{name}.jsonl", plan, models[name], trees[plan.test]
        )
        for name, plan in plans.items()
    }
    items: dict[str, Result] = {}
    if experiment.count_items:
        for name, plan in plans.items():
            if counted := count_items(folder, name, plan, models[name], trees[plan.test]):
                items[name] = counted
    return Results(experiment, trees, models, parses, items)


def _score(folder: Folder, number: int, plan: ScorePlan, results: Results) -> Result:
    title = f"score {number} ({plan.kind})"

    def build(part: Path) -> Figures:
        try:
            made = KINDS[plan.kind](plan, results)
        except InputError as error:
            raise InputError(f"{plan.title}: {error}") from None
        content = {
            "tables": [asdict(part) for part in made if isinstance(part, Table)],
            "drawings": [asdict(part) for part in made if isinstance(part, Drawing)],
        }
        write_json(part, content)
        return {}

    rules = [results.experiment.sets[name].transformation.head_rules for name in plan.gold]
    options = [plan, rules, results.experiment.count_items]
    return folder.make(
        title, f"scores/{number} {plan.kind}.json", options, results.used(plan), build
    )


def parser_plots(results: Results) -> list[CurvePlot]:
    """Return the plots that have data.

    They show the median CPU time by sentence length, and the counts of binarized rules by rank.
    """
    times = [_time_curve(name, parses) for name, parses in results.parses.items()]
    grammars = {
        name: family_of(model.path).inspect(model.path).grammar
        for name, model in results.models.items()
    }
    frequencies = [_frequency_curve(name, grammar) for name, grammar in grammars.items() if grammar]
    plots = [
        CurvePlot(
            "CPU time by length",
            "length (tokens)",
            "median CPU time (ms)",
            [curve for curve in times if len(curve.xs) > 1],
            fitted=True,
        ),
        CurvePlot(
            "Frequencies of binarized rules",
            "rank of the rule",
            "how often",
            [curve for curve in frequencies if len(curve.xs) > 1],
        ),
    ]
    return [plot for plot in plots if plot.curves]


def _time_curve(name: str, parses: Result) -> Curve:
    by_length: dict[int, list[float]] = defaultdict(list)
    for line in read_lines(parses.path):
        by_length[len(line["tokens"])].append(1000 * line["cpu_seconds"])
    lengths = sorted(length for length, times in by_length.items() if length and median(times) > 0)
    return Curve(name, lengths, [median(by_length[length]) for length in lengths])


def _frequency_curve(name: str, grammar: Grammar) -> Curve:
    """Return the first and the last rank of each count."""
    ranks: list[float] = []
    counts: list[float] = []
    rank = 0
    rules_with = Counter(grammar.rules.values()) if grammar.weights == "counts" else Counter()
    for count, rules in sorted(rules_with.items(), reverse=True):
        ranks += [rank + 1, rank + rules]
        counts += [count, count]
        rank += rules
    return Curve(name, ranks, counts)
