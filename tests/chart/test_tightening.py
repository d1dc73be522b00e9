"""Tightened bounds: valid for any multipliers, and a search with them still exact."""

from math import inf, isclose
from unittest.mock import patch

import numpy as np
import pytest
from grammar_strategies import grammars, sentences, sentences_of
from hypothesis import given
from hypothesis import strategies as st
from naive.parser import best_cost, best_costs
from quick import examples

from plcfrs.budget import UNLIMITED
from plcfrs.chart import ChartParser
from plcfrs.chart.bounds import Relaxation
from plcfrs.chart.compile import compile_grammar
from plcfrs.chart.growing import SearchLimits
from plcfrs.chart.kernel.inside import cell_number
from plcfrs.chart.kernel.listing import find_entry
from plcfrs.chart.nbest import find_best
from plcfrs.chart.search import ChartSearch
from plcfrs.chart.workspace import ChartWorkspace
from plcfrs.grammar import Grammar, Nonterminal, Rule, binarize, proper_gaps, tag

CASES = grammars(touching=False).flatmap(
    lambda grammar: st.tuples(st.just(binarize(grammar)), sentences() | sentences_of(grammar))
)
SLACK = 1e-6

# Limits that are so narrow that small sentences go through all that long ones need.
NARROW = {
    "plcfrs.chart.nbest.MARGIN": 0.0,
    "plcfrs.chart.nbest.FIRST_ITEMS": 1,
    "plcfrs.chart.nbest._WIDER_MARGIN": 0.5,
    "plcfrs.chart.nbest._MORE_ITEMS": 4,
    "plcfrs.chart.nbest._STEP": 0.1,
    "plcfrs.chart.nbest.ITEMS_FOR_PAIRS": 2,
    "plcfrs.chart.nbest._STEPS": (0.5, inf),
    "plcfrs.chart.search._NEAR": 0.0,
    "plcfrs.chart.tightening._FIRST_EDGES": 1,
    "plcfrs.chart.tightening._STEPS": 3,
}


def narrowly(function):
    for name, value in NARROW.items():
        function = patch(name, value)(function)
    return function


def searched(grammar, sentence, relaxation=None, budget=UNLIMITED):
    compiled = compile_grammar(proper_gaps(grammar).grammar)
    return ChartSearch(
        compiled, relaxation or Relaxation(compiled), sentence, budget, ChartWorkspace()
    )


def shifted(relaxation, random):
    """Return random costs of components: those of a rule add up to its own cost."""
    shares = relaxation.shares.copy()
    for first, last in zip(relaxation.rule_start, relaxation.rule_start[1:], strict=False):
        total = shares[first:last].sum()
        if relaxation.shifts.is_on_cycle[first:last].any():
            shares[first:last] = random.dirichlet(np.ones(last - first)) * total
        else:
            shift = random.normal(size=last - first)
            shares[first:last] += shift - shift.mean()
    return shares


@examples(60)
@given(CASES, st.integers(0, 2**32 - 1))
def test_any_multipliers_give_valid_bounds(case, seed):
    grammar, sentence = case
    compiled = compile_grammar(proper_gaps(grammar).grammar)
    relaxation = Relaxation(compiled)
    search = searched(grammar, sentence, relaxation)
    search.fill_estimates(shifted(relaxation, np.random.default_rng(seed)))
    cost = best_cost(grammar, sentence)
    assert search.bound <= cost + SLACK
    if search.bound < inf:
        search.raise_ceiling(inf)
        search.try_within(SearchLimits(inf))
        assert isclose(search.cost, cost, rel_tol=1e-9, abs_tol=1e-9)
        assert search.is_proven


@examples(60)
@given(CASES, st.sampled_from([0.5, 2.0, 8.0, inf]))
def test_tightened_bounds_are_valid_and_lose_no_parse(case, margin):
    grammar, sentence = case
    search = searched(grammar, sentence)
    search.fill_estimates()
    cost, before = best_cost(grammar, sentence), search.bound
    if before == inf:
        return
    search.raise_ceiling(before + margin)
    ceiling = search.ceiling
    shares = search.tighten()
    assert before <= search.bound <= max(cost, before) + SLACK
    if search.bound < ceiling:
        search.try_within(SearchLimits(inf, ceiling=ceiling))
        assert search.cost == inf or isclose(search.cost, cost, rel_tol=1e-9, abs_tol=1e-9)
        assert (search.cost < inf) == (cost <= ceiling)
    search.fill_estimates(shares)
    assert search.estimates.best <= cost + SLACK


