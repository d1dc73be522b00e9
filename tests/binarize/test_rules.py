"""Deterministic binarization: figure 7, equivalence, and the way back."""

from collections import defaultdict
from itertools import islice
from math import exp, isclose
from pathlib import Path

import pytest
from grammar_strategies import grammars, sentences, sentences_of
from hypothesis import given, settings
from hypothesis import strategies as st
from naive.binarization import binarize_derivation, chains
from naive.parser import best_cost, enumerate_derivations

from plcfrs.binarize import binarize, restore
from plcfrs.binarize.rules import split_first
from plcfrs.grammar import Derivation, Grammar, Nonterminal, Rule, tag

GRAMMARS = Path(__file__).parents[2] / "grammars"
S, A, B = Nonterminal("S"), Nonterminal("A", 2), Nonterminal("B", 2)
X, Y, Z = (tag(name) for name in "xyz")
OF_RANK_4 = grammars(max_rank=4)
WITH_SENTENCES = OF_RANK_4.flatmap(
    lambda grammar: st.tuples(st.just(grammar), sentences() | sentences_of(grammar))
)


@pytest.mark.parametrize("shared", [True, False])
def test_figure_7(shared):
    binarized = binarize(Grammar.load(GRAMMARS / "evang-kallmeyer-figure-6.yaml"), shared=shared)
    figure = Grammar.load(GRAMMARS / "evang-kallmeyer-figure-7.yaml")
    in_the_paper = [str(rule).replace("@C", "@1") for rule in figure.rules]
    assert [str(rule) for rule in binarized.rules] == in_the_paper
    assert list(binarized.rules.values()) == list(figure.rules.values())
    assert binarized.lexicon == figure.lexicon


@pytest.mark.parametrize(
    ("yield_function", "top", "rest"),
    [
        (((0, 1, 2),), ((0, 1),), ((0, 1),)),
        (((0, 1, 2, 0),), ((0, 1, 0),), ((0, 1),)),
        (((1, 0, 2),), ((1, 0, 1),), ((0,), (1,))),
        (((0, 1), (2, 0)), ((0, 1), (1, 0)), ((0,), (1,))),
        (((1, 2), (0,)), ((1,), (0,)), ((0, 1),)),
        (((0, 0, 1, 1, 2),), ((0, 0, 1),), ((0, 0, 1),)),
        (((1, 2), (0, 3)), ((1,), (0, 1)), ((0, 1), (2,))),
    ],
)
def test_the_first_child_is_split_off(yield_function, top, rest):
    assert split_first(yield_function) == (top, rest)


def test_the_fan_out_can_grow():
    # Section 4.1: without X in the middle, Y and Z and Y are three ranges.
    grammar = Grammar({Rule(S, (A, B, Z), ((1, 0, 2, 0, 1),)): 1}, start=S)
    assert [str(rule) for rule in binarize(grammar).rules] == [
        "S -> A_2 @1_3 [1 0 1 0 1]",
        "@1_3 -> B_2 z [0, 1, 0]",
    ]


def test_equal_remainders_are_shared():
    rules = {
        Rule(S, (X, Y, Z), ((0, 1, 2),)): 1,
        Rule(S, (Y, Y, Z), ((0, 1, 2),)): 2,
        Rule(S, (Z, X, Y, Z), ((0, 1, 2, 3),)): 3,
        Rule(S, (X, Y, Z), ((0, 2, 1),)): 4,
    }
    grammar = Grammar(rules, start=S)
    assert [f"{rule} {count}" for rule, count in binarize(grammar).rules.items()] == [
        "S -> x @1 [0 1] 1",
        "@1 -> y z [0 1] 6",
        "S -> y @1 [0 1] 2",
        "S -> z @2 [0 1] 3",
        "@2 -> x @1 [0 1] 3",
        "S -> x @3 [0 1] 4",
        "@3 -> y z [1 0] 4",
    ]
    unshared = binarize(grammar, shared=False)
    assert len(unshared.rules) == 4 + 1 + 1 + 2 + 1
    assert unshared.options != binarize(grammar).options


