"""The derivation with most constituents expected correct: against enumeration, and by hand."""

from collections import Counter
from math import log

import numpy as np
import pytest
from grammar_strategies import grammars
from hypothesis import given
from naive.parser import enumerate_derivations
from naive.sums import (
    STRATEGIES,
    correct_constituents,
    edges_by_hand,
    enumerate_sums,
    forests,
    items_of,
    with_cycles,
    with_sentences,
    without_unary_cycles,
)
from quick import core, examples

from plcfrs.budget import UNLIMITED
from plcfrs.chart import ChartParser
from plcfrs.chart.forest import constituent_posteriors, inside_outside, most_constituents
from plcfrs.chart.kernel.sums import choose_edges
from plcfrs.grammar import Derivation, Grammar, Nonterminal, Rule, binarize, tag

S, T, X, Y, Z = (Nonterminal(name) for name in "STXYZ")
A, B = tag("a"), tag("b")
ACYCLIC = with_sentences(grammars(touching=False).map(without_unary_cycles))
CYCLIC = with_sentences(with_cycles(1e12), longest=3)


@examples(600)
@given(ACYCLIC)
def test_the_most_of_all_derivations(case):
    grammar, sentence = case
    expected = enumerate_sums(binarize(grammar), sentence)
    scores = {
        derivation: correct_constituents(derivation, expected.items)
        for _, derivation in expected.derivations
    }
    costs = {derivation: cost for cost, derivation in expected.derivations}
    for forest in forests(grammar, sentence):
        cost, found = most_constituents(forest, inside_outside(forest))
        assert cost == pytest.approx(costs[found], rel=1e-9, abs=1e-9)
        assert scores[found] == pytest.approx(max(scores.values()), rel=1e-9, abs=1e-9)


def keeps_order(derivation: Derivation, places: dict) -> bool:
    """Return whether Viterbi costs rise along every step inside a component."""
    items = items_of(derivation)
    for part, item in zip(derivation.bottom_up(), items, strict=True):
        if len(part.children) == 1:
            component, cost = places[item]
            below, cost_below = places[part.children[0].nonterminal, item[1]]
            if component == below and cost <= cost_below + 1e-9:
                return False
    return True


@examples(60)
@given(CYCLIC)
def test_the_most_of_the_derivations_in_order_where_there_are_cycles(case):
    grammar, sentence = case
    binarized = binarize(grammar)
    for forest, strategy in zip(forests(grammar, sentence), STRATEGIES, strict=False):
        sums = inside_outside(forest)
        _, found = most_constituents(forest, sums)
        assert sorted(found.order()) == list(range(len(sentence)))
        assert set(found.rules()) <= set(binarized.rules)
        assert max(Counter(items_of(found)).values()) == 1
        posteriors = constituent_posteriors(forest, sums.posterior)
        score = correct_constituents(found, posteriors)
        viterbi = ChartParser(binarized, strategy, UNLIMITED).parse(sentence).derivation
        assert score >= correct_constituents(viterbi, posteriors) - 1e-9
        symbols = list(forest.compiled.labels)
        numbers = zip(forest.label, forest.bits[:, 0], forest.component, forest.cost, strict=True)
        places = {
            (symbols[label], int(span)): (component, cost)
            for label, span, component, cost in numbers
        }
        for _, other in enumerate_derivations(binarized, sentence):
            if keeps_order(other, places):
                most = correct_constituents(other, posteriors)  # may be negative
                assert score >= most - 1e-9 * abs(most)


def only_forest(rules, sentence, strategy):
    """Return the forest of a grammar whose rules are given with their probabilities."""
    grammar = Grammar(rules, start=S, weights="probabilities")
    return ChartParser(grammar, strategy, UNLIMITED).forest([{word: 0.0} for word in sentence])


def concatenation(lhs, *rhs):
    return Rule(lhs, rhs, (tuple(range(len(rhs))),))


