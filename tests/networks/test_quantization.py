"""Matrices with few bits: rounding by hand, packing, and what is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from quick import examples
from stored import REFUSED, reread

from plcfrs.errors import InputError
from plcfrs.networks.quantization import Quantized, quantized


@examples(60)
@given(
    st.integers(2, 8),
    st.integers(1, 6),
    st.integers(1, 30),
    st.integers(0, 2**32 - 1),
    st.booleans(),
)
def test_rows_are_rounded(bits, rows, columns, seed, has_zeros):
    random = np.random.default_rng(seed)
    scale = random.choice([1e-8, 1, 1e6], (rows, 1))
    matrix = (random.standard_normal((rows, columns)) * scale).astype(np.float32)
    if has_zeros:
        matrix[0] = 0
    packed = Quantized.of(matrix, bits)
    packed.check()
    assert packed.shape == matrix.shape
    assert packed.packed.nbytes == rows * bits * -(-columns // 8)
    most = 2 ** (bits - 1) - 1
    steps = np.abs(matrix).max(1, keepdims=True) / most
    expected = [
        [step * round(x / step) if step else 0 for x in row]
        for row, (step,) in zip(matrix.tolist(), steps.tolist(), strict=True)
    ]
    found = packed.rows()
    assert found.dtype == np.float32
    assert (np.abs(found - matrix) <= steps * 0.5001).all()
    is_half = np.abs(np.abs(matrix - found) - steps / 2) < steps * 1e-4  # either way is right
    close = np.isclose(found, expected, rtol=1e-5, atol=0)
    assert (close | is_half).all()
    some = random.integers(0, rows, 4)
    assert np.array_equal(packed.rows(some), found[some])
    again = Quantized.of(found, bits)
    np.testing.assert_allclose(again.rows(), found, rtol=1e-6)


def test_only_large_matrices():
    arrays = {
        "large": np.ones((64, 64), np.float32),
        "small": np.ones((63, 64), np.float32),
        "bias": np.ones(5000, np.float32),
    }
    found = quantized(arrays, 6)
    assert {name: type(each).__name__ for name, each in found.items()} == {
        "large": "Quantized",
        "small": "ndarray",
        "bias": "ndarray",
    }
    assert quantized(found, 4)["large"].bits == 4  # of fewer bits still
    for bits in (1, 9):
        with pytest.raises(InputError, match="expected 2 to 8 bits"):
            quantized(arrays, bits)


def test_damaged():
    matrix = Quantized.of(np.ones((4, 20), np.float32), 6)
    for texts in ({"bits": 9}, {"bits": 1}, {"bits": 5}, {"columns": 25}, {"columns": 0}):
        with pytest.raises(REFUSED):
            reread(matrix, texts)
    for arrays in (
        {"scales": matrix.scales[:-1]},
        {"scales": np.float32([1, np.nan, 1, 1])},
        {"scales": np.float32([1, 1e30, 1, 1])},
        {"packed": matrix.packed[:, :-1]},
        {"packed": matrix.packed.astype(np.int8)},
        {"packed": None},
    ):
        with pytest.raises(REFUSED):
            reread(matrix, arrays=arrays)
    assert np.array_equal(reread(matrix).rows(), matrix.rows())
