"""Inside and outside sums: against enumeration, their equations, their limits, closed forms."""

from itertools import pairwise
from math import exp, inf, isclose, lgamma, log

import numpy as np
import pytest
from grammar_strategies import grammars
from hypothesis import given
from hypothesis import strategies as st
from naive.parser import enumerate_derivations
from naive.sums import (
    STRATEGIES,
    apply_equations,
    edges_by_hand,
    enumerate_sums,
    forests,
    inside_limits,
    with_cycles,
    with_sentences,
    without_unary_cycles,
)
from quick import core, examples

from plcfrs.budget import UNLIMITED
from plcfrs.chart import ChartParser
from plcfrs.chart.forest import constituent_posteriors, expected_rule_counts, inside_outside
from plcfrs.chart.kernel.sums import sum_inside, sum_outside
from plcfrs.errors import GrammarError
from plcfrs.grammar import Grammar, Nonterminal, Rule, binarize, tag
from plcfrs.trees.tree import span_of

S, T = Nonterminal("S"), Nonterminal("T")
A, B = tag("a"), tag("b")
AMBIGUOUS = Grammar({Rule(S, (S, S), ((0, 1),)): 2, Rule(S, (A,), ((0,),)): 3}, start=S)


ACYCLIC = with_sentences(grammars(touching=False).map(without_unary_cycles))
CYCLIC = with_sentences(with_cycles(7))
NEARLY_ENDLESS = with_sentences(with_cycles(1e12))


def close(expected):
    return pytest.approx(expected, rel=1e-9, abs=0)


@examples(1000)
@given(ACYCLIC)
def test_sums_over_all_derivations(case):
    grammar, sentence = case
    expected = enumerate_sums(binarize(grammar), sentence)
    costs = [cost for cost, _ in enumerate_derivations(grammar, sentence)]
    assert expected.probability == close(sum(exp(-cost) for cost in costs))
    found = forests(grammar, sentence)
    assert bool(found) == bool(expected.derivations)
    for forest in found:
        sums = inside_outside(forest)
        assert exp(sums.log_probability) == close(expected.probability)
        assert expected_rule_counts(forest, sums) == close(expected.rules)
        assert constituent_posteriors(forest, sums.posterior) == close(
            {
                item: posterior
                for item, posterior in expected.items.items()
                if item[0].kind != "intermediate"
            }
        )


@examples(60)
@given(with_sentences(grammars().map(without_unary_cycles)))
def test_expected_counts_are_of_the_rules_of_the_grammar(case):
    """Also if ranges touch, and the forest is that of another grammar."""
    grammar, sentence = case
    expected = enumerate_sums(binarize(grammar), sentence)
    found = ChartParser(binarize(grammar), budget=UNLIMITED).expectations(sentence)
    if not expected.derivations:
        assert found is None
        return
    assert exp(found.log_probability) == close(expected.probability)
    assert found.rule_counts == close(expected.rules)
    assert found.lost_mass == 0


@pytest.mark.full
@examples(60)
@given(with_sentences(grammars().map(without_unary_cycles)))
def test_probabilities_where_ranges_touch(case):
    grammar, sentence = case
    expected = enumerate_sums(grammar, sentence).probability
    for forest in forests(grammar, sentence):
        assert exp(inside_outside(forest).log_probability) == close(expected)


@examples(60)
@given(NEARLY_ENDLESS, st.sampled_from([0.0, 1.0, inf]))
def test_equations_hold_in_unary_cycles(case, log_ratio):
    for forest in forests(*case, log_ratio):
        sums = inside_outside(forest)
        inside, outside = apply_equations(forest, sums)
        assert list(sums.inside) == pytest.approx(inside, rel=0, abs=1e-9)
        for found, expected in zip(sums.outside, outside, strict=True):
            assert found == expected or isclose(found, expected, rel_tol=0, abs_tol=1e-9)


