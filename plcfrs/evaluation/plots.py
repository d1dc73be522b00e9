"""Plots of tables as SVG, drawn by matplotlib if it is installed."""

from __future__ import annotations

import io
import warnings
from typing import Any

from plcfrs.evaluation.report import Cell, Table
from plcfrs.text import escape, printable

PLOTS = {
    "By category": "LF1 by category (and constituents)",
    "Sentences by length": "LF1 by length (and sentences)",
    "Sentences by gap degree": "LF1 by gap degree (and sentences)",
}
"""What the plots of tables are called, by the titles of the tables without what they are of."""

_MOST = 20  # rows of a plot
_SIZES = ("Gold", "Sentences")


def plot_title(table: Table) -> str:
    """Return what the plot of a table is called; nothing if it has none.

    Examples
    --------
    >>> plot_title(Table("Breakdown, Tr': By category", [], {}))
    "Breakdown, Tr': LF1 by category (and constituents)"
    """
    of, colon, kind = table.title.rpartition(": ")
    return f"{of}{colon}{PLOTS[kind]}" if kind in PLOTS else ""


def plot_f1(table: Table) -> str:
    """Return the F1 of each row of a table as bars, in SVG that can stand in an HTML page.

    Parameters
    ----------
    table : Table
        One that has a `plot_title`; the first 20 rows are shown.

    Raises
    ------
    ImportError
        If matplotlib is not installed.
    """
    import matplotlib
    from matplotlib.figure import Figure

    title, bars = plot_title(table), _bars(table)
    # Text stays text, dollar signs are no formulas, and no two plots share identifiers.
    settings: Any = {"svg.fonttype": "none", "text.parse_math": False, "svg.hashsalt": title}
    with matplotlib.rc_context(settings), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the reader's fonts count, not those that are here
        figure = Figure(figsize=(5, 0.9 + 0.27 * len(bars)), layout="constrained")
        _draw(figure.subplots(), title, bars)
        text = io.StringIO()
        nothing = dict.fromkeys(("Creator", "Date", "Format", "Type"))
        figure.savefig(text, format="svg", metadata=nothing)
    svg = text.getvalue()
    opening = f'<svg role="img" aria-label="{escape(title)}"'
    return svg[svg.index("<svg") :].replace("<svg", opening, 1)


def _bars(table: Table) -> list[tuple[str, float]]:
    """Return labels and F1 of the first rows that have one."""
    (size,) = (column for column in table.columns if column in _SIZES)
    places = table.columns.index("LF1"), table.columns.index(size)
    figures: list[tuple[str, Cell, Cell]] = [
        (row, cells[places[0]], cells[places[1]]) for row, cells in table.rows.items()
    ]
    return [(f"{printable(row)} ({of})", f1) for row, f1, of in figures if isinstance(f1, float)][
        :_MOST
    ]


def _draw(axes: Any, title: str, bars: list[tuple[str, float]]) -> None:  # noqa: ANN401 (no types)
    values = [f1 for _, f1 in bars]
    drawn = axes.barh(range(len(bars)), values, color="#4878a8")
    axes.bar_label(drawn, fmt="%.1f", padding=3)
    axes.set_yticks(range(len(bars)), [label for label, _ in bars])
    axes.invert_yaxis()
    axes.set_xlim(0, 112)
    axes.set_xticks(range(0, 101, 20))
    axes.set_title(title, fontsize="medium")
    axes.spines[["top", "right"]].set_visible(False)
