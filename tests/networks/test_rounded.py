"""Layers of whole numbers, against the same layers with decimal fractions."""

import numpy as np
import pytest

from plcfrs.networks.quantization import Quantized, rows_of
from plcfrs.networks.rounded import RoundedLinear, linear_layer

RANDOM = np.random.default_rng(1)
ROWS = RANDOM.normal(size=(9, 40)).astype(np.float32)
BIASES = [RANDOM.normal(size=size).astype(np.float32) for size in (5, 3)]


def matrices(bits):
    floats = [RANDOM.normal(size=(len(bias), 40)).astype(np.float32) for bias in BIASES]
    return [Quantized.of(each, bits) for each in floats]


@pytest.mark.parametrize("bits", [2, 6, 8])
def test_outputs_are_nearly_those_of_the_same_weights(bits):
    weights = matrices(bits)
    expected = linear_layer(list(map(rows_of, weights)), BIASES)(ROWS)
    outputs = linear_layer(weights, BIASES)(ROWS)
    assert outputs.dtype == np.float32
    # Each input is off by half a step at most.
    steps = (ROWS.max(1) - ROWS.min(1)) / (129 if bits == 8 else 255)
    sizes = np.concatenate([np.abs(each.rows()).sum(1) for each in weights])
    assert (np.abs(outputs - expected) <= np.outer(steps, sizes) / 2 + 1e-5).all()
    assert np.abs(outputs - expected).max() > 0  # they are rounded


def test_a_row_does_not_depend_on_others():
    layer = linear_layer(matrices(6), BIASES)
    alone = np.vstack([layer(row[None]) for row in ROWS])
    assert np.array_equal(layer(ROWS), alone)
    assert layer(ROWS[:0]).shape == (0, 8)


@pytest.mark.parametrize("bits", [6, 7, 8])
def test_the_largest_numbers_have_exact_products(bits):
    weights = Quantized.of(np.full((2, 64), -3, np.float32), bits)
    rows = np.full((1, 64), 5, np.float32)
    rows[0, 0] = 0
    outputs = RoundedLinear([weights], np.zeros(2, np.float32))(rows)
    np.testing.assert_allclose(outputs, [[-3 * 5 * 63] * 2], rtol=1e-6)


def test_equal_inputs():
    layer = RoundedLinear([Quantized.of(np.ones((1, 8), np.float32), 4)], np.float32([1]))
    np.testing.assert_allclose(layer(np.float32([[2] * 8, [0] * 8])), [[17], [1]], rtol=1e-6)