@examples(60)
@given(CYCLIC)
def test_sums_are_the_limits_of_iteration(case):
    grammar, sentence = case
    grammar = binarize(grammar)
    for forest in forests(grammar, sentence):
        limits = {
            (symbol, span_of([i for left, right in ranges for i in range(left, right)])): limit
            for (symbol, ranges), limit in inside_limits(grammar, sentence).items()
            if all(one[1] < other[0] for one, other in pairwise(ranges))
        }
        symbols = list(forest.compiled.labels)
        items = [
            (symbols[label], int(bits[0]))
            for label, bits in zip(forest.label, forest.bits, strict=True)
        ]
        for item, inside in zip(items, inside_outside(forest).inside, strict=True):
            assert exp(inside) == close(limits[item])


@examples(60)
@given(CYCLIC, st.sampled_from([0.0, 0.5, 2.0]))
def test_strategies_agree_and_a_ceiling_leaves_less(case, log_ratio):
    full = forests(*case)
    several = [inside_outside(forest) for forest in full]
    for one, other in pairwise(full):
        assert several[0].log_probability == pytest.approx(several[1].log_probability, abs=1e-9)
        counts = expected_rule_counts(other, several[1])
        assert expected_rule_counts(one, several[0]) == close(counts)
        posteriors = constituent_posteriors(other, several[1].posterior)
        assert constituent_posteriors(one, several[0].posterior) == close(posteriors)
    for forest, whole in zip(forests(*case, log_ratio), several, strict=True):
        part = inside_outside(forest).log_probability
        assert -forest.cost[forest.goal] - 1e-9 <= part <= whole.log_probability + 1e-9


@examples(60)
@given(NEARLY_ENDLESS, st.sampled_from([0.0, 1.0, inf]))
def test_posteriors_add_up(case, log_ratio):
    _, sentence = case
    for forest in forests(*case, log_ratio):
        sums = inside_outside(forest)
        constituents = constituent_posteriors(forest, sums.posterior)
        for position in range(len(sentence)):
            tags = [
                p
                for (s, span), p in constituents.items()
                if (s.kind, span) == ("tag", 1 << position)
            ]
            assert sum(tags) == close(1)
        starts = pairwise(forest.edge_start)
        edges = [sums.edge_posterior[start:end].sum() for start, end in starts]
        assert list(sums.posterior) == close(edges)
        goals = forest.component == forest.component[forest.goal]
        if sum(goals) == 1 and forest.goal not in below_itself(forest):
            assert sums.posterior[forest.goal] == close(1)


def below_itself(forest):
    """Return the items that have an edge to themselves."""
    starts = pairwise(forest.edge_start)
    return {item for item, (start, end) in enumerate(starts) if item in forest.edge_left[start:end]}


def test_a_cycle_by_hand():
    # Any number of S -> T -> S, each time with 1/2 * 1/4: 1/2 * 8/7 = 4/7, and T -> a in S -> T.
    rules = [Rule(S, (T,), ((0,),)), Rule(S, (A,), ((0,),))]
    rules += [Rule(T, (S,), ((0,),)), Rule(T, (A,), ((0,),))]
    grammar = Grammar(dict(zip(rules, [1, 1, 1, 3], strict=True)), start=S)
    for forest in forests(grammar, [{A: 0.0}]):
        sums = inside_outside(forest)
        assert exp(sums.log_probability) == close((1 / 2 + 1 / 2 * 3 / 4) * 8 / 7)
        assert constituent_posteriors(forest, sums.posterior) == close(
            {(S, 1): 8 / 7, (T, 1): 4 / 7, (A, 1): 1}
        )
        assert expected_rule_counts(forest, sums) == close(
            dict(zip(rules, [4 / 7, 4 / 7, 1 / 7, 3 / 7], strict=True))
        )


def test_a_rule_from_a_symbol_to_itself():
    grammar = Grammar({Rule(S, (S,), ((0,),)): 999, Rule(S, (A,), ((0,),)): 1}, start=S)
    for forest in forests(grammar, [{A: log(2)}]):
        sums = inside_outside(forest)
        assert exp(sums.log_probability) == close(1 / 2)
        assert constituent_posteriors(forest, sums.posterior) == close({(S, 1): 1000, (A, 1): 1})


@core(1, "back", [0.6, 1.0])
def test_a_sum_that_is_infinite(back):
    rules = {Rule(S, (T,), ((0,),)): 1.0, Rule(S, (S,), ((0,),)): 0.4, Rule(S, (A,), ((0,),)): 0.3}
    rules[Rule(T, (S,), ((0,),))] = back
    grammar = Grammar(rules, start=S, weights="probabilities")
    for forest in forests(grammar, [{A: 0.0}]):
        with pytest.raises(GrammarError, match=r"sum over the derivations of [ST] is infinite"):
            inside_outside(forest)


