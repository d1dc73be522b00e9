"""Sums over chains of steps, against the inverse of a matrix."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from plcfrs.grammar import Nonterminal
from plcfrs.prefix.compile import closure, components
from plcfrs.prefix.partial import PrefixNode

NODES = [PrefixNode(Nonterminal(name), 1) for name in "ABCDEF"]


@st.composite
def steps(draw):
    """Steps whose weights from each node sum to less than 1."""
    found = {}
    for node in draw(st.lists(st.sampled_from(NODES), unique=True)):
        targets = draw(st.lists(st.sampled_from(NODES), min_size=1, max_size=3, unique=True))
        found[node] = {target: draw(st.floats(0.01, 0.3)) for target in targets}
    return found


@given(steps())
def test_the_inverse(steps):
    matrix = np.zeros((len(NODES), len(NODES)))
    for node, row in steps.items():
        for target, weight in row.items():
            matrix[NODES.index(node), NODES.index(target)] = weight
    expected = np.linalg.inv(np.eye(len(NODES)) - matrix)
    for node, row in closure(steps).items():
        for number, target in enumerate(NODES):
            assert np.isclose(row.get(target, 0.0), expected[NODES.index(node), number])


@given(steps())
def test_each_set_is_after_all_that_it_reaches(steps):
    seen = set()
    for component in components(steps):
        seen |= set(component)
        assert all(set(steps.get(node, ())) <= seen for node in component)
    assert seen == {*steps, *(target for row in steps.values() for target in row)}
