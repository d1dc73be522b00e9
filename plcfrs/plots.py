"""Plots of numbers as SVG or as a file, drawn by matplotlib if it is installed."""

from __future__ import annotations

import io
import warnings
from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import exp, log
from pathlib import Path
from statistics import linear_regression
from typing import TYPE_CHECKING, Any

from plcfrs.text import escape, printable

if TYPE_CHECKING:
    from collections.abc import Iterator

_COLOURS = ("#4878a8", "#d07c3c", "#5a9a68", "#8a6bb0", "#b8505a", "#6f7c8a")
_MARKERS = "oDs^vP"


@dataclass(frozen=True)
class BarPlot:
    """Horizontal bars: each row has a value for each name, None for no bar.

    The bars of a row may be stacked, as parts of a whole; the axis of percents goes from 0 to 100.
    """

    title: str
    names: Sequence[str]
    rows: Mapping[str, Sequence[float | None]]
    stacked: bool = False
    percent: bool = False


@dataclass(frozen=True)
class Curve:
    """Points of a quantity that depends on another one; all values are positive."""

    name: str
    xs: Sequence[float]
    ys: Sequence[float]

    def power_law(self) -> tuple[float, float]:
        """Fit ``y = factor * x ** exponent`` by least squares on logarithms.

        Return the exponent and the factor.

        >>> exponent, factor = Curve("cubes", [1, 2, 4], [2, 16, 128]).power_law()
        >>> round(exponent, 6), round(factor, 6)
        (3.0, 2.0)
        """
        exponent, logarithm = linear_regression([*map(log, self.xs)], [*map(log, self.ys)])
        return exponent, exp(logarithm)


@dataclass(frozen=True)
class CurvePlot:
    """Curves on logarithmic scales, or points with a fitted power law; labels have the unit."""

    title: str
    x_label: str
    y_label: str
    curves: Sequence[Curve] = field(default_factory=list)
    fitted: bool = False


def plot_svg(plot: BarPlot | CurvePlot) -> str:
    """Return a plot as SVG for an HTML page."""
    with _figure(plot) as figure:
        text = io.StringIO()
        nothing = dict.fromkeys(("Creator", "Date", "Format", "Type"))
        figure.savefig(text, format="svg", metadata=nothing)
    svg = text.getvalue()
    opening = f'<svg role="img" aria-label="{escape(plot.title)}"'
    return svg[svg.index("<svg") :].replace("<svg", opening, 1)


def save_plot(plot: BarPlot | CurvePlot, path: Path) -> None:
    """Write a plot to a file; its extension decides the format."""
    with _figure(plot) as figure:
        figure.savefig(path, dpi=150)


@contextmanager
def _figure(plot: BarPlot | CurvePlot) -> Iterator[Any]:
    """Draw a plot; matplotlib must have the same settings until it is saved."""
    import matplotlib
    from matplotlib.figure import Figure

    # Text stays text, dollar signs start no formulas, and no two plots share identifiers.
    settings: Any = {"svg.fonttype": "none", "text.parse_math": False, "svg.hashsalt": plot.title}
    with matplotlib.rc_context(settings), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about fonts: the reader's fonts count, not ours
        if isinstance(plot, BarPlot):
            height = 0.27 if plot.stacked else 0.13 + 0.14 * len(plot.names)
            legend = 0.25 if len(plot.names) > 1 else 0
            figure = Figure((5, 0.9 + legend + height * len(plot.rows)), layout="constrained")
            _draw_bars(figure.subplots(), plot)
        else:
            figure = Figure((5.5, 3.8), layout="constrained")
            _draw_curves(figure.add_subplot(xscale="log", yscale="log"), plot)
        figure.suptitle(printable(plot.title), fontsize="medium")
        figure.axes[0].spines[["top", "right"]].set_visible(False)
        yield figure


def _draw_bars(axes: Any, plot: BarPlot) -> None:  # noqa: ANN401 (no types)
    starts = [0.0] * len(plot.rows)
    thickness = 0.8 if plot.stacked else 0.8 / len(plot.names)
    for number, name in enumerate(plot.names):
        values = [bars[number] or 0.0 for bars in plot.rows.values()]
        shift = 0 if plot.stacked else thickness * (number - (len(plot.names) - 1) / 2)
        places = [place + shift for place in range(len(plot.rows))]
        colour = _COLOURS[number % len(_COLOURS)]
        drawn = axes.barh(places, values, thickness, starts, color=colour, label=name)
        if plot.stacked:
            starts = [start + value for start, value in zip(starts, values, strict=True)]
        else:
            axes.bar_label(drawn, _values(plot, number), padding=3, fontsize="small")
    if plot.stacked:
        axes.bar_label(
            drawn, [_listed(plot, row) for row in plot.rows], padding=3, fontsize="small"
        )
        axes.set_xlim(0, 1.6 * max(starts))
    axes.set_yticks(range(len(plot.rows)), map(printable, plot.rows))
    axes.invert_yaxis()
    if plot.percent:
        axes.set_xlim(0, 112)
        axes.set_xticks(range(0, 101, 20))
    if len(plot.names) > 1:
        axes.figure.legend(loc="outside lower center", ncols=4, frameon=False, fontsize="small")


def _values(plot: BarPlot, number: int) -> list[str]:
    """Return the labels of the bars of a name."""
    form = ".1f" if plot.percent else ",g"
    values = [bars[number] for bars in plot.rows.values()]
    return ["" if value is None else format(value, form) for value in values]


def _listed(plot: BarPlot, row: str) -> str:
    """Return the label of a row of stacked bars."""
    return " + ".join(f"{value:,g}" for value in plot.rows[row] if value is not None)


def _draw_curves(axes: Any, plot: CurvePlot) -> None:  # noqa: ANN401 (no types)
    from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

    for number, curve in enumerate(plot.curves):
        colour, marker = _COLOURS[number % len(_COLOURS)], _MARKERS[number % len(_MARKERS)]
        if plot.fitted:
            exponent, factor = curve.power_law()
            ends = [min(curve.xs), max(curve.xs)]
            label = f"{curve.name}: exponent {exponent:.2f}"
            axes.plot(ends, [factor * end**exponent for end in ends], color=colour, label=label)
            looks = {"s": 25, "marker": marker, "alpha": 0.6, "linewidths": 0}
            axes.scatter(curve.xs, curve.ys, color=colour, **looks)
        else:
            axes.plot(curve.xs, curve.ys, color=colour, label=curve.name)
    axes.set_xlabel(plot.x_label)
    axes.set_ylabel(plot.y_label)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(LogLocator(subs=(1, 2, 3, 5) if plot.fitted else (1, 3)))
        axis.set_major_formatter(StrMethodFormatter("{x:,.10g}"))
        axis.set_minor_formatter(NullFormatter())
    axes.grid(which="major", color="0.9")
    axes.set_axisbelow(True)
    axes.legend(frameon=False, fontsize="small")
