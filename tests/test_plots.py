"""Plots: all figures are there, labels as text."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plcfrs.plots import CurvePlot, PlotCurve, plot_svg

TEXT = re.compile("<text[^>]*>(.*?)</text>")
CURVES = CurvePlot("Growth", "tokens", "ms", [PlotCurve("plain", [1, 10], [3, 300])])


@given(st.floats(-3, 3), st.floats(0.01, 100))
def test_power_law(exponent, factor):
    xs = [1, 2, 5, 9]
    found = PlotCurve("", xs, [factor * x**exponent for x in xs]).power_law()
    assert found == pytest.approx((exponent, factor), abs=1e-9)


@pytest.mark.full
def test_curves():
    texts = TEXT.findall(plot_svg(CURVES))
    assert {"Growth", "tokens", "ms", "plain"} <= set(texts)


@pytest.mark.full
def test_same_plot_twice():
    assert plot_svg(CURVES) == plot_svg(CURVES)
