"""The kernels' transition systems against the reference: random walks through both at once."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from prepared import SYSTEMS, heads, prepared_trees, system_name
from quick import core
from walks import KINDS, Walk, name_of

from plcfrs.parsers.transition.gap import CompoundGap
from plcfrs.parsers.transition.system import printed_tree
from plcfrs.trees import Token

each_system = core(1, "system", KINDS, ids=system_name)
in_each_order = pytest.mark.parametrize("system", SYSTEMS, ids=system_name)


def check_walk(system, trees, length, choose):
    """Walk by transitions chosen among the legal ones; both must agree on them, and on the tree."""
    transitions = system.inventory(map(system.oracle, trees))
    if name_of(system) == "cgap":
        system = CompoundGap(max(each.count for each in transitions))
    walk = Walk(system, transitions, [Token(f"w{n}", "XY") for n in range(length)])
    while not walk.is_final():
        legal = walk.legal()
        assert legal == walk.legal_in_reference(), walk.past
        assert legal, f"a dead end: {walk.past}"
        walk.go(choose(sorted(legal, key=str)))
    assert system.is_final(walk.configuration)
    expected = printed_tree(system.build(walk.past, walk.tokens))
    found = walk.tree()
    assert found == expected
    assert heads(found) == heads(expected)


@each_system
@given(trees=st.lists(prepared_trees(7), min_size=1, max_size=4), data=st.data())
def test_random_walks(system, trees, data):
    length = data.draw(st.integers(1, 9))
    check_walk(system, trees, length, lambda legal: data.draw(st.sampled_from(legal)))


@pytest.mark.full
@in_each_order
@given(
    trees=st.lists(prepared_trees(9), min_size=1, max_size=8),
    length=st.integers(1, 16),
    seed=st.integers(0, 2**32),
)
def test_random_walks_in_a_long_run(system, trees, length, seed):
    random = np.random.default_rng(seed)
    for _ in range(20):
        check_walk(system, trees, length, lambda legal: legal[random.integers(len(legal))])


@each_system
@given(tree=prepared_trees())
def test_the_oracle_is_legal_and_gives_the_tree_back(system, tree):
    derivation = system.oracle(tree)
    walk = Walk(system, system.inventory([derivation]), tree.tokens)
    for transition in derivation:
        assert transition in walk.legal()
        walk.go(transition)
    assert walk.is_final()
    assert walk.tree() == printed_tree(tree)