@core(1, "strategy", STRATEGIES)
def test_not_the_most_probable_derivation(strategy):
    """X over the first word is in three derivations of five, but not in the best one."""
    rules = {
        concatenation(S, Y, Z): 0.4,
        concatenation(S, X, Y): 0.31,
        concatenation(S, X, Z): 0.29,
        **{concatenation(lhs, A): 1.0 for lhs in (X, Y, Z)},
    }
    forest = only_forest(rules, [A, A], strategy)
    assert forest.cost[forest.goal] == pytest.approx(-log(0.4))
    _, found = most_constituents(forest, inside_outside(forest))
    # X 0.6 and Z 0.29 + 0.4 against Y 0.4 and Z 0.69
    assert [child.nonterminal for child in found.children] == [X, Z]


@core(1, "strategy", STRATEGIES)
def test_tags_and_intermediate_symbols_do_not_count(strategy):
    """If the intermediate symbol counted, as probably wrong, X would win."""
    intermediate = Nonterminal("1", kind="intermediate")
    rules = {
        concatenation(S, A, intermediate): 0.3,
        concatenation(intermediate, A, A): 1.0,
        concatenation(S, T, A): 0.3,
        concatenation(T, A, A): 1.0,
        concatenation(S, X, A): 0.4,
        concatenation(X, A, A): 1.0,
    }
    forest = only_forest(rules, [A, A, A], strategy)
    _, found = most_constituents(forest, inside_outside(forest))
    assert found.children[1].nonterminal == intermediate


@core(1, "strategy", STRATEGIES)
def test_a_rule_that_costs_nothing_in_a_cycle(strategy):
    """T has only T -> X, with the same cost: it needs X below it."""
    rules = {
        concatenation(S, T, B): 1.0,
        concatenation(T, X): 1.0,
        concatenation(X, T): 0.5,
        concatenation(X, A): 0.5,
    }
    forest = only_forest(rules, [A, B], strategy)
    _, found = most_constituents(forest, inside_outside(forest))
    assert [str(rule) for rule in found.rules()] == ["X -> a [0]", "T -> X [0]", "S -> T b [0 1]"]


@core(1, "strategy", STRATEGIES)
def test_the_cheaper_of_equals(strategy):
    """Two tags make a difference only to the cost, not to the constituents."""
    rules = {concatenation(S, A): 0.3, concatenation(S, B): 0.7}
    for cost, expected in [(0.0, B), (2.0, A)]:
        grammar = Grammar(rules, start=S, weights="probabilities")
        forest = ChartParser(grammar, strategy, UNLIMITED).forest([{A: 0.0, B: cost}])
        _, found = most_constituents(forest, inside_outside(forest))
        assert found.children[0].nonterminal == expected


@core(1, "strategy", STRATEGIES)
def test_a_sentence_of_more_than_one_word_of_bits(strategy):
    rules = {concatenation(S, S, A): 0.5, concatenation(S, A): 0.5}
    forest = only_forest(rules, [A] * 130, strategy)
    sums = inside_outside(forest)
    _, found = most_constituents(forest, sums)
    posteriors = constituent_posteriors(forest, sums.posterior)
    assert correct_constituents(found, posteriors) == pytest.approx(130)


def test_the_highest_gain_without_a_cycle():
    """Item 3 gains by 1 over 2, but not by 1 over 2 over 3."""
    ring = [(1, 0, -1, 0.5), (1, 2, -1, 0.1), (2, 0, -1, 0.9), (2, 1, -1, 0.1)]
    edges = edges_by_hand([0, 1, 1, 2], [(0, -1, -1, 1.0), *ring, (3, 1, -1, 0.5), (3, 2, -1, 0.5)])
    chosen = choose_edges(edges, np.array([0.0, 1.0, 1.0, 1.0]))
    assert list(chosen) == [0, 2, 3, 5]
    # Without a gain of 2, the costs decide: 3 over 2 over 0.
    chosen = choose_edges(edges, np.array([0.0, 1.0, 0.0, 1.0]))
    assert list(chosen) == [0, 1, 3, 5]
