"""The normal form without touching ranges: the same derivations, and a way back."""

from collections import defaultdict
from itertools import pairwise
from math import isclose

import pytest
from grammar_strategies import COUNTS, TAGS, grammars, sentences, sentences_of
from hypothesis import given
from hypothesis import strategies as st
from naive.parser import best_cost, enumerate_derivations
from quick import examples

from plcfrs.grammar import Grammar, Nonterminal, Rule, proper_gaps, tag

S, A, B = Nonterminal("S"), Nonterminal("A", 2), Nonterminal("B", 3)
X, Y, Z = tag("x"), tag("y"), tag("z")
GRAMMARS_WITH_SENTENCES = grammars().flatmap(
    lambda grammar: st.tuples(st.just(grammar), sentences() | sentences_of(grammar))
)


@st.composite
def grammars_with_twins(draw):
    """Random grammars with rules that differ only in where touching ranges are separate."""
    grammar = draw(grammars())
    children = st.sampled_from([*TAGS, *grammar.nonterminals()])
    rhs = tuple(draw(st.lists(children, min_size=2, max_size=3))) + TAGS[:1]
    variables = draw(
        st.permutations([i for i, child in enumerate(rhs) for _ in range(child.fanout)])
    )
    twins = Nonterminal("T", 2)
    for cut in draw(st.sets(st.sampled_from(range(1, len(variables))), min_size=2)):
        twin = Rule(twins, rhs, (tuple(variables[:cut]), tuple(variables[cut:])))
        grammar.rules[twin] = draw(COUNTS)
    grammar.rules[Rule(S, (twins,), ((0, 0),))] = 1
    grammar.rules[Rule(S, (twins, S), ((0, 0, 1),))] = 1
    return grammar


WITH_SHORT_SENTENCES = (grammars() | grammars_with_twins()).flatmap(
    lambda grammar: st.tuples(st.just(grammar), sentences_of(grammar, longest=5))
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
        "A(1&2) -> A_2 x y [0 1 2 0] 0.5",  # inside, the ranges of A are separate
        "A(1&2) -> x y [0 1] 0.5",
        "A_2 -> A_2 x y [0 1, 2 0] 0.5",
        "A_2 -> x y [0, 1] 0.5",
        "S -> A(1&2) [0] 0.75",
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
        "A(1&2) -> x y [0 1]",
        "A_2 -> x y [0, 1]",
        "B(1&2,3)_2 -> A(1&2) x [0, 1]",
        "B(1&2,3)_2 -> A_2 x [0 1, 0]",
        "S -> B(1&2,3)_2 x [0 1 0]",
    ]


def test_of_two_rules_that_become_one_the_second_is_of_a_copy():
    # For A(X,Y) the rules give the ranges x and y z, or x y and z; if they touch they look the
    # same.
    rules = {
        Rule(S, (A,), ((0, 0),)): 1,
        Rule(A, (B,), ((0, 0), (0,))): 2,
        Rule(A, (B,), ((0,), (0, 0))): 1,
        Rule(B, (X, Y, Z), ((0,), (1,), (2,))): 1,
    }
    grammar = Grammar(rules, start=S)
    proper = proper_gaps(grammar)
    assert {str(rule): p for rule, p in proper.grammar.rules.items()} == {
        "S -> A(1&2) [0]": 1,
        "A(1&2) -> B(1&2&3) [0]": 2 / 3,
        "A(1&2) -> A(1&2)' [0]": 1 / 3,
        "A(1&2)' -> B(1&2&3) [0]": 1,
        "B(1&2&3) -> x y z [0 1 2]": 1,
    }
    sentence = [{X: 0.0}, {Y: 0.0}, {Z: 0.0}]
    found = sorted(enumerate_derivations(proper.grammar, sentence))
    restored = [(cost, proper.undo_proper(derivation)) for cost, derivation in found]
    assert restored == sorted(enumerate_derivations(grammar, sentence))
    assert [list(rules)[1:3].index(derivation.rules()[1]) for _, derivation in restored] == [0, 1]


def test_three_rules_become_one_below_others():
    c = Nonterminal("C", 4)
    rules = {
        Rule(S, (A, S), ((0, 0, 1),)): 1,
        Rule(S, (X,), ((0,),)): 1,
        Rule(A, (c, X), ((0, 0, 0), (0, 1))): 1,
        Rule(A, (c, X), ((0, 0), (0, 0, 1))): 2,
        Rule(A, (c, X), ((0,), (0, 0, 0, 1))): 3,
        Rule(A, (X, X), ((0,), (1,))): 4,
        Rule(c, (X, Y, X, Y), ((0,), (1,), (2,), (3,))): 1,
    }
    grammar = Grammar(rules, start=S)
    symbols = proper_gaps(grammar).grammar.nonterminals()
    assert [str(symbol) for symbol in symbols if "'" in str(symbol)] == ["A(1&2)'", "A(1&2)''"]
    for letters, number in (("xyxyxx", 3), ("xxxyxyxx", 3), ("xyxyxxyxyxx", 9)):
        assert check_derivations(grammar, [{tag(letter): 0.0} for letter in letters]) == number


def test_new_symbols_have_new_names():
    taken = Nonterminal("A(1&2)")
    rules = {
        Rule(S, (A,), ((0, 0),)): 1,
        Rule(S, (taken,), ((0,),)): 1,
        Rule(A, (B,), ((0, 0), (0,))): 2,
        Rule(A, (B,), ((0,), (0, 0))): 1,
        Rule(B, (X, X, tag("B(1&2&3)")), ((0,), (1,), (2,))): 1,
        Rule(taken, (X, Y), ((0, 1),)): 1,
    }
    proper = proper_gaps(Grammar(rules, start=S))
    assert sorted(map(str, proper.grammar.rules)) == [
        "A(1&2) -> x y [0 1]",
        "A(1&2)' -> A(1&2)'' [0]",
        "A(1&2)' -> B(1&2&3)' [0]",
        "A(1&2)'' -> B(1&2&3)' [0]",
        "B(1&2&3)' -> x x B(1&2&3) [0 1 2]",
        "S -> A(1&2) [0]",
        "S -> A(1&2)' [0]",
    ]
    assert check_derivations(Grammar(rules, start=S), [{X: 0.0}, {Y: 0.0}]) == 1


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


@given(grammars())
def test_probabilities_sum_to_one(grammar):
    totals: dict[Nonterminal, float] = defaultdict(float)
    for rule, probability in proper_gaps(grammar).grammar.probabilities().items():
        totals[rule.lhs] += probability
    assert list(totals.values()) == pytest.approx([1] * len(totals))


@examples(1000)
@given(GRAMMARS_WITH_SENTENCES)
def test_best_costs_stay(case):
    grammar, sentence = case
    proper = proper_gaps(grammar).grammar
    before, after = best_cost(grammar, sentence), best_cost(proper, sentence)
    assert isclose(before, after, rel_tol=1e-9, abs_tol=1e-12)


@pytest.mark.full
@examples(1000)
@given(WITH_SHORT_SENTENCES)
def test_all_derivations_stay(case):
    check_derivations(*case)


def check_derivations(grammar, sentence):
    """Check that restored derivations are those of the original, and return how many there are."""
    proper = proper_gaps(grammar)
    expected = sorted(enumerate_derivations(grammar, sentence))
    found = sorted(
        (cost, proper.undo_proper(derivation))
        for cost, derivation in enumerate_derivations(proper.grammar, sentence)
    )
    # The rules of copies cost nothing, so that costs are equal to the last bit.
    assert found == expected
    return len(found)
