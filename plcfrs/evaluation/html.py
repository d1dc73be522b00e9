"""A report as one HTML page, without scripts and external files, and the plots of its tables.

Pictures are passed as SVG, so that this module does not depend on the drawing. A reliability plot
shows whether probabilities are calibrated: of all constituents with probability p, a fraction p is
right. The expected calibration error (Naeini, Cooper and Hauskrecht 2015) is the mean distance
between the two.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from statistics import fmean
from typing import NamedTuple

from plcfrs.evaluation.brackets import Parts, differences
from plcfrs.evaluation.prm import Settings
from plcfrs.evaluation.report import Cell, Table
from plcfrs.plots import BarPlot, CurvePlot, plot_svg
from plcfrs.trees import Tree
from plcfrs.wording import escape

BINS = 10


class Bin(NamedTuple):
    """The number, mean probability and share of right ones of constituents in a range.

    `low` itself belongs to the bin, `high` only if it is 1.
    """

    low: float
    high: float
    number: int
    probability: float
    right: float


def reliability(constituents: Iterable[tuple[float, bool]], bins: int = BINS) -> list[Bin]:
    """Return bins of equal width that are not empty.

    >>> for each in reliability([(0.25, False), (0.75, True), (0.5, False), (1.0, True)], bins=2):
    ...     print(each)
    Bin(low=0.0, high=0.5, number=1, probability=0.25, right=0.0)
    Bin(low=0.5, high=1.0, number=3, probability=0.75, right=0.6666666666666666)
    """
    found: list[list[tuple[float, bool]]] = [[] for _ in range(bins)]
    for probability, right in constituents:
        found[min(int(probability * bins), bins - 1)].append((probability, right))
    return [
        Bin(
            number / bins,
            (number + 1) / bins,
            len(inside),
            fmean(probability for probability, _ in inside),
            fmean(right for _, right in inside),
        )
        for number, inside in enumerate(found)
        if inside
    ]


def calibration_error(bins: Sequence[Bin]) -> float:
    """Return the expected calibration error: the mean of abs(probability - share that is right).

    >>> calibration_error(reliability([(0.75, True), (0.75, False), (0.25, False)]))
    0.25
    """
    total = sum(each.number for each in bins)
    return fsum(each.number * abs(each.probability - each.right) for each in bins) / (total or 1)


def reliability_plot(title: str, bins: Sequence[Bin]) -> BarPlot:
    """Return a plot of the mean probability and the fraction of right constituents of bins."""
    rows = {
        f"{each.low:g}-{each.high:g} ({each.number})": [100 * each.probability, 100 * each.right]
        for each in bins
    }
    return BarPlot(title, ("probability", "right"), rows, percent=True)


_MOST_ROWS = 20  # rows of a plot
_GAP_DEGREE = re.compile(r"gap degree \d+")


class _PlotKind(NamedTuple):
    """The title of the plot of a table, its columns, and the column that its labels show."""

    title: str
    columns: tuple[str, ...]
    size: str


PLOTS = {
    "By category": _PlotKind("LF1 by category (and constituents)", ("LF1",), "Gold"),
    "Sentences by length": _PlotKind(
        "LP and LR by length (and sentences)", ("LP", "LR"), "Sentences"
    ),
    "Sentences by gap degree": _PlotKind(
        "LF1 by gap degree (and sentences)", ("LF1",), "Sentences"
    ),
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
        plot = BarPlot(f"{of}{colon}{kind.title}", kind.columns, _first_rows(rows), percent=True)
    else:
        degrees = tuple(column for column in table.columns if _GAP_DEGREE.fullmatch(column))
        rows = {row: _numbers(table, cells, degrees) for row, cells in table.rows.items()}
        plot = BarPlot(
            f"{table.title}: trees by gap degree", degrees, _first_rows(rows), stacked=True
        )
    return plot if plot.names and plot.rows else None


def _numbers(table: Table, cells: list[Cell], columns: tuple[str, ...]) -> list[float | None]:
    places = [table.columns.index(column) for column in columns]
    return [cell if isinstance(cell := cells[place], int | float) else None for place in places]


def _first_rows(rows: dict[str, list[float | None]]) -> dict[str, list[float | None]]:
    return dict(list(rows.items())[:_MOST_ROWS])


_STYLE = """
body { font: 15px/1.5 sans-serif; color: #222; background: #fff; margin: 2em auto;
  padding: 0 1em; max-width: 100em; }
