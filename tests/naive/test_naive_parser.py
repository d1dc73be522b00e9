"""The reference itself, on cases worked by hand."""

from math import inf, log

import pytest

from naive.parser import best_cost, best_costs, compose, enumerate_derivations
from plcfrs.grammar import Grammar, Nonterminal, Rule, tag

S, T, U = (Nonterminal(name) for name in "STU")
VP, P = Nonterminal("VP", 2), Nonterminal("P", 2)
A, B, C = (tag(name) for name in "abc")
AMBIGUOUS = Grammar({Rule(S, (S, S), ((0, 1),)): 1, Rule(S, (A,), ((0,),)): 3}, start=S)
SPLIT = Grammar(
    {Rule(S, (VP, B), ((0, 1, 0),)): 1, Rule(VP, (A, C), ((0,), (1,))): 1},
    start=S,
)


def given(tags: str):
    return [{tag(name): 0.0} for name in tags]


def test_composition_concatenates_ranges_that_meet():
    rule = Rule(S, (VP, B), ((0, 1, 0),))
    assert compose(rule, [((0, 1), (2, 3)), ((1, 2),)]) == ((0, 3),)
    assert compose(rule, [((0, 1), (3, 4)), ((1, 2),)]) is None


def test_ranges_of_an_item_may_touch_but_not_cross():
    rule = Rule(VP, (A, B), ((0,), (1,)))
    assert compose(rule, [((0, 1),), ((1, 2),)]) == ((0, 1), (1, 2))
    assert compose(rule, [((1, 2),), ((0, 1),)]) is None
    assert compose(rule, [((0, 2),), ((1, 3),)]) is None


def test_all_items_of_a_discontinuous_sentence():
    items = best_costs(SPLIT, given("abc"))
    assert items == {
        (A, ((0, 1),)): 0,
        (B, ((1, 2),)): 0,
        (C, ((2, 3),)): 0,
        (VP, ((0, 1), (2, 3))): 0,
        (S, ((0, 3),)): 0,
    }


def test_order_of_words_matters():
    assert best_cost(SPLIT, given("acb")) == inf
    assert best_cost(SPLIT, given("cba")) == inf


def test_touching_ranges_are_joined():
    grammar = Grammar(
        {Rule(S, (VP,), ((0, 0),)): 1, Rule(VP, (A, B, C), ((0,), (1, 2))): 1}, start=S
    )
    assert best_cost(grammar, given("abc")) == 0
    assert best_cost(grammar, given("ab")) == inf


def test_cost_and_number_of_parses_of_an_ambiguous_sentence():
    # n words: every binary tree over them has n - 1 rules S -> S S and n rules S -> a.
    for length, catalan in [(1, 1), (2, 1), (3, 2), (4, 5), (5, 14)]:
        cost = (length - 1) * log(4) - length * log(3 / 4)
        sentence = given("a" * length)
        assert best_cost(AMBIGUOUS, sentence) == pytest.approx(cost)
        found = list(enumerate_derivations(AMBIGUOUS, sentence))
        assert len(found) == len(set(found)) == catalan
        assert [cost for cost, _ in found] == pytest.approx([cost] * catalan)


def test_costs_of_tags_count():
    rules = {Rule(S, (A,), ((0,),)): 1, Rule(S, (B,), ((0,),)): 1}
    found = enumerate_derivations(Grammar(rules, start=S), [{A: 2.5, B: 0.5, C: 0}])
    assert {derivation.children[0].nonterminal: cost for cost, derivation in found} == {
        A: pytest.approx(2.5 + log(2)),
        B: pytest.approx(0.5 + log(2)),
    }


def test_unary_cycles_end():
    # S -> T -> S -> ... : S over T over a, or S over U over a; T over S over U is a detour of S.
    rules = [Rule(S, (T,), ((0,),)), Rule(S, (U,), ((0,),)), Rule(T, (S,), ((0,),))]
    rules += [Rule(T, (A,), ((0,),)), Rule(U, (A,), ((0,),))]
    grammar = Grammar(dict.fromkeys(rules, 1), start=S)
    assert best_cost(grammar, given("a")) == pytest.approx(log(2))
    found = sorted(cost for cost, _ in enumerate_derivations(grammar, given("a")))
    assert found == pytest.approx([log(2), 2 * log(2)])


def test_a_rule_of_rank_three_with_a_child_around_the_others():
    rules = {
        Rule(S, (B, P, C), ((1, 0, 1, 2),)): 1,
        Rule(P, (A, A), ((0,), (1,))): 1,
    }
    grammar = Grammar(rules, start=S)
    assert best_cost(grammar, given("abac")) == 0
    ((_, derivation),) = enumerate_derivations(grammar, given("abac"))
    # Leaves from left to right are b, then a and a of P, then c.
    assert derivation.order() == [1, 0, 2, 3]
    assert best_cost(grammar, given("baac")) == inf
