"""Reliability of probabilities, by hand and by its definition."""

from math import fsum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plcfrs.forest.posteriors import calibration_error, reliability

pairs = st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=40)


@given(pairs, st.integers(1, 12))
def test_every_constituent_is_in_its_bin(found, number):
    bins = reliability(found, number)
    assert sum(each.number for each in bins) == len(found)
    for each in bins:
        assert each.low <= each.probability <= each.high
        inside = [
            right
            for chance, right in found
            if each.low <= chance and (chance < each.high or each.high == 1)
        ]
        assert (each.number, each.right) == (len(inside), pytest.approx(sum(inside) / len(inside)))


@given(pairs)
def test_the_error_of_one_bin_is_that_of_the_mean(found):
    if found:
        means = (fsum(each[place] for each in found) / len(found) for place in (0, 1))
        error = calibration_error(reliability(found, 1))
        assert error == pytest.approx(abs(next(means) - next(means)))
    assert calibration_error([]) == 0
