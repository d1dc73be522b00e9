"""Properties of all transition systems: derivations of trees, and trees of derivations."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prepared import SYSTEMS, heads, prepared_trees, reflection, system_name
from quick import core

from plcfrs.errors import InputError, TreebankError
from plcfrs.parsers.transition.gap import CompoundGap, Gap
from plcfrs.parsers.transition.settings import find_system
from plcfrs.parsers.transition.stack_and_queue import SkipShift, Swap
from plcfrs.parsers.transition.system import parse_transition, prepare
from plcfrs.transformation import Options, transform_all
from plcfrs.treebank import read_trees
from plcfrs.trees import Node, Token, Tree
from plcfrs.trees.heads import negra

each_system = core(1, "system", SYSTEMS, ids=system_name)
NATIVE = Options(attach_low=True, punctuation="low", pair_marks=True, head_rules=negra())


def comes_back(system, tree):
    built = system.build(system.oracle(tree), tree.tokens)
    return built == tree and heads(built) == heads(tree)


@given(prepared_trees())
def test_random_trees_come_back(tree):
    assert [system for system in SYSTEMS if not comes_back(system, tree)] == []


@pytest.mark.full
@pytest.mark.parametrize("kind", [Gap, CompoundGap, Swap, SkipShift])
def test_all_trees_of_the_treebanks_come_back(penn_treebank, potsdam, kind):
    trees = list(transform_all(penn_treebank))
    assert len(trees) == 3914
    for options in (Options(), NATIVE):
        trees += transform_all(read_trees(potsdam), options)
    assert len(trees) > 3914 + 2 * 2100
    assert max(tree.gap_degree() for tree in trees) > 1
    for tree in trees:
        prepared = prepare(tree, kind.binarization)
        assert all(comes_back(system, prepared) for system in SYSTEMS if type(system) is kind)


@pytest.mark.full
@core(1, "system", [Gap(), Swap(), SkipShift("right")], ids=system_name)
def test_long_sentences_need_no_recursion(system):
    words = [Token("a", "A")] * 1200
    tree = Tree(Node("ROOT", children=[*range(1200)], head=1199), words)
    tree = prepare(tree, system.binarization)
    derivation = system.oracle(tree)
    assert comes_back(system, tree)
    assert len(derivation) in (2 * 1200 - 1, 2 * 1200)


@given(st.sampled_from(SYSTEMS), prepared_trees(5), st.data())
def test_what_is_not_legal_or_not_complete_is_refused(system, tree, data):
    derivation = system.oracle(tree)
    cut = data.draw(st.integers(0, len(derivation) - 1))
    with pytest.raises(InputError, match="the derivation ends before"):
        system.build(derivation[:cut], tree.tokens)
    foreign = "FINISH" if isinstance(system, Gap) else "REDUCE-LEFT-ROOT"
    with pytest.raises(InputError, match=f"transition {cut + 1}, {foreign}, is not legal here"):
        system.build([*derivation[:cut], parse_transition(foreign)], tree.tokens)


@each_system
def test_trees_that_are_not_prepared_are_refused(system):
    with pytest.raises(TreebankError, match="ROOT is not binarized around its head: use prepare"):
        system.oracle(reflection())


def test_unknown_systems_and_orders_are_refused():
    with pytest.raises(
        InputError, match="'gaps' is not a transition system: choose from gap, cgap"
    ):
        find_system("gaps")
    with pytest.raises(InputError, match="'dist0' is not an order of tokens"):
        find_system("swap", "dist0")
