"""A report as one HTML page without scripts and external files.

Pictures are passed as SVG, so that this module does not depend on the drawing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from plcfrs.evaluation.differences import Parts, differences
from plcfrs.evaluation.plots import plot_of
from plcfrs.evaluation.report import Table
from plcfrs.evaluation.settings import Settings
from plcfrs.plots import BarPlot, CurvePlot, plot_svg
from plcfrs.text import escape
from plcfrs.trees import Tree

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
        What the frames in the drawings mean.
    """
    tables = list(tables)
    parts = [
        f"<h1>{escape(title)}</h1>",
        *(f"<p>{escape(note)}</p>" for note in notes),
        "<h2>Tables</h2>",
        _row(map(_table, tables)),
        *_plots([*filter(None, map(plot_of, tables)), *plots]),
        *_drawings(drawings, marks),
    ]
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width">',
            f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>",
            *parts,
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
