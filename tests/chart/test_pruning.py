"""Forests without improbable derivations: against enumeration."""

from itertools import islice, product
from math import inf
from unittest.mock import patch

import numpy as np
import pytest
from grammar_strategies import grammars
from hypothesis import assume, given
from hypothesis import strategies as st
from naive.sums import (
    STRATEGIES,
    enumerate_sums,
    forests,
    items_of,
    with_cycles,
    with_sentences,
    without_unary_cycles,
)
from quick import examples

from plcfrs.budget import UNLIMITED, Budget
from plcfrs.chart import ChartParser, best_derivations
from plcfrs.chart.estimates import prune
from plcfrs.grammar import Grammar, Nonterminal, Rule, binarize, tag
from plcfrs.trees.tree import runs, span_of

ACYCLIC = with_sentences(grammars(touching=False).map(without_unary_cycles))
CYCLIC = with_sentences(with_cycles(1e12), longest=3)
RATIOS = st.sampled_from([0.0, 0.5, 1.0, 2.0, 4.0])


def items(forest):
    symbols = list(forest.compiled.labels)
    spans = (
        span_of(np.flatnonzero(np.unpackbits(row.view(np.uint8), bitorder="little")).tolist())
        for row in forest.bits
    )
    return {(symbols[label], span) for label, span in zip(forest.label, spans, strict=True)}


def items_up_to(expected, ceiling):
    """Return the items of all derivations up to a cost."""
    assume(all(abs(cost - ceiling) > 1e-6 for cost, _ in expected.derivations) or ceiling == inf)
    return {
        item
        for cost, derivation in expected.derivations
        if cost <= ceiling
        for item in items_of(derivation)
    }


def check_order(forest):
    """Children come before their mothers, the goal is last."""
    mother = np.repeat(np.arange(len(forest.label)), np.diff(forest.edge_start))
    assert (forest.edge_left < mother).all()
    assert (forest.edge_right < mother).all()
    assert forest.goal == len(forest.label) - 1


@given(ACYCLIC, RATIOS)
def test_what_is_in_no_probable_derivation_is_left_out(case, log_ratio):
    grammar, sentence = case
    expected = enumerate_sums(binarize(grammar), sentence)
    for forest in forests(grammar, sentence):
        pruned = prune(forest, log_ratio + 1e-3)
        best = min(cost for cost, _ in expected.derivations)
        assert items(pruned) == items_up_to(expected, best + log_ratio + 1e-3)
        assert pruned.cost[pruned.goal] == pytest.approx(best)
        check_order(pruned)


@st.composite
def with_brackets(draw):
    grammar, sentence = draw(ACYCLIC)
    places = st.integers(0, len(sentence))
    brackets = draw(st.lists(st.tuples(places, places).filter(lambda each: each[0] < each[1])))
    return grammar, sentence, brackets


def crosses(one, other):
    """Whether two sets of tokens overlap, and neither is inside the other one."""
    return bool(one & other and one & ~other and other & ~one)


@given(with_brackets())
def test_what_crosses_a_bracket_is_left_out(case):
    """No component crosses one, and every derivation is there of which no constituent does."""
    grammar, sentence, brackets = case
    binarized = binarize(grammar)
    _, forest = ChartParser(binarized).parse_with_forest(sentence, inf, inf, brackets)
    found = items(forest) if forest else set()
    sets = [span_of(list(range(*bracket))) for bracket in brackets]
    for _, span in found:
        components = [span_of(list(range(*run))) for run in runs(span)]
        assert not any(crosses(*pair) for pair in product(components, sets))
    for _, derivation in enumerate_sums(binarized, sentence).derivations:
        made = set(items_of(derivation))
        if not any(crosses(span, bracket) for (_, span), bracket in product(made, sets)):
            assert made <= found


@given(ACYCLIC, RATIOS, st.sampled_from([inf, 1]))
def test_the_best_parses_are_collected(case, log_ratio, most_items):
    grammar, sentence = case
    binarized = binarize(grammar)
    expected = enumerate_sums(binarized, sentence)
    for strategy in STRATEGIES:
        result, forest = ChartParser(binarized, strategy, UNLIMITED).parse_with_forest(
            sentence, log_ratio, most_items
        )
        assert (forest is None) == (not expected.derivations)
        assert (result.status == "parsed") == bool(expected.derivations)
        if forest is None:
            continue
        check_order(forest)
        best = min(cost for cost, _ in expected.derivations)
        assert result.cost == pytest.approx(best)
        # An item of fan-out k exceeds the best cost by k times as much as its derivation, at most.
        widest = max(1, binarized.fan_out())
        sure = best + (log_ratio / widest if most_items == inf else 0.0) + 1e-9
        assert items_up_to(expected, sure) <= items(forest)
        assert items(forest) <= items_up_to(expected, best + log_ratio + 1e-3)


@patch("plcfrs.chart.nbest._MOST_SLACK", -inf)
@patch("plcfrs.chart.nbest._LONG", 0)
@given(ACYCLIC, RATIOS)
def test_what_a_greedy_search_pops_is_a_forest_too(case, log_ratio):
    """So it is in long sentences, whose bounds are too far from the cost of a parse."""
    grammar, sentence = case
    binarized = binarize(grammar)
    expected = enumerate_sums(binarized, sentence)
    result, forest = ChartParser(binarized).parse_with_forest(sentence, log_ratio)
    assert (result.derivation is None) == (not expected.derivations)
    if forest is not None:
        check_order(forest)
        costs = [cost for cost, _ in expected.derivations]
        assert min(costs) <= result.cost + 1e-9
        assert min(costs) >= result.cost - result.gap - 1e-6
        assert any(result.cost == pytest.approx(cost) for cost in costs)
        assert set(items_of(result.derivation)) <= items(forest)
        assert items(forest) <= items_up_to(expected, result.cost + log_ratio + 1e-3)


@given(ACYCLIC)
def test_with_an_infinite_ratio_everything_is_collected(case):
    grammar, sentence = case
    binarized = binarize(grammar)
    for strategy, whole in zip(STRATEGIES, forests(grammar, sentence), strict=False):
        _, forest = ChartParser(binarized, strategy, UNLIMITED).parse_with_forest(sentence, inf)
        assert items(forest) == items(prune(whole, inf))
        assert len(forest.edge_rule) == len(prune(whole, inf).edge_rule)


@examples(60)
@given(CYCLIC, RATIOS)
def test_cycles_are_cut_and_the_best_derivation_stays(case, log_ratio):
    grammar, sentence = case
    for forest in forests(grammar, sentence):
        pruned = prune(forest, log_ratio)
        check_order(pruned)
        (cost, derivation), *_ = islice(best_derivations(forest), 1)
        (kept_cost, kept), *_ = islice(best_derivations(pruned), 1)
        assert kept_cost == pytest.approx(cost)
        assert set(items_of(kept)) <= items(pruned)
        assert set(items_of(derivation)) <= items(pruned) or kept != derivation


def test_the_budget_ends_a_collection():
    s, a = Nonterminal("S"), tag("a")
    grammar = Grammar({Rule(s, (s, s), ((0, 1),)): 1, Rule(s, (a,), ((0,),)): 1}, start=s)
    parser = ChartParser(grammar, budget=Budget(60))
    result, forest = parser.parse_with_forest([{a: 0.0}] * 9, inf)
    assert (result.status, forest) == ("parsed", None)
    assert result.gap == pytest.approx(0, abs=1e-4)  # estimates are rounded
    assert result.derivation is not None
