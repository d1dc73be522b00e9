"""The directive `results`: the tables of a benchmark, from the file that it has written.

    ```{results} refine
    ```

The file is `docs/results/refine.json`; `tools/bench_refine.py --json` writes it.
"""

from __future__ import annotations

import json
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

RESULTS = Path(__file__).parents[1] / "results"


class ResultsDirective(SphinxDirective):
    """Show the tables of a file of results, the command that made them, machine and date."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return what was measured, and the tables."""
        path = RESULTS / f"{self.arguments[0]}.json"
        self.env.note_dependency(str(path))
        results = json.loads(path.read_text(encoding="utf-8"))
        circumstances = [results["machine"], f"plcfrs {results['version']}", results["date"]]
        shown: list[nodes.Node] = [
            nodes.paragraph("", results["about"]),
            nodes.literal_block(results["command"], results["command"], language="sh"),
            nodes.paragraph("", "; ".join(circumstances) + "."),
        ]
        return shown + [
            table_of(table["columns"], table["rows"], table["caption"])
            for table in results["tables"]
        ]


def table_of(columns: list[str], rows: list[list[str]], caption: str = "") -> nodes.Node:
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