@core(2, "strategy", STRATEGIES)
@core(2, "length", [1, 2, 3, 100, pytest.param(200, marks=pytest.mark.full)])
def test_all_binary_trees_over_a_sentence(length, strategy):
    forest = ChartParser(AMBIGUOUS, strategy, UNLIMITED).forest([{A: 0.0}] * length)
    sums = inside_outside(forest)
    catalan = lgamma(2 * length - 1) - lgamma(length) - lgamma(length + 1)
    expected = catalan + (length - 1) * log(0.4) + length * log(0.6)
    assert sums.log_probability == pytest.approx(expected, rel=0, abs=1e-9)
    binary, lexical = AMBIGUOUS.rules
    counts = expected_rule_counts(forest, sums)
    assert counts.get(binary, 0) == close(length - 1)
    assert counts[lexical] == close(length)


def sums_by_hand(edges, goal):
    inside, outside = np.empty(len(edges.component)), np.empty(len(edges.component))
    assert sum_inside(edges, inside) == -1
    sum_outside(edges, goal, inside, outside)
    return np.exp(inside), np.exp(outside)


def test_two_edges_of_one_item():
    # Two words, 2 over both of them; 3 over 0 alone is in no complete derivation.
    edges = edges_by_hand(
        [0, 1, 2, 3],
        [(0, -1, -1, 0.5), (1, -1, -1, 0.25), (2, 0, 1, 0.5), (2, 1, 0, 0.25), (3, 0, -1, 0.75)],
    )
    inside, outside = sums_by_hand(edges, 2)
    assert inside == pytest.approx([0.5, 0.25, 0.75 / 8, 0.375])
    assert outside == pytest.approx([0.75 * 0.25, 0.75 * 0.5, 1, 0])


RING = [(0, -1, -1, 1.0), (1, 0, -1, 0.5), (1, 3, -1, 0.5), (2, 1, -1, 0.5), (2, 2, -1, 0.15)]
RING += [(2, 2, -1, 0.1)]  # the same step again, by another rule


def test_a_ring_with_a_loop():
    """The sums are those of the linear system, solved by NumPy."""
    edges = edges_by_hand(
        [0, 1, 1, 1, 2], [*RING, (3, 2, -1, 0.9), (4, 2, -1, 0.1), (4, 3, -1, 0.2)]
    )
    inside, outside = sums_by_hand(edges, 4)
    unary = np.array([[0, 0, 0.5], [0.5, 0.25, 0], [0, 0.9, 0]])
    below, above = np.array([0.5, 0, 0]), np.array([0, 0.1, 0.2])
    ring = np.linalg.solve(np.eye(3) - unary, below)
    assert inside == pytest.approx([1, *ring, ring @ above])
    ring = np.linalg.solve(np.eye(3) - unary.T, above)
    assert outside == pytest.approx([ring @ below, *ring, 1])


@core(1, "probability", [1.5, 4.0])  # 0.5 * 0.5 * 1.5 * 4 / 3 is a half
def test_a_ring_that_does_not_converge(probability):
    edges = edges_by_hand([0, 1, 1, 1], [*RING, (3, 2, -1, probability)])
    failed = sum_inside(edges, np.empty(4))
    assert (failed >= 0) == (probability > 3)


def test_sums_too_small_for_a_number():
    """A chain of 2,000 unary rules of probability 0.5, with a loop at the top."""
    chain = [(0, -1, -1, 0.5), *((item, item - 1, -1, 0.5) for item in range(1, 2000))]
    edges = edges_by_hand(list(range(2000)), [*chain, (1999, 1999, -1, 0.5)])
    inside, outside = np.empty(2000), np.empty(2000)
    assert sum_inside(edges, inside) == -1
    sum_outside(edges, 1999, inside, outside)
    assert inside[-1] == pytest.approx(1999 * np.log(0.5))
    assert inside + outside == pytest.approx([1999 * np.log(0.5)] * 1999 + [1998 * np.log(0.5)])
