"""The report of an experiment as one HTML page without scripts or external files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from plcfrs.drawing import draw_svg
from plcfrs.evaluation.bracketing import differences
from plcfrs.evaluation.prm import Settings
from plcfrs.evaluation.report import Table
from plcfrs.plots import CurvePlot, plot_svg
from plcfrs.trees import Tree
from plcfrs.wording import escape

_STYLE = Path(__file__).with_name("report.css").read_text(encoding="utf-8")
_MARKS = (
    "In red frames: missed constituents in the gold tree, spurious constituents in a parse, and "
    "tags that differ."
)


@dataclass(frozen=True)
class Drawing:
    """Pictures of a sentence, side by side.

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
) -> Drawing:
    """Return pictures of a gold tree and its parses, with their differences marked.

    Parameters
    ----------
    heading : str
    gold : Tree
    parses : mapping of str to Tree
        By caption.
    settings : Settings
    """
    wrong = {caption: differences(gold, parse, settings) for caption, parse in parses.items()}
    pictures = {"gold": draw_svg(gold, set().union(*(missed for missed, _ in wrong.values())))}
    for caption, (_, spurious) in wrong.items():
        pictures[caption] = draw_svg(parses[caption], spurious)
    return Drawing(heading, pictures)


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
