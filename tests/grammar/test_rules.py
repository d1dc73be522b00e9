"""Binarization from left to right and in optimal order: figure 7, equivalence, the way back."""

import random
from collections import defaultdict
from itertools import islice
from math import exp, isclose
from pathlib import Path

import pytest
from grammar_strategies import grammars, sentences, sentences_of
from hypothesis import given
from hypothesis import strategies as st
from naive.binarization import binarize_derivation, chains, in_order
from naive.parser import best_cost, enumerate_derivations
from quick import core, examples
from strategies import trees

from plcfrs.grammar import (
    Derivation,
    Grammar,
    Nonterminal,
    Rule,
    binarize,
    derivation_of,
    extract,
    tag,
    unbinarize,
)
from plcfrs.grammar.binarization import join
from plcfrs.parsers.grammar.model import GrammarModel
from plcfrs.transformation import transform_all
from plcfrs.treebank import read_trees

GRAMMARS = Path(__file__).parents[2] / "grammars"
S, A, B = Nonterminal("S"), Nonterminal("A", 2), Nonterminal("B", 2)
X, Y, Z = (tag(name) for name in "xyz")
OF_RANK_4 = grammars(max_rank=4)
ORDERS = st.sampled_from(["deterministic", "optimal"])
WITH_SENTENCES = OF_RANK_4.flatmap(
    lambda grammar: st.tuples(st.just(grammar), sentences() | sentences_of(grammar))
)


@core(1, "shared", [True, False])
def test_figure_7(shared):
    binarized = binarize(Grammar.load(GRAMMARS / "evang-kallmeyer-figure-6.yaml"), shared=shared)
    figure = Grammar.load(GRAMMARS / "evang-kallmeyer-figure-7.yaml")
    in_the_paper = [str(rule).replace("@C", "@1") for rule in figure.rules]
    assert [str(rule) for rule in binarized.rules] == in_the_paper
    assert list(binarized.rules.values()) == list(figure.rules.values())
    assert binarized.lexicon == figure.lexicon


@core(
    1,
    ("yield_function", "top", "rest"),
    [
        (((0, 1, 2),), ((0, 1),), ((0, 1),)),
        (((0, 1, 2, 0),), ((0, 1, 0),), ((0, 1),)),
        (((1, 0, 2),), ((1, 0, 1),), ((0,), (1,))),
        (((0, 1), (2, 0)), ((0, 1), (1, 0)), ((0,), (1,))),
        (((1, 2), (0,)), ((1,), (0,)), ((0, 1),)),
        (((0, 0, 1, 1, 2),), ((0, 0, 1),), ((0, 0, 1),)),
    ],
)
def test_the_first_child_is_split_off(yield_function, top, rest):
    assert join(yield_function, 0b001, 0b110) == top
    assert join(yield_function, 0b010, 0b100) == rest


@core(
    1,
    ("left", "right", "expected"),
    [
        (0b0001, 0b1000, ((0,), (0, 1, 0))),
        (0b0101, 0b1010, ((0, 1), (0, 1, 0))),
        (0b0101, 0b0010, ((0, 1), (0,), (0,))),
        (0b1001, 0b0110, ((0, 1), (0,))),  # neighbours become one range of a new symbol
    ],
)
def test_sets_of_children_are_joined(left, right, expected):
    assert join(((0, 2, 1), (0, 3, 0)), left, right) == expected


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


@core(
    1,
    ("order", "shared", "expected"),
    [
        ("deterministic", True, "yes"),
        ("deterministic", False, "no"),
        ("optimal", True, "yes"),
        ("optimal", False, "no"),
    ],
)
def test_the_grammar_says_how_it_was_binarized(order, shared, expected):
    binarized = binarize(Grammar({}, start=S), order, shared=shared)
    assert binarized.options == {"binarization": order, "shared": expected}


def test_the_optimal_order_avoids_fan_out():
    rule = Rule(S, (A, B, Z), ((1, 0, 2, 0, 1),))
    binarized = binarize(Grammar({rule: 1}, start=S), "optimal")
    assert [str(rule) for rule in binarized.rules] == [
        "S -> @1 B_2 [1 0 1]",
        "@1 -> A_2 z [0 1 0]",
    ]


