"""The normal form without touching ranges: same costs, and a way back."""

from itertools import islice, pairwise
from math import inf, isclose

import pytest
from grammar_strategies import grammars, sentences, sentences_of
from hypothesis import given, settings
from hypothesis import strategies as st
from naive.parser import best_cost, enumerate_derivations

from plcfrs.grammar import Grammar, Nonterminal, Rule, proper_gaps, tag

S, A, B = Nonterminal("S"), Nonterminal("A", 2), Nonterminal("B", 3)
X, Y = tag("x"), tag("y")
GRAMMARS_WITH_SENTENCES = grammars().flatmap(
    lambda grammar: st.tuples(st.just(grammar), sentences() | sentences_of(grammar))
)


def test_ranges_that_touch_are_one_range():
    rules = {
        Rule(S, (A,), ((0, 0),)): 3,
        Rule(S, (A, X), ((0, 1, 0),)): 1,
        Rule(A, (X, Y), ((0,), (1,))): 1,
        Rule(A, (A, X, Y), ((0, 1), (2, 0))): 1,
    }
    proper = proper_gaps(Grammar(rules, start=S))
    assert sorted(f"{rule} {p}" for rule, p in proper.grammar.probabilities().items()) == [
        "A(1+2) -> A_2 x y [0 1 2 0] 0.5",  # inside, the ranges of A are apart
        "A(1+2) -> x y [0 1] 0.5",
        "A_2 -> A_2 x y [0 1, 2 0] 0.5",
        "A_2 -> x y [0, 1] 0.5",
        "S -> A(1+2) [0] 0.75",
        "S -> A_2 x [0 1 0] 0.25",
    ]


def test_some_of_three_ranges_touch():
    rules = {
        Rule(S, (B, X), ((0, 0, 1, 0),)): 1,
        Rule(B, (A, X), ((0,), (1,), (0,))): 1,
        Rule(B, (A, X), ((0,), (0,), (1,))): 1,
        Rule(A, (X, Y), ((0,), (1,))): 1,
    }
    proper = proper_gaps(Grammar(rules, start=S))
    assert sorted(map(str, proper.grammar.rules)) == [
        "A(1+2) -> x y [0 1]",
        "A_2 -> x y [0, 1]",
        "B(1+2,3)_2 -> A(1+2) x [0, 1]",
        "B(1+2,3)_2 -> A_2 x [0 1, 0]",
        "S -> B(1+2,3)_2 x [0 1 0]",
    ]


@pytest.mark.parametrize(("count", "other_count"), [(1, 2), (2, 1)])
def test_of_two_rules_that_become_one_the_more_probable_stays(count, other_count):
    # For A(X,Y) both rules give the ranges x and y; where they touch the rules look the same.
    c = Nonterminal("C", 3)
    rules = {
        Rule(S, (A,), ((0, 0),)): 1,
        Rule(A, (c,), ((0, 0), (0,))): count,
        Rule(A, (c,), ((0,), (0, 0))): other_count,
        Rule(c, (X, X, X), ((0,), (1,), (2,))): 1,
    }
    proper = proper_gaps(Grammar(rules, start=S))
    assert sorted(proper.grammar.probabilities().values()) == [pytest.approx(2 / 3), 1, 1]
    ((_, derivation),) = enumerate_derivations(proper.grammar, [{X: 0.0}] * 3)
    kept = ((0,), (0, 0)) if other_count == 2 else ((0, 0), (0,))
    assert Rule(A, (c,), kept) in proper.restore(derivation).rules()


@given(grammars(touching=False))
def test_without_adjacent_variables_nothing_changes(grammar):
    proper = proper_gaps(grammar)
    assert proper.grammar is grammar
    assert proper.originals == {}


@given(grammars())
def test_all_gaps_are_real(grammar):
    proper = proper_gaps(grammar).grammar
    proper.check()
    for rule in proper.rules:
        for component in rule.yield_function:
            assert all(left != right for left, right in pairwise(component))


@settings(max_examples=200)
@given(GRAMMARS_WITH_SENTENCES)
def test_best_costs_stay(case):
    check_best_costs(*case)


@pytest.mark.full
@settings(max_examples=5000)
@given(GRAMMARS_WITH_SENTENCES)
def test_best_costs_stay_in_a_long_run(case):
    check_best_costs(*case)


def check_best_costs(grammar, sentence):
    proper = proper_gaps(grammar).grammar
    before, after = best_cost(grammar, sentence), best_cost(proper, sentence)
    assert isclose(before, after, rel_tol=1e-9, abs_tol=1e-12)


@settings(max_examples=200)
@given(st.data())
def test_restored_derivations_are_of_the_original_grammar(data):
    grammar = data.draw(grammars())
    sentence = data.draw(sentences_of(grammar, longest=4))
    proper = proper_gaps(grammar)
    costs = grammar.costs()
    found = list(islice(enumerate_derivations(proper.grammar, sentence), 50))
    assert found
    for cost, derivation in found:
        restored = proper.restore(derivation)
        assert cost < inf
        assert isclose(cost, sum(costs[rule] for rule in restored.rules()), abs_tol=1e-9)
        leaves = [node.nonterminal for node in restored.bottom_up() if not node.children]
        assert [{leaves[leaf]: 0.0} for leaf in restored.order()] == sentence
        assert restored.nonterminal == grammar.start
