"""Plots: all figures are there, labels as text."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plcfrs.plots import BarPlot, Curve, CurvePlot, plot_svg, save_plot

TEXT = re.compile("<text[^>]*>(.*?)</text>")
CURVES = CurvePlot("Growth", "tokens", "ms", [Curve("plain", [1, 10], [3, 300])])


@given(st.floats(-3, 3), st.floats(0.01, 100))
def test_power_law(exponent, factor):
    xs = [1, 2, 5, 9]
    found = Curve("", xs, [factor * x**exponent for x in xs]).power_law()
    assert found == pytest.approx((exponent, factor), abs=1e-9)


def test_bars_side_by_side():
    plot = BarPlot(
        "By length", ["LP", "LR"], {"1-10": [91.0, 80.5], "11-20": [70.25, None]}, percent=True
    )
    texts = TEXT.findall(plot_svg(plot))
    assert {"By length", "1-10", "11-20", "LP", "LR", "91.0", "80.5", "70.2"} <= set(texts)


def test_stacked_bars():
    rows = {"wsj": [1234, 0, 7], "negra": [8, None, 9]}
    texts = TEXT.findall(plot_svg(BarPlot("Trees", ["0", "1", "2"], rows, stacked=True)))
    assert {"1,234 + 0 + 7", "8 + 9"} <= set(texts)


def test_curves():
    texts = TEXT.findall(plot_svg(CURVES))
    assert {"Growth", "tokens", "ms", "plain"} <= set(texts)


def test_same_plot_twice():
    assert plot_svg(CURVES) == plot_svg(CURVES)


def test_file(tmp_path):
    save_plot(CURVES, tmp_path / "growth.png")
    assert (tmp_path / "growth.png").read_bytes().startswith(b"\x89PNG")
