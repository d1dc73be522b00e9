"""The bound for the mass that a forest lacks."""

from contextlib import suppress
from math import exp, inf

import pytest
from grammar_strategies import grammars, sentences_of
from hypothesis import assume, given
from hypothesis import strategies as st
from quick import core, examples

from plcfrs.budget import UNLIMITED, OutOfBudgetError
from plcfrs.chart import ChartParser
from plcfrs.chart.estimates import lost_mass
from plcfrs.chart.forest import inside_outside
from plcfrs.errors import GrammarError
from plcfrs.grammar import Grammar, Nonterminal, Rule, binarize, tag

RATIOS = st.sampled_from([0.0, 0.3, 1.0, 3.0])
S, T, A = Nonterminal("S"), Nonterminal("T"), tag("a")


def cases(**options):
    return grammars(touching=False, **options).flatmap(
        lambda grammar: st.tuples(st.just(binarize(grammar)), sentences_of(grammar))
    )


def sums_of(grammar, sentence, log_ratio):
    """Return a forest and its sums; grammars with infinite sums are skipped."""
    forest = ChartParser(grammar, budget=UNLIMITED).forest(sentence, log_ratio)
    assume(forest is not None)
    try:
        return forest, inside_outside(forest)
    except GrammarError:
        assume(False)


@examples(600)
@given(cases(), RATIOS)
def test_no_more_is_lost_than_the_bound_says(case, log_ratio):
    grammar, sentence = case
    _, everything = sums_of(grammar, sentence, inf)
    assume(everything.edge_posterior.max() < 1e6)  # the sums of nearly endless cycles are not exact
    forest, sums = sums_of(grammar, sentence, log_ratio)
    lost = 1 - exp(sums.log_probability - everything.log_probability)
    assert -1e-9 <= lost <= lost_mass(forest, sums) + 1e-9


@pytest.mark.full
@examples(60)
@given(cases(max_fan_out=1))
def test_nothing_is_lost_in_a_forest_of_all_derivations(case):
    forest, sums = sums_of(*case, inf)
    assert lost_mass(forest, sums) == 0


AMBIGUOUS = Grammar(
    {
        Rule(S, (S, S), ((0, 1),)): 3,
        Rule(S, (T,), ((0,),)): 2,
        Rule(S, (A,), ((0,),)): 3,
        Rule(T, (S,), ((0,),)): 1,  # a cycle
        Rule(T, (S, A), ((0, 1),)): 2,
        Rule(T, (A, A), ((0, 1),)): 1,
    },
    start=S,
)


@core(1, "length", [5, 8])
@core(1, "log_ratio", [0.0, 0.5])
def test_without_gaps_outside_sums_are_those_of_the_grammar(length, log_ratio):
    parser = ChartParser(AMBIGUOUS, budget=UNLIMITED)
    full = parser.forest([{A: 0.0}] * length)
    outside = inside_outside(full).outside
    found = dict(zip(zip(full.label, full.bits[:, 0], strict=True), outside, strict=True))
    forest = parser.forest([{A: 0.0}] * length, log_ratio)
    assert not forest.is_popped.all()
    for label, bits, bound in zip(forest.label, forest.bits[:, 0], forest.outside, strict=True):
        assert -bound == pytest.approx(found[label, bits], rel=1e-9, abs=1e-9)


def test_the_bound_gets_better_with_the_forest():
    bounds = []
    for log_ratio in (0.0, 2.0, 4.0, inf):
        forest = ChartParser(AMBIGUOUS, budget=UNLIMITED).forest([{A: 0.0}] * 8, log_ratio)
        bounds.append(lost_mass(forest, inside_outside(forest)))
    assert bounds == sorted(bounds, reverse=True)
    assert bounds[-1] == 0


@pytest.mark.full
@examples(60)
@given(cases(), st.integers(1, 60), st.sampled_from([1.0, inf]))
def test_no_more_is_lost_than_the_bound_says_if_the_budget_is_used_up(case, items, log_ratio):
    grammar, sentence = case
    _, everything = sums_of(grammar, sentence, inf)
    assume(everything.edge_posterior.max() < 1e6)
    parser = ChartParser(grammar, budget=UNLIMITED._replace(max_items=items))
    try:
        found = parser.expectations(sentence, log_ratio)
    except OutOfBudgetError:
        return
    lost = 1 - exp(found.log_probability - everything.log_probability)
    assert -1e-9 <= lost <= found.lost_mass + 1e-9
    result = parser.parse(sentence, "mcp")
    assert (result.status, result.gap) == ("parsed", None)
    assert 0 <= result.lost_mass <= 1


@pytest.mark.full
def test_more_items_lose_less():
    sentence = [{A: 0.0}] * 6
    bounds = []
    for items in range(20, 110):
        parser = ChartParser(AMBIGUOUS, budget=UNLIMITED._replace(max_items=items))
        with suppress(OutOfBudgetError):
            bounds.append(parser.expectations(sentence).lost_mass)
    assert len(bounds) > 20
    assert 0 < bounds[0] <= 1
    assert bounds[-1] == 0
