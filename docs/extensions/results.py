"""The directive `results`: the tables of a file of results.

    ```{results} refine
    ```

The file is `docs/results/refine.json`: the `report.json` of an experiment, or what a tool has
written.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "docs/results"

Cell = int | float | str | None

_DEVIATION = "+- "


class ResultsDirective(SphinxDirective):
    """Show the tables of a file of results, and when, with what and how it was made."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return what was measured, and the tables."""
        name = self.arguments[0]
        path = RESULTS / f"{name}.json"
        self.env.note_dependency(str(path))
        results = json.loads(path.read_text(encoding="utf-8"))
        version = f"plcfrs {results['plcfrs']}"
        if "commit" in results:
            version += f", commit {results['commit']}"
        circumstances = "; ".join([results["machine"], version, results["date"]])
        shown: list[nodes.Node] = [nodes.paragraph("", results["about"])]
        experiment = f"tools/experiments/{name}.yaml"
        is_experiment = (ROOT / experiment).is_file()
        command = f"plcfrs experiment {experiment}" if is_experiment else results.get("command")
        if command:
            shown.append(nodes.literal_block(command, command, language="sh"))
        shown.append(nodes.paragraph("", f"{circumstances}."))
        return shown + [
            table_of(["", *columns_of(rows)], lines_of(rows), title)
            for title, rows in results["tables"].items()
        ]


def columns_of(rows: Mapping[str, Mapping[str, Cell]]) -> list[str]:
    """Return the columns of a table without those of deviations, which stand in brackets."""
    (first, *_) = rows.values()
    return [column for column in first if not column.startswith(_DEVIATION)]


def lines_of(rows: Mapping[str, Mapping[str, Cell]]) -> Iterable[list[str]]:
    """Yield the rows of a table as texts."""
    columns = columns_of(rows)
    for name, cells in rows.items():
        line = [name]
        for column in columns:
            deviation = cells.get(f"{_DEVIATION}{column}")
            brackets = "" if deviation is None else f" ({text_of(deviation)})"
            line.append(text_of(cells[column]) + brackets)
        yield line


def text_of(cell: Cell) -> str:
    """Return a cell as text: large numbers without decimals, small ones with two digits."""
    if not isinstance(cell, int | float):
        return "-" if cell is None else cell
    if isinstance(cell, int) or abs(cell) > 100:
        return f"{cell:,.0f}"
    return f"{cell:.2f}" if cell == 0 or abs(cell) >= 0.1 else f"{cell:.2g}"


def table_of(columns: list[str], rows: Iterable[list[str]], caption: str = "") -> nodes.Node:
    """Return a table, which scrolls sideways where the page is narrow."""
    shown = nodes.table(classes=["plcfrs-results"])
    if caption:
        shown += nodes.title("", caption)
    group = nodes.tgroup(cols=len(columns))
    group += [nodes.colspec(colwidth=1) for _ in columns]
    group += nodes.thead("", _row(columns))
    group += nodes.tbody("", *map(_row, rows))
    shown += group
    return nodes.container("", shown, classes=["pst-scrollable-table-container"])


def _row(cells: list[str]) -> nodes.row:
    return nodes.row("", *(nodes.entry("", nodes.paragraph("", str(cell))) for cell in cells))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("results", ResultsDirective)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
