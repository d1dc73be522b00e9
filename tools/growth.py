"""How a quantity grows with a size: power laws by least squares on logarithms, and their plots."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np

_MARKERS = "oDs^"


class Growth(NamedTuple):
    """A quantity that was measured for several sizes."""

    name: str
    sizes: list[float]
    quantities: list[float]

    def power_law(self) -> tuple[float, float]:
        """Return the exponent and the factor of ``quantity = factor * size ** exponent``."""
        exponent, logarithm = np.polyfit(np.log(self.sizes), np.log(self.quantities), 1)
        return float(exponent), float(np.exp(logarithm))


def require_matplotlib() -> None:
    """End with exit code 2 if there is nothing to plot with."""
    if find_spec("matplotlib") is None:
        raise click.UsageError("--plots needs matplotlib: pip install matplotlib")


def plot_growth(growths: list[Growth], x_label: str, y_label: str, path: Path) -> None:
    """Write a scatter plot with fitted lines, on logarithmic scales.

    Parameters
    ----------
    growths : list of Growth
    x_label, y_label : str
        With the unit.
    path : Path
        The file; its extension says the format.
    """
    from matplotlib.figure import Figure
    from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

    figure = Figure(figsize=(6.4, 4.2), layout="constrained")
    axes = figure.add_subplot(xscale="log", yscale="log", xlabel=x_label, ylabel=y_label)
    for number, growth in enumerate(growths):
        exponent, factor = growth.power_law()
        ends = np.array([min(growth.sizes), max(growth.sizes)])
        color, marker = f"C{number}", _MARKERS[number % len(_MARKERS)]
        label = f"{growth.name}: exponent {exponent:.2f}"
        axes.plot(ends, factor * ends**exponent, color=color, label=label)
        axes.scatter(
            growth.sizes,
            growth.quantities,
            s=25,
            color=color,
            marker=marker,
            alpha=0.6,
            linewidths=0,
        )
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(LogLocator(subs=(1, 2, 3, 5)))
        axis.set_major_formatter(StrMethodFormatter("{x:,.10g}"))
        axis.set_minor_formatter(NullFormatter())
    axes.grid(which="major", color="0.9")
    axes.set_axisbelow(True)
    axes.legend(frameon=False)
    figure.savefig(path, dpi=150)
    click.echo(f"plot: {path}", err=True)
