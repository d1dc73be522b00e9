"""The power law of a curve."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plcfrs.experiment.plots import PlotCurve


@given(st.floats(-3, 3), st.floats(0.01, 100))
def test_power_law(exponent, factor):
    xs = [1, 2, 5, 9]
    found = PlotCurve("", xs, [factor * x**exponent for x in xs]).power_law()
    assert found == pytest.approx((exponent, factor), abs=1e-9)