@pytest.mark.full
@narrowly
@examples(1500)
@given(CASES)
def test_narrow_limits_change_no_cost(case):
    grammar, sentence = case
    search = searched(grammar, sentence)
    find_best(search)
    cost = best_cost(grammar, sentence)
    assert search.cost == cost or isclose(search.cost, cost, rel_tol=1e-9, abs_tol=1e-9)
    assert search.is_proven
    check_known(search, grammar, sentence)


def check_known(search, grammar, sentence):
    """No constituent without a gap costs less than is known of it."""
    compiled, estimates = compile_grammar(proper_gaps(grammar).grammar), search.estimates
    for (nonterminal, (span, *others)), cost in best_costs(grammar, sentence).items():
        if not others and nonterminal in compiled.labels:
            label = list(compiled.labels).index(nonterminal)
            symbol = estimates.symbol_of[compiled.arrays.labels["first_port"][label]]
            table, cell = estimates.table, cell_number(*span)
            entry = find_entry(table.present, table.first_entry, cell, int(symbol))
            assert entry < 0 or table.unit * estimates.at_least[entry] <= cost + SLACK


@examples(60)
@given(CASES)
def test_no_parse_is_refuted(case):
    grammar, sentence = case
    search = searched(grammar, sentence)
    search.fill_estimates()
    if search.bound < inf:
        search.refute()
    if best_cost(grammar, sentence) < inf:
        assert search.bound < inf


def test_components_of_different_rules_are_refuted():
    """The relaxation takes the components of two rules together, which a parse cannot."""
    s, pair = Nonterminal("S"), Nonterminal("X", 2)
    a, b, c, d = map(tag, "abcd")
    grammar = Grammar(
        {
            Rule(pair, (a, b), ((0,), (1,))): 1,
            Rule(pair, (c, d), ((0,), (1,))): 1,
            Rule(s, (pair, Nonterminal("Y")), ((0, 1, 0),)): 1,
            Rule(Nonterminal("Y"), (c,), ((0,),)): 1,
        },
        start=s,
    )
    for words, has_parse in (("acb", True), ("acd", False)):
        search = searched(grammar, [{tag(word): 0.0} for word in words])
        search.fill_estimates()
        assert search.bound < inf
        search.refute()
        assert (search.bound < inf) == has_parse


@narrowly
@examples(40)
@given(CASES)
def test_the_best_cost_is_between_the_bound_and_the_cost_and_more_items_never_hurt(case):
    grammar, sentence = case
    best = best_cost(grammar, sentence)
    gap = inf
    for items in (1, 2, 4, 8, 16, 64, inf):
        result = ChartParser(grammar, budget=UNLIMITED._replace(max_items=items)).parse(sentence)
        assert result.cost >= best - SLACK
        if result.derivation is not None:
            assert result.cost - result.gap <= best + SLACK
            assert result.gap <= gap + SLACK
            gap = result.gap
            assert result.status == "parsed"
    assert (gap == 0.0) == (best < inf)


@examples(40)
@given(CASES, st.sampled_from([1, 4, 16, inf]))
def test_the_gap_of_nbest_parses(case, items):
    grammar, sentence = case
    budget = UNLIMITED._replace(max_items=items)
    results = ChartParser(grammar, budget=budget).parse_nbest(sentence, 2)
    if results[0].derivation is not None:
        assert results[0].cost - results[0].gap <= best_cost(grammar, sentence) + SLACK


@examples(60)
@given(CASES, st.sampled_from(["astar", "knuth"]), st.integers(1, 40))
def test_each_nbest_parse_is_at_most_its_gap_above_that_of_its_rank(case, strategy, items):
    grammar, sentence = case
    budget = UNLIMITED._replace(max_items=items)
    exact = ChartParser(grammar, strategy, UNLIMITED).parse_nbest(sentence, 5)
    found = ChartParser(grammar, strategy, budget).parse_nbest(sentence, 5)
    if found[0].derivation is None:
        return
    for result, best in zip(found, exact, strict=False):
        assert best.gap == 0.0
        assert result.cost - result.gap - SLACK <= best.cost <= result.cost + SLACK
