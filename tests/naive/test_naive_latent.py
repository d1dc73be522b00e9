"""The reference for substates itself, on cases worked by hand."""

from math import log

import pytest

from naive.latent import (
    Event,
    Model,
    Sums,
    assignments,
    edges_of,
    events_of,
    expected_counts,
    likelihood,
    maximize,
    merge_loss,
    product_of,
    rule_product,
    rule_sum,
    sums_of,
    totals,
)
from plcfrs.grammar import Derivation, Nonterminal, Rule, tag

S, T, VP = Nonterminal("S"), Nonterminal("T"), Nonterminal("VP", 2)
A, B = tag("a"), tag("b")
ONE = Rule(S, (A,), ((0,),))
TREE = Derivation(S, ((0,),), (Derivation(A),))
TWO_STATES = Model(
    {S: 1, A: 2},
    {
        ONE: {(0, 0): 0.25, (0, 1): 0.75},
        (A, "x"): {(0,): 0.5, (1,): 0.1},
        (A, "y"): {(0,): 0.5, (1,): 0.9},
    },
)


def test_events_of_a_discontinuous_tree():
    inner = Derivation(VP, ((0,), (1,)), (Derivation(A), Derivation(B)))
    tree = Derivation(S, ((0, 1, 0),), (inner, Derivation(A)))
    events = events_of(tree, ["x", "y", "z"])
    assert events == [
        Event((A, "x"), (0,)),
        Event((B, "z"), (1,)),
        Event(inner.rule, (2, 0, 1)),
        Event((A, "y"), (3,)),
        Event(tree.rule, (4, 2, 3)),
    ]
    assert edges_of(tree, ["x", "y", "z"])[2] == (inner.rule, (0b101, 0b001, 0b100))


def test_two_states_of_a_tag():
    trees = [events_of(TREE, ["x"]), events_of(TREE, ["y"])]
    assert [p for _, p in assignments(TWO_STATES, trees[0])] == pytest.approx([0.125, 0.075])
    assert [likelihood(TWO_STATES, tree) for tree in trees] == pytest.approx([0.2, 0.8])
    counts = expected_counts(TWO_STATES, trees)
    assert counts[A, "x"] == pytest.approx({(0,): 0.625, (1,): 0.375})
    assert counts[A, "y"] == pytest.approx({(0,): 0.15625, (1,): 0.84375})
    assert counts[ONE] == pytest.approx({(0, 0): 0.78125, (0, 1): 1.21875})
    new = maximize(TWO_STATES, counts)
    assert new.probability[ONE][0, 0] == pytest.approx(0.390625)
    assert new.probability[A, "x"][0,] == pytest.approx(0.8)
    assert totals(new) == pytest.approx({(S, 0): 1, (A, 0): 1, (A, 1): 1})


def test_the_loss_of_a_merge():
    trees = [events_of(TREE, ["x"]), events_of(TREE, ["y"])]
    mean_of_x = 0.390625 * 0.5 + 0.609375 * 0.1
    expected = log(0.2 / mean_of_x) + log(0.8 / (1 - mean_of_x))
    assert merge_loss(TWO_STATES, trees, A, 0, 1) == pytest.approx(expected)


def test_sums_of_two_derivations():
    model = Model(
        {S: 1, T: 2, A: 1},
        {
            ONE: {(0, 0): 0.1},
            Rule(S, (T,), ((0,),)): {(0, 0): 0.3, (0, 1): 0.6},
            Rule(T, (A,), ((0,),)): {(0, 0): 1.0, (1, 0): 1.0},
            (A, "x"): {(0,): 0.5},
        },
    )
    over_t = Derivation(S, ((0,),), (Derivation(T, ((0,),), (Derivation(A),)),))
    sums = sums_of(model, [TREE, over_t], ["x"])
    assert sums.probability == pytest.approx(0.5)
    assert sums.best == pytest.approx(0.3)
    assert sums.posteriors == pytest.approx(
        {
            (ONE, (1, 1)): 0.1,
            (over_t.rule, (1, 1)): 0.9,
            (over_t.children[0].rule, (1, 1)): 0.9,
            ((A, "x"), (1,)): 1,
        }
    )
    assert rule_product(over_t, sums.posteriors) == pytest.approx(0.81)
    assert rule_sum(over_t, sums.posteriors) == pytest.approx(1.8)


def test_the_product_of_two_grammars():
    edge = ONE, (1, 1)
    assert product_of([Sums(1, 1, {edge: 0.9}), Sums(1, 1, {edge: 0.4})]) == pytest.approx(
        {edge: 0.6}
    )