h1 { font-size: 1.5em; overflow-wrap: anywhere; }
h2 { font-size: 1.25em; margin-top: 2em; border-bottom: 1px solid #bbb; }
h3 { font-size: 1em; margin: 1.5em 0 0.5em; }
.row { display: flex; flex-wrap: wrap; gap: 1em 2.5em; align-items: flex-start; }
.row > * { max-width: 100%; overflow-x: auto; margin: 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: bold; padding: 0.3em 0; white-space: nowrap; }
th, td { padding: 0.1em 0.7em; text-align: right; white-space: nowrap; }
thead th { border-bottom: 1px solid #888; vertical-align: bottom; white-space: normal;
  max-width: 8em; }
th:first-child { text-align: left; font-weight: normal; }
.text td, .text th { text-align: left; }
.text td { white-space: normal; }
tbody tr:nth-child(even) { background: #f3f5f7; }
figure { border: 1px solid #ccc; padding: 0.5em; }
figcaption { font-weight: bold; }
@media print { .row > figure { overflow: visible; } .row svg { max-width: 100%; height: auto; } }
"""
_MARKS = (
    "In red frames: missed constituents in the gold tree, spurious constituents in a parse, and "
    "tags that differ."
)


@dataclass(frozen=True)
class Drawing:
    """The pictures of a sentence side by side.

    Parameters
    ----------
    heading : str
    pictures : mapping of str to str
        SVG by caption.
    """

    heading: str
    pictures: Mapping[str, str]


def draw_differences(
    heading: str,
    gold: Tree,
    parses: Mapping[str, Tree],
    settings: Settings,
    draw: Callable[[Tree, Parts], str],
) -> Drawing:
    """Return a gold tree beside its parses, with their differences marked.

    Parameters
    ----------
    heading : str
    gold : Tree
    parses : mapping of str to Tree
        By caption.
    settings : Settings
    draw : callable
        Returns the SVG of a tree with some parts marked: `plcfrs.drawing.draw_svg`.
    """
    found = {caption: differences(gold, parse, settings) for caption, parse in parses.items()}
    pictures = {"gold": draw(gold, set().union(*(missed for missed, _ in found.values())))}
    for caption, (_, spurious) in found.items():
        pictures[caption] = draw(parses[caption], spurious)
    return Drawing(heading, pictures)


def render_html(
    title: str,
    tables: Iterable[Table],
    drawings: Sequence[Drawing] = (),
    notes: Iterable[str] = (),
    plots: Iterable[CurvePlot] = (),
    marks: str = _MARKS,
) -> str:
    """Return a page with tables, plots of the tables that have one, and drawn trees.

    Parameters
    ----------
    title : str
    tables : iterable of Table
    drawings : sequence of Drawing
    notes : iterable of str
        Paragraphs below the title.
    plots : iterable of CurvePlot
        Further plots. Without matplotlib, the page has a hint instead of all plots.
    marks : str
        The meaning of the frames in the drawings.
    """
    tables = list(tables)
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width">',
            f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>",
            f"<h1>{escape(title)}</h1>",
            *(f"<p>{escape(note)}</p>" for note in notes),
            "<h2>Tables</h2>",
            _row(map(_table, tables)),
            *_plots([*filter(None, map(plot_of, tables)), *plots]),
            *_drawings(drawings, marks),
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


def _plots(plots: Sequence[BarPlot | CurvePlot]) -> list[str]:
    if not plots:
        return []
    try:
        content = _row(f"<div>{plot_svg(plot)}</div>" for plot in plots)
    except ImportError:
        content = "<p>Plots need matplotlib: <code>pip install 'plcfrs[report]'</code></p>"
    return ["<h2>Plots</h2>", content]


def _drawings(drawings: Iterable[Drawing], marks: str) -> list[str]:
    parts = []
    for drawing in drawings:
        figures = (
            f"<figure><figcaption>{escape(caption)}</figcaption>{svg}</figure>"
            for caption, svg in drawing.pictures.items()
        )
        parts += [f"<h3>{escape(drawing.heading)}</h3>", _row(figures)]
    if parts:
        parts[:0] = ["<h2>Trees</h2>", f"<p>{escape(marks)}</p>"]
    return parts
