"""The tables of an experiment, and its reports in all formats.

The HTML page has no scripts or external files.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import date
from pathlib import Path
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
    versions,
    write_json,
)
from plcfrs.experiment.plan import Experiment, ScorePlan
from plcfrs.experiment.plots import CurvePlot, parser_plots, plot_svg
from plcfrs.experiment.scores import KINDS, Drawing, Results, beside
from plcfrs.experiment.stages import run_stages
from plcfrs.wording import escape

_STYLE = Path(__file__).with_name("report.css").read_text(encoding="utf-8")
_MARKS = (
    "In red frames: missed constituents in the gold tree, spurious constituents in a parse, and "
    "tags that differ."
)
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


def render_html(
    title: str,
    note: str,
    tables: Iterable[Table],
    plots: Sequence[CurvePlot] = (),
    drawings: Sequence[Drawing] = (),
) -> str:
    """Return a page with a note below its title, tables, plots, and drawn trees.

    Without matplotlib, the page has a hint instead of the plots.
    """
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width">',
            f"<title>{escape(title)}</title>\n<style>\n{_STYLE}</style>\n</head>\n<body>",
            f"<h1>{escape(title)}</h1>",
            f"<p>{escape(note)}</p>",
            "<h2>Tables</h2>",
            _row(map(_table, tables)),
            *_plots(plots),
            *_drawings(drawings),
            "</body>\n</html>",
        ]
    )


def _row(parts: Iterable[str]) -> str:
    return "\n".join(['<div class="row">', *parts, "</div>"])


def _table(table: Table) -> str:
    (_, *columns), *rows = table.lines()
    kind = ' class="text"' if table.has_text else ""
    return "\n".join(
        [
            f"<div><table{kind}><caption>{escape(table.title)}</caption>",
            f"<thead><tr><td></td>{_cells('th', columns)}</tr></thead>",
            "<tbody>",
            *(f"<tr>{_cells('th', row[:1])}{_cells('td', row[1:])}</tr>" for row in rows),
            "</tbody></table></div>",
        ]
    )


def _cells(element: str, cells: Iterable[str]) -> str:
    return "".join(f"<{element}>{escape(cell)}</{element}>" for cell in cells)


def _plots(plots: Sequence[CurvePlot]) -> list[str]:
    if not plots:
        return []
    try:
        content = _row(f"<div>{plot_svg(plot)}</div>" for plot in plots)
    except ImportError:
        content = "<p>Plots need matplotlib: <code>pip install 'plcfrs[report]'</code></p>"
    return ["<h2>Plots</h2>", content]


def _drawings(drawings: Iterable[Drawing]) -> list[str]:
    parts = []
    for drawing in drawings:
        figures = (
            f"<figure><figcaption>{escape(caption)}</figcaption>{svg}</figure>"
            for caption, svg in drawing.pictures.items()
        )
        parts += [f"<h3>{escape(drawing.heading)}</h3>", _row(figures)]
    if parts:
        parts[:0] = ["<h2>Trees</h2>", f"<p>{_MARKS}</p>"]
    return parts
