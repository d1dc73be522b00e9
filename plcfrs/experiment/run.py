"""A whole experiment: all stages in order, and the reports."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from plcfrs.errors import InputError
from plcfrs.evaluation import REPORTS, Drawing, Table, render_html
from plcfrs.evaluation.report import render_text
from plcfrs.experiment.folder import Figures, Folder, Result, plain, program, versions, write_json
from plcfrs.experiment.plan import Experiment, ScorePlan
from plcfrs.experiment.plots import parser_plots
from plcfrs.experiment.published import beside
from plcfrs.experiment.scores import KINDS, Results
from plcfrs.experiment.stages import count_items, make_model, parse_set, transform_set

EXTENSIONS = {"text": "txt", "markdown": "md", "latex": "tex", "csv": "csv", "json": "json"}


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
    reports = {EXTENSIONS[name]: render_all(found) for name, render_all in REPORTS.items()}
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
        name: parse_set(folder, name, plan, models[name], trees[plan.test])
        for name, plan in plans.items()
    }
    items: dict[str, Result] = {}
    if experiment.count_items:
        for name, plan in plans.items():
            counted = count_items(folder, name, plan, models[name], trees[plan.test])
            if counted:
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
