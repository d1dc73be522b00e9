"""Calibrated probabilities, against a search of all scales and offsets."""

from itertools import pairwise, product
from math import log
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plcfrs.forest.posteriors import Calibration, fit_calibration

CHANCES = [0.0, 0.01, 0.3, 0.5, 0.6, 0.9, 0.99, 0.9999, 1.0]
constituents = st.lists(st.tuples(st.sampled_from(CHANCES), st.booleans()), max_size=30)


def objective(calibration, constituents):
    likelihood = sum(
        log(calibration(chance) if right else 1 - calibration(chance))
        for chance, right in constituents
    )
    scale, offset = calibration
    return likelihood - ((scale - 1) ** 2 + offset**2) / 2


@given(constituents)
def test_no_other_calibration_is_better(constituents):
    fitted = fit_calibration(constituents)
    best = objective(fitted, constituents)
    grid = product(np.arange(0, 2.5, 0.25), np.arange(-3, 3.1, 0.25))
    assert max(objective(Calibration(*each), constituents) for each in grid) <= best + 1e-6 or (
        fitted.scale == 0  # then its prior is that of the offset alone
    )
    for step in ((0.001, 0), (0, 0.001), (0, -0.001)):
        near = Calibration(fitted.scale + step[0], fitted.offset + step[1])
        assert objective(near, constituents) <= best + 1e-6 or fitted.scale == 0


@given(constituents)
def test_the_order_stays(constituents):
    fitted = fit_calibration(constituents)
    assert all(fitted(low) <= fitted(high) for low, high in pairwise(CHANCES))
    assert all(0 < fitted(chance) < 1 for chance in CHANCES)


def test_what_is_calibrated_stays():
    random = Random(1)
    chances = [random.uniform(0.01, 0.99) for _ in range(20_000)]
    fitted = fit_calibration([(chance, random.random() < chance) for chance in chances])
    assert fitted == pytest.approx((1, 0), abs=0.05)


def test_what_is_too_extreme_becomes_less_so():
    random = Random(1)
    true = Calibration(0.5, -0.25)
    chances = [random.uniform(0.01, 0.99) for _ in range(20_000)]
    fitted = fit_calibration([(chance, random.random() < true(chance)) for chance in chances])
    assert fitted == pytest.approx(true, abs=0.05)


def test_few_trees_change_little_and_none_change_nothing():
    assert fit_calibration([]) == Calibration(1.0, 0.0)
    assert fit_calibration([(0.9, True)])(0.9) == pytest.approx(0.92, abs=0.02)


def test_an_order_that_is_wrong_is_given_up():
    fitted = fit_calibration(100 * [(0.9, False), (0.1, True), (0.1, False)])
    assert fitted.scale == 0
    assert fitted(0.1) == fitted(0.9) == pytest.approx(1 / 3, abs=0.01)