def test_the_optimal_order_shares_symbols_too():
    rules = {
        Rule(S, (A, Y, Z, X), ((3, 0, 1, 0, 2),)): 1,
        Rule(S, (X, A, Y, Z), ((0, 1, 2, 1, 3),)): 2,
        Rule(S, (Y, A, Y, Z), ((0, 1, 2, 1, 3),)): 3,
    }
    binarized = binarize(Grammar(rules, start=S), "optimal")
    assert [f"{rule} {count}" for rule, count in binarized.rules.items()] == [
        "S -> @1 x [1 0] 1",
        "@1 -> @2 z [0 1] 6",
        "@2 -> A_2 y [0 1 0] 6",
        "S -> x @1 [0 1] 2",
        "S -> y @1 [0 1] 3",
    ]


@given(OF_RANK_4, ORDERS, st.booleans(), st.booleans())
def test_shape_and_probabilities(grammar, order, shared, as_probabilities):
    if as_probabilities:
        grammar = Grammar(grammar.probabilities(), start=grammar.start, weights="probabilities")
    binarized = binarize(grammar, order, shared=shared)
    binarized.check()
    assert binarized.rank() <= 2
    totals = defaultdict(float)
    for rule, cost in binarized.costs().items():
        totals[rule.lhs] += exp(-cost)
        assert not (rule.lhs.kind == "intermediate" and cost)
    assert list(totals.values()) == pytest.approx([1] * len(totals))


@given(OF_RANK_4, ORDERS)
def test_sharing_makes_no_more_symbols(grammar, order):
    shared, unshared = binarize(grammar, order), binarize(grammar, order, shared=False)
    assert len(shared.nonterminals()) <= len(unshared.nonterminals())
    assert shared.fan_out() == unshared.fan_out()
    assert len(unshared.rules) == sum(max(1, rule.rank - 1) for rule in grammar.rules)


@given(OF_RANK_4, st.booleans())
def test_the_rules_put_together_are_the_rules_before(grammar, shared):
    binarized = binarize(grammar, shared=shared)
    found = {rule: binarized.costs()[chain[0]] for rule, chain in chains(binarized).items()}
    assert found == pytest.approx(grammar.costs())


@given(OF_RANK_4, st.booleans())
def test_in_optimal_order_they_are_the_same_but_for_the_order_of_children(grammar, shared):
    grammar = with_children_in_order(grammar)
    binarized = binarize(grammar, "optimal", shared=shared)
    costs = binarized.costs()
    found = {in_order(rule): costs[chain[0]] for rule, chain in chains(binarized).items()}
    assert found == pytest.approx(grammar.costs())


def with_children_in_order(grammar):
    ordered = Grammar(start=grammar.start)
    for rule, count in grammar.rules.items():
        ordered.add(in_order(rule), count)
    return ordered


@examples(1000)
@given(WITH_SENTENCES, ORDERS, st.booleans())
def test_best_costs_stay(case, order, shared):
    grammar, sentence = case
    binarized = binarize(grammar, order, shared=shared)
    before, after = best_cost(grammar, sentence), best_cost(binarized, sentence)
    assert isclose(before, after, rel_tol=1e-9, abs_tol=1e-12)


@examples(60)
@given(st.data(), st.booleans())
def test_restore_is_the_inverse(data, shared):
    grammar = data.draw(OF_RANK_4)
    sentence = data.draw(sentences_of(grammar, longest=4))
    cut = chains(binarize(grammar, shared=shared))
    for _, derivation in islice(enumerate_derivations(grammar, sentence), 20):
        binarized = binarize_derivation(derivation, cut)
        assert all(rule.rank <= 2 for rule in binarized.rules())
        assert binarized.order() == derivation.order()
        assert unbinarize(binarized) == derivation


@given(st.lists(trees(), min_size=1, max_size=4), ORDERS, st.booleans())
def test_restore_is_the_inverse_for_trees(treebank, order, shared):
    check_trees(treebank, order, shared)


