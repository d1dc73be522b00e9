"""Multipliers trained on sentences: bounds get tighter, and parses keep their costs."""

from dataclasses import replace
from math import inf, isclose
from unittest.mock import patch

import numpy as np
import pytest
from demo_trees import demo_trees
from hypothesis import given
from hypothesis import strategies as st
from naive.parser import best_cost
from quick import examples
from test_tightening import CASES, shifted

from plcfrs.budget import UNLIMITED
from plcfrs.chart import ChartParser
from plcfrs.chart.bounds import Relaxation
from plcfrs.chart.compile import compile_grammar
from plcfrs.chart.multipliers import train_shares, train_shifts
from plcfrs.chart.search import ChartSearch
from plcfrs.chart.workspace import ChartWorkspace
from plcfrs.errors import GrammarError
from plcfrs.grammar import Grammar, Nonterminal, Rule, proper_gaps, tag
from plcfrs.parsing.registry import train


def relaxation_of(grammar: Grammar) -> Relaxation:
    return Relaxation(compile_grammar(proper_gaps(grammar).grammar))


@examples(60)
@given(CASES, st.integers(0, 2**32 - 1))
def test_no_shares_change_a_cost(case, seed):
    grammar, sentence = case
    shares = shifted(relaxation_of(grammar), np.random.default_rng(seed))
    result = ChartParser(grammar, budget=UNLIMITED, shares=shares).parse(sentence)
    assert isclose(result.cost, best_cost(grammar, sentence), rel_tol=1e-9, abs_tol=1e-9)
    assert result.gap in (0.0, None)


@examples(60)
@given(CASES)
def test_trained_shares_add_up_and_change_no_cost(case):
    grammar, sentence = case
    shares = train_shares(grammar, [sentence] * 2)
    result = ChartParser(grammar, budget=UNLIMITED, shares=shares).parse(sentence)
    assert isclose(result.cost, best_cost(grammar, sentence), rel_tol=1e-9, abs_tol=1e-9)


@examples(60)
@given(CASES, st.integers(0, 2**32 - 1))
def test_no_shifts_change_a_cost(case, seed):
    grammar, sentence = case
    random = np.random.default_rng(seed)
    some = {rule: 3 * random.normal(size=rule.lhs.fanout) for rule in grammar.rules}
    shifts = {rule: tuple((shift - shift.mean()).tolist()) for rule, shift in some.items()}
    parser = ChartParser(replace(grammar, shifts=shifts), budget=UNLIMITED)
    result = parser.parse(sentence)
    assert isclose(result.cost, best_cost(grammar, sentence), rel_tol=1e-9, abs_tol=1e-9)
    assert result.gap in (0.0, None)


@pytest.mark.full
def test_shifts_are_as_tight_as_shares_where_no_cost_is_negative():
    trees = demo_trees()[:70]
    grammar = train("grammar", trees, "markov-v1h1").grammar
    sentences = [[{tag(token.tag): 0.0} for token in tree.tokens] for tree in trees]
    shares, shifts = train_shares(grammar, sentences), train_shifts(grammar, sentences)
    assert {len(shift) for shift in shifts.values()} == {2, 3}
    relaxation = relaxation_of(grammar)
    relaxation.shift(shifts)
    assert np.allclose(relaxation.shares, shares, atol=1e-3)


@pytest.mark.full
def test_without_sentences_all_components_cost_the_same():
    grammar = train("grammar", "plcfrs:demo").grammar
    shares = train_shares(grammar, [])
    assert shares.tolist() == relaxation_of(grammar).shares.tolist()


@pytest.mark.full
def test_bounds_of_other_sentences_get_tighter():
    trees = demo_trees()[:70]
    grammar = train("grammar", trees, "markov-v1h1").grammar
    sentences = [[{tag(token.tag): 0.0} for token in tree.tokens] for tree in trees]
    shares = train_shares(grammar, sentences[::2])
    assert bounds(grammar, sentences[1::2], shares) > bounds(grammar, sentences[1::2])


@pytest.mark.full
def test_a_second_pass_makes_bounds_tighter():
    trees = demo_trees()[:70]
    grammar = train("grammar", trees, "markov-v1h1").grammar
    sentences = [[{tag(token.tag): 0.0} for token in tree.tokens] for tree in trees]
    with patch("plcfrs.chart.multipliers._PASSES", 1):
        once = bounds(grammar, sentences, train_shares(grammar, sentences))
    assert bounds(grammar, sentences, train_shares(grammar, sentences)) > once


def bounds(grammar, sentences, shares=None):
    """Return the sum of the costs of the relaxation's best parses."""
    compiled = compile_grammar(proper_gaps(grammar).grammar)
    relaxation = Relaxation(compiled)
    if shares is not None:
        relaxation.use(shares)
    total = 0.0
    for sentence in sentences:
        search = ChartSearch(compiled, relaxation, sentence, UNLIMITED, ChartWorkspace())
        search.fill_estimates()
        total += search.bound if search.bound < inf else 0.0
    return total


def test_shares_of_another_grammar_are_an_error():
    s, a, b = Nonterminal("S"), tag("A"), Nonterminal("B", 2)
    rules = {
        Rule(s, (b, a), ((0, 1, 0),)): 1,
        Rule(b, (a, a), ((0,), (1,))): 1,
        Rule(s, (s,), ((0,),)): 1,
    }
    grammar = Grammar(rules, start=s)
    shares = relaxation_of(grammar).shares
    for wrong in (shares[1:], shares + 0.5, shares.astype(np.float32), -shares, shares * np.nan):
        with pytest.raises(GrammarError, match="train again"):
            ChartParser(grammar, shares=wrong)
