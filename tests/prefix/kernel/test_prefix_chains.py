"""Sums over chains of steps by iteration, against the inverse of a matrix."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plcfrs.jit import kernel
from plcfrs.prefix.kernel.predicting import sum_steps


@kernel
def called(order, starts, nodes, weights, given, sums, waiting):
    """Let a kernel call the inner kernel, for the second row."""
    sum_steps(order, starts, nodes, weights, given, sums, 1, waiting)


@given(
    st.integers(1, 6).flatmap(
        lambda size: st.tuples(
            st.permutations(range(size)),
            st.lists(
                st.lists(st.sampled_from([0.0, 0.0, 0.1, 0.9]), min_size=size, max_size=size),
                min_size=size,
                max_size=size,
            ),
            st.lists(st.sampled_from([0.0, 1.0, 1e-9]), min_size=size, max_size=size),
        )
    )
)
def test_the_inverse(steps):
    order, rows, start = steps
    matrix = np.array(rows)
    matrix /= np.maximum(1.0, 1.1 * matrix.sum(axis=1, keepdims=True))
    reached = [matrix[node].nonzero()[0] for node in order]
    sums, waiting = np.ones((3, len(order))), np.zeros(len(order))
    called(
        np.array(order, np.int32),
        np.cumsum([0, *map(len, reached)]).astype(np.int32),
        np.concatenate(reached).astype(np.int32),
        np.concatenate([matrix[node, to] for node, to in zip(order, reached, strict=True)]),
        np.array(start),
        sums,
        waiting,
    )
    expected = np.linalg.solve((np.eye(len(order)) - matrix).T, np.array(start))
    assert sums[1] == pytest.approx(expected, rel=1e-12, abs=1e-300)
    assert (sums[[0, 2]] == 1).all()
    assert not waiting.any()
