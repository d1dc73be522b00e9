"""The tables that have plots, and their plots."""

from __future__ import annotations

import re
from typing import NamedTuple

from plcfrs.evaluation.report import Cell, Table
from plcfrs.plots import BarPlot

_MOST = 20  # rows of a plot
_GAP_DEGREE = re.compile(r"gap degree \d+")


class _Kind(NamedTuple):
    """The title of the plot of a table, the columns that it shows, and the one in its labels."""

    title: str
    columns: tuple[str, ...]
    size: str


PLOTS = {
    "By category": _Kind("LF1 by category (and constituents)", ("LF1",), "Gold"),
    "Sentences by length": _Kind("LP and LR by length (and sentences)", ("LP", "LR"), "Sentences"),
    "Sentences by gap degree": _Kind("LF1 by gap degree (and sentences)", ("LF1",), "Sentences"),
}
"""The keys are the titles of the tables, without a parser or set before the colon."""


def plot_of(table: Table) -> BarPlot | None:
    """Return the plot of the first 20 rows of a table, if it has a plot.

    >>> columns, row = ["LP", "LR", "LF1", "Sentences"], [50.0, 60.0, 54.5, 7]
    >>> plot = plot_of(Table("Tr': Sentences by length", columns, {"1-10": row}))
    >>> plot.title
    "Tr': LP and LR by length (and sentences)"
    >>> plot.names, plot.rows
    (('LP', 'LR'), {'1-10 (7)': [50.0, 60.0]})
    """
    of, colon, title = table.title.rpartition(": ")
    if title in PLOTS:
        kind = PLOTS[title]
        size = table.columns.index(kind.size)
        found = {
            f"{row} ({cells[size]})": _numbers(table, cells, kind.columns)
            for row, cells in table.rows.items()
        }
        rows = {row: bars for row, bars in found.items() if None not in bars}
        plot = BarPlot(f"{of}{colon}{kind.title}", kind.columns, _first(rows), percent=True)
    else:
        degrees = tuple(column for column in table.columns if _GAP_DEGREE.fullmatch(column))
        rows = {row: _numbers(table, cells, degrees) for row, cells in table.rows.items()}
        plot = BarPlot(f"{table.title}: trees by gap degree", degrees, _first(rows), stacked=True)
    return plot if plot.names and plot.rows else None


def _numbers(table: Table, cells: list[Cell], columns: tuple[str, ...]) -> list[float | None]:
    places = [table.columns.index(column) for column in columns]
    return [cell if isinstance(cell := cells[place], int | float) else None for place in places]


def _first(rows: dict[str, list[float | None]]) -> dict[str, list[float | None]]:
    return dict(list(rows.items())[:_MOST])
