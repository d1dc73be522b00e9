"""The plots of an experiment: curves as SVG, drawn by matplotlib if it is installed."""

from __future__ import annotations

import io
import warnings
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import exp, log
from statistics import linear_regression, median
from typing import Any

from plcfrs.experiment.folder import Result, read_lines
from plcfrs.experiment.scores import Results
from plcfrs.grammar import Grammar
from plcfrs.parsing.registry import family_of
from plcfrs.wording import escape, printable

_COLOURS = ("#4878a8", "#d07c3c", "#5a9a68", "#8a6bb0", "#b8505a", "#6f7c8a")
_MARKERS = "oDs^vP"


@dataclass(frozen=True)
class PlotCurve:
    """Points of a quantity that depends on another one; all values are positive."""

    name: str
    xs: Sequence[float]
    ys: Sequence[float]

    def power_law(self) -> tuple[float, float]:
        """Fit ``y = factor * x ** exponent`` by least squares on logarithms.

        Return the exponent and the factor.

        >>> exponent, factor = PlotCurve("cubes", [1, 2, 4], [2, 16, 128]).power_law()
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
    curves: Sequence[PlotCurve] = field(default_factory=list)
    fitted: bool = False


def plot_svg(plot: CurvePlot) -> str:
    """Return a plot as SVG for an HTML page."""
    import matplotlib
    from matplotlib.figure import Figure

    # Text stays text, dollar signs start no formulas, and no two plots share identifiers.
    settings: Any = {"svg.fonttype": "none", "text.parse_math": False, "svg.hashsalt": plot.title}
    # matplotlib must have the same settings until the figure is saved.
    with matplotlib.rc_context(settings), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about fonts: the reader's fonts count, not ours
        figure = Figure((5.5, 3.8), layout="constrained")
        axes = figure.add_subplot(xscale="log", yscale="log")
        _draw_curves(axes, plot)
        figure.suptitle(printable(plot.title), fontsize="medium")
        axes.spines[["top", "right"]].set_visible(False)
        text = io.StringIO()
        nothing = dict.fromkeys(("Creator", "Date", "Format", "Type"))
        figure.savefig(text, format="svg", metadata=nothing)
    svg = text.getvalue()
    opening = f'<svg role="img" aria-label="{escape(plot.title)}"'
    return svg[svg.index("<svg") :].replace("<svg", opening, 1)


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


def parser_plots(results: Results) -> list[CurvePlot]:
    """Return the plots that have data.

    They show the median CPU time by sentence length, and the counts of binarized rules by rank.
    """
    times = [_time_curve(name, parses) for name, parses in results.parses.items()]
    grammars = {
        name: family_of(model.path).inspect(model.path).grammar
        for name, model in results.models.items()
    }
    frequencies = [_frequency_curve(name, grammar) for name, grammar in grammars.items() if grammar]
    plots = [
        CurvePlot(
            "CPU time by length",
            "length (tokens)",
            "median CPU time (ms)",
            [curve for curve in times if len(curve.xs) > 1],
            fitted=True,
        ),
        CurvePlot(
            "Frequencies of binarized rules",
            "rank of the rule",
            "how often",
            [curve for curve in frequencies if len(curve.xs) > 1],
        ),
    ]
    return [plot for plot in plots if plot.curves]


def _time_curve(name: str, parses: Result) -> PlotCurve:
    by_length: dict[int, list[float]] = defaultdict(list)
    for line in read_lines(parses.path):
        by_length[len(line["tokens"])].append(1000 * line["cpu_seconds"])
    lengths = sorted(length for length, times in by_length.items() if length and median(times) > 0)
    return PlotCurve(name, lengths, [median(by_length[length]) for length in lengths])


def _frequency_curve(name: str, grammar: Grammar) -> PlotCurve:
    """Return the first and the last rank of each count."""
    ranks: list[float] = []
    counts: list[float] = []
    rank = 0
    rules_with = Counter(grammar.rules.values()) if grammar.weights == "counts" else Counter()
    for count, rules in sorted(rules_with.items(), reverse=True):
        ranks += [rank + 1, rank + rules]
        counts += [count, count]
        rank += rules
    return PlotCurve(name, ranks, counts)