@given(OF_RANK_4, st.booleans(), st.booleans())
def test_shape_and_probabilities(grammar, shared, as_probabilities):
    if as_probabilities:
        grammar = Grammar(grammar.probabilities(), start=grammar.start, weights="probabilities")
    binarized = binarize(grammar, shared=shared)
    binarized.check()
    assert binarized.rank() <= 2
    totals = defaultdict(float)
    for rule, cost in binarized.costs().items():
        totals[rule.lhs] += exp(-cost)
        assert not (rule.lhs.kind == "intermediate" and cost)
    assert list(totals.values()) == pytest.approx([1] * len(totals))


@given(OF_RANK_4)
def test_sharing_makes_no_more_symbols(grammar):
    shared, unshared = binarize(grammar), binarize(grammar, shared=False)
    assert len(shared.nonterminals()) <= len(unshared.nonterminals())
    assert shared.fan_out() == unshared.fan_out()
    assert len(unshared.rules) == sum(max(1, rule.rank - 1) for rule in grammar.rules)


@given(OF_RANK_4, st.booleans())
def test_the_rules_put_together_are_the_rules_before(grammar, shared):
    binarized = binarize(grammar, shared=shared)
    found = {rule: binarized.costs()[chain[0]] for rule, chain in chains(binarized).items()}
    assert found == pytest.approx(grammar.costs())


@settings(max_examples=200)
@given(WITH_SENTENCES, st.booleans())
def test_best_costs_stay(case, shared):
    check_best_costs(*case, shared)


@pytest.mark.full
@settings(max_examples=5000)
@given(WITH_SENTENCES, st.booleans())
def test_best_costs_stay_in_a_long_run(case, shared):
    check_best_costs(*case, shared)


def check_best_costs(grammar, sentence, shared):
    binarized = binarize(grammar, shared=shared)
    before, after = best_cost(grammar, sentence), best_cost(binarized, sentence)
    assert isclose(before, after, rel_tol=1e-9, abs_tol=1e-12)


@settings(max_examples=200)
@given(st.data(), st.booleans())
def test_restore_is_the_inverse(data, shared):
    grammar = data.draw(OF_RANK_4)
    sentence = data.draw(sentences_of(grammar, longest=4))
    cut = chains(binarize(grammar, shared=shared))
    for _, derivation in islice(enumerate_derivations(grammar, sentence), 20):
        binarized = binarize_derivation(derivation, cut)
        assert all(rule.rank <= 2 for rule in binarized.rules())
        assert binarized.order() == derivation.order()
        assert restore(binarized) == derivation


@settings(max_examples=200)
@given(st.data(), st.booleans())
def test_restored_parses_are_parses_before_binarization(data, shared):
    grammar = data.draw(OF_RANK_4)
    sentence = data.draw(sentences_of(grammar, longest=4))
    before = {parse: cost for cost, parse in islice(enumerate_derivations(grammar, sentence), 300)}
    binarized = binarize(grammar, shared=shared)
    for cost, parse in islice(enumerate_derivations(binarized, sentence), 20):
        restored = restore(parse)
        assert set(restored.rules()) <= set(grammar.rules)
        assert restored.order() == parse.order()
        if len(before) < 300:
            assert isclose(before[restored], cost, rel_tol=1e-9, abs_tol=1e-9)


def test_intermediate_symbols_that_are_there_already_keep_their_names():
    # Such as C of figure 7, or a grammar that was binarized and then edited.
    one = Nonterminal("1", kind="intermediate")
    rules = {Rule(S, (X, one), ((0, 1),)): 1, Rule(one, (Y, Z), ((0, 1),)): 1}
    rules[Rule(S, (Z, Z, X), ((0, 1, 2),))] = 1
    assert [str(rule) for rule in binarize(Grammar(rules, start=S)).rules] == [
        "S -> x @1 [0 1]",
        "@1 -> y z [0 1]",
        "S -> z @2 [0 1]",
        "@2 -> z x [0 1]",
    ]


def test_deep_derivations_need_no_recursion():
    derivation = Derivation(X)
    intermediate = Nonterminal("1", kind="intermediate")
    for _ in range(3000):
        below = Derivation(intermediate, ((0, 1),), (Derivation(Y), derivation))
        derivation = Derivation(S, ((0, 1),), (Derivation(Z), below))
    restored = restore(derivation)
    assert restored.rules()[1:] == [Rule(S, (Z, Y, S), ((0, 1, 2),))] * 2999
    assert restored.order() == derivation.order()
