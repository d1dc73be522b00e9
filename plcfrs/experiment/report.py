"""The tables of an experiment, and its reports in all formats."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import asdict
from datetime import date
from pathlib import Path
from statistics import median
from typing import Any

from plcfrs.errors import InputError
from plcfrs.evaluation import REPORTS, Table
from plcfrs.evaluation.report import render_json, render_text
from plcfrs.experiment.folder import (
    Figures,
    Folder,
    Result,
    machine,
    plain,
    program,
    read_lines,
    versions,
    write_json,
)
from plcfrs.experiment.page import Drawing, render_html
from plcfrs.experiment.plan import Experiment, ScorePlan
from plcfrs.experiment.scores import KINDS, Results, beside
from plcfrs.experiment.stages import run_stages
from plcfrs.grammar import Grammar
from plcfrs.parsing.registry import family_of
from plcfrs.plots import CurvePlot, PlotCurve

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
    stages = run_stages(experiment, folder)
    tables: list[Table] = []
    drawings: list[Drawing] = []
    for number, plan in enumerate(experiment.scores, start=1):
        content = json.loads(_score(folder, number, plan, stages).path.read_text(encoding="utf-8"))
        ours = [Table(**table) for table in content["tables"]]
        tables += [beside(table, plan.published) if plan.published else table for table in ours]
        drawings += [Drawing(**drawing) for drawing in content["drawings"]]
    reports = {_ENDINGS[name]: render_all(tables) for name, render_all in REPORTS.items()}
    reports["txt"] = render(tables)
    described = results(experiment.title, experiment.about, tables)
    reports["json"] = json.dumps(described, indent=1, ensure_ascii=False)
    reports["html"] = render_html(
        experiment.title, f"plcfrs {program()}", tables, parser_plots(stages), drawings
    )
    for extension, text in reports.items():
        (folder.path / f"report.{extension}").write_text(f"{text}\n", encoding="utf-8")
    return tables


def results(title: str, about: str, tables: Iterable[Table]) -> dict[str, Any]:
    """Return what was measured, when and with what, and all figures by table, row and column."""
    return {
        "title": title,
        "about": about,
        "date": date.today().isoformat(),
        "plcfrs": program(),
        "machine": machine(),
        "tables": json.loads(render_json(tables)),
    }


def render(tables: Iterable[Table]) -> str:
    """Return tables for the terminal, each with its own column widths."""
    return "\n\n".join(render_text([table]) for table in tables)


def _score(folder: Folder, number: int, plan: ScorePlan, results: Results) -> Result:
    title = f"score {number} ({plan.kind})"

    def build(part: Path) -> Figures:
        try:
            outputs = KINDS[plan.kind](plan, results)
        except InputError as error:
            raise InputError(f"{plan.title}: {error}") from None
        content = {
            "tables": [asdict(output) for output in outputs if isinstance(output, Table)],
            "drawings": [asdict(output) for output in outputs if isinstance(output, Drawing)],
        }
        write_json(part, content)
        return {}

    rules = [results.experiment.sets[name].transformation.head_rules for name in plan.gold]
    inputs = results.inputs(plan)
    figures = [dict(result.figures) for result in inputs]
    options = [plan, rules, figures]
    return folder.make(title, f"scores/{number} {plan.kind}.json", options, inputs, build)


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


def _time_curve(name: str, parses: Result) -> PlotCurve:
    by_length: dict[int, list[float]] = defaultdict(list)
    for line in read_lines(parses.path):
        by_length[len(line["tokens"])].append(1000 * line["cpu_seconds"])
    lengths = sorted(length for length, times in by_length.items() if length and median(times) > 0)
    return PlotCurve(name, lengths, [median(by_length[length]) for length in lengths])


def _frequency_curve(name: str, grammar: Grammar) -> PlotCurve:
    """Return the first and the last rank of each count."""
    ranks: list[float] = []
    counts: list[float] = []
    rank = 0
    rules_with = Counter(grammar.rules.values()) if grammar.weights == "counts" else Counter()
    for count, rules in sorted(rules_with.items(), reverse=True):
        ranks += [rank + 1, rank + rules]
        counts += [count, count]
        rank += rules
    return PlotCurve(name, ranks, counts)