@pytest.mark.full
@pytest.mark.parametrize("order", ["deterministic", "optimal"])
@pytest.mark.parametrize("shared", [True, False])
def test_restore_is_the_inverse_for_the_penn_treebank(penn_treebank, order, shared):
    check_trees(list(transform_all(penn_treebank)), order, shared)


@pytest.mark.full
def test_restore_is_the_inverse_for_the_potsdam_corpus(potsdam):
    check_trees(list(transform_all(read_trees(potsdam))), "optimal", True)


@pytest.mark.full
def test_the_optimal_order_for_the_penn_treebank(penn_treebank):
    treebank = list(transform_all(penn_treebank))[:3396]
    grammar = extract(treebank)
    models = [GrammarModel(binarize(grammar, order)) for order in ("deterministic", "optimal")]
    assert [largest_complexity(model.grammar) for model in models] == [8, 7]
    assert [wide_intermediates(model.grammar) for model in models] == [128, 18]
    short = [tree for tree in treebank if len(tree.tokens) <= 25]
    for tree in random.Random(4).sample(short, 200):
        before, after = [model.parse(tree) for model in models]
        assert isclose(before.score, after.score, rel_tol=1e-9)
        assert set(after.derivation.rules()) <= set(grammar.rules)


def largest_complexity(grammar):
    return max(rule.lhs.fanout + sum(child.fanout for child in rule.rhs) for rule in grammar.rules)


def wide_intermediates(grammar):
    symbols = grammar.nonterminals()
    return sum(symbol.kind == "intermediate" and symbol.fanout > 1 for symbol in symbols)


def check_trees(treebank, order, shared):
    grammar = extract(treebank)
    cut = chains(binarize(grammar, order, shared=shared))
    cut = {in_order(rule): chain for rule, chain in cut.items()}
    assert set(cut) == set(grammar.rules)
    for tree in treebank:
        derivation = derivation_of(tree)
        binarized = binarize_derivation(derivation, cut)
        assert all(rule.rank <= 2 for rule in binarized.rules())
        assert unbinarize(binarized) == derivation


@pytest.mark.full
@examples(60)
@given(st.data(), ORDERS, st.booleans())
def test_restored_parses_are_parses_before_binarization(data, order, shared):
    grammar = data.draw(OF_RANK_4)
    if order == "optimal":
        grammar = with_children_in_order(grammar)
    sentence = data.draw(sentences_of(grammar, longest=4))
    before = {parse: cost for cost, parse in islice(enumerate_derivations(grammar, sentence), 300)}
    binarized = binarize(grammar, order, shared=shared)
    after = {
        unbinarize(parse): (cost, parse)
        for cost, parse in islice(enumerate_derivations(binarized, sentence), 300)
    }
    for restored, (cost, parse) in after.items():
        assert set(restored.rules()) <= set(grammar.rules)
        assert restored.order() == parse.order()
        if len(before) < 300:
            assert isclose(before[restored], cost, rel_tol=1e-9, abs_tol=1e-9)
    assert len(before) == len(after)


def test_children_out_of_order_come_back_in_order():
    # The order of a right-hand side is arbitrary, and intermediate symbols do not keep it.
    rules = {
        Rule(S, (A, B, Z), ((1, 0, 2, 0, 1),)): 1,
        Rule(A, (X, X), ((0,), (1,))): 1,
        Rule(B, (Y, Y), ((0,), (1,))): 1,
    }
    sentence = [{word: 0.0} for word in (Y, X, Z, X, Y)]
    binarized = binarize(Grammar(rules, start=S), "optimal")
    ((_, parse),) = enumerate_derivations(binarized, sentence)
    assert unbinarize(parse).rule == Rule(S, (B, A, Z), ((0, 1, 2, 1, 0),))


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


@pytest.mark.full
def test_deep_derivations_need_no_recursion():
    derivation = Derivation(X)
    intermediate = Nonterminal("1", kind="intermediate")
    for _ in range(1000):
        below = Derivation(intermediate, ((0, 1),), (Derivation(Y), derivation))
        derivation = Derivation(S, ((0, 1),), (Derivation(Z), below))
    restored = unbinarize(derivation)
    assert restored.rules()[1:] == [Rule(S, (Z, Y, S), ((0, 1, 2),))] * 999
    assert restored.order() == derivation.order()
