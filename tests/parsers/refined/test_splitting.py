"""Splitting, merging and smoothing, against their definitions on tables of probabilities."""

from math import prod

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from naive.latent import (
    Model,
    events_of,
    likelihood,
    model_of,
    number_of_assignments,
    symbols_of,
    totals,
)
from naive.refinements import cases

from plcfrs.parsers.refined.splitting import merge, shares, smooth, split

SHARES = st.sampled_from([0.0, 0.05, 0.3, 1.0])


def close(expected):
    return pytest.approx(expected, rel=1e-9, abs=1e-10)  # less probable entries are left out


def with_refinement(refined, refinement) -> Model:
    refined.refinements = (refinement,)
    return model_of(refined)


def halved(refined, noise=0.0, seed=0):
    """Return the refinement with all states split."""
    start = refined.symbols.index(refined.grammar.start)
    random = np.random.default_rng(seed)
    return split(refined.skeleton(), refined.refinements[0], start, noise, random)


def merged(refined, frequencies, losses, fraction):
    return merge(refined.skeleton(), refined.refinements[0], frequencies, losses, fraction)


def adds_up(refined):
    """Return whether the probabilities of all rules and words of a state add up to 1.

    The probabilities of a state that is never used may all be 0.
    """
    found = totals(model_of(refined)).values()
    return all(total in (0, close(1)) for total in found) and any(found)


def same(one, other):
    """Whether two models have the same states and the same probabilities."""
    return one.states == other.states and one.probability == {
        what: close(table) for what, table in other.probability.items()
    }


@pytest.mark.full
@given(cases(most=2))
def test_a_split_without_noise_changes_no_likelihood(case):
    before = model_of(case.refined)
    after = with_refinement(case.refined, halved(case.refined))
    start = case.refined.grammar.start
    assert after.states == {
        symbol: states if symbol == start else 2 * states
        for symbol, states in before.states.items()
    }
    trees = [events_of(tree, case.classes) for tree in case.derivations]
    for events in [tree for tree in trees if number_of_assignments(after, tree) < 4_000][:2]:
        assert likelihood(after, events) == close(likelihood(before, events))
    for what, table in after.probability.items():
        for states, probability in table.items():
            old = [
                state // 2 if symbol != start else state
                for symbol, state in zip(symbols_of(what), states, strict=True)
            ]
            halves = prod(0.5 for symbol in symbols_of(what)[1:] if symbol != start)
            assert probability == close(halves * before.probability[what][tuple(old)])


@given(cases(), SHARES)
def test_probabilities_add_up(case, part):
    refined = case.refined
    assert adds_up(refined)
    refined.refinements = (halved(refined, noise=0.5),)
    assert adds_up(refined)
    size = int(refined.refinements[0].states.sum())
    random = np.random.default_rng(1)
    refined.refinements = (merged(refined, random.random(size), random.random(size), 0.5),)
    assert adds_up(refined)
    refined.refinements = (smooth(refined.skeleton(), refined.refinements[0], part, part / 2),)
    assert adds_up(refined)


@given(cases(), st.integers(0, 9))
def test_probabilities_of_states_that_never_occur_are_0(case, seed):
    case.refined.refinements = (halved(case.refined),)
    size = int(case.refined.refinements[0].states.sum())
    frequencies = np.random.default_rng(seed).choice([0.0, 0.5, 2.0], size)
    frequencies[case.refined.symbols.index(case.refined.grammar.start)] = 1.0
    case.refined.refinements = (merged(case.refined, frequencies, np.zeros(size), 0.5),)
    assert adds_up(case.refined)


@given(cases(), st.integers(0, 9))
def test_merging_the_halves_of_a_split_restores_the_grammar(case, seed):
    before = model_of(case.refined)
    case.refined.refinements = (halved(case.refined),)
    size = int(case.refined.refinements[0].states.sum())
    frequencies = np.random.default_rng(seed).random(size)
    found = merged(case.refined, frequencies, np.zeros(size), 1.0)
    assert same(with_refinement(case.refined, found), before)


@pytest.mark.full
@given(cases(), st.integers(0, 9), SHARES)
def test_a_merge_of_some_sisters(case, seed, fraction):
    """The cheapest pairs are merged: their mean as a mother, their sum as a child."""
    refined = case.refined
    refined.refinements = (halved(refined, noise=0.5, seed=seed),)
    before = model_of(refined)
    places = [(symbol, state) for symbol in before.states for state in range(before.states[symbol])]
    random = np.random.default_rng(seed)
    frequency = dict(zip(places, random.random(len(places)), strict=True))
    loss = dict(zip(places, random.normal(size=len(places)), strict=True))
    sisters = [place for place in places if place[1] % 2 == 0 and before.states[place[0]] > 1]
    ones = sorted(sisters, key=loss.__getitem__)[: int(fraction * len(sisters))]
    into: dict = {}
    for symbol, states in before.states.items():
        new = -1
        for state in range(states):
            new += (symbol, state - 1) not in ones
            into[symbol, state] = new
    expected = {}
    for what, table in before.probability.items():
        expected[what] = {}
        mother = symbols_of(what)[0]
        for states, probability in table.items():
            key = tuple(into[place] for place in zip(symbols_of(what), states, strict=True))
            whole = sum(
                frequency[mother, state]
                for state in range(before.states[mother])
                if into[mother, state] == key[0]
            )
            share = frequency[mother, states[0]] / whole
            expected[what][key] = expected[what].get(key, 0.0) + share * probability
    found = merged(refined, np.array([*frequency.values()]), np.array([*loss.values()]), fraction)
    states = {symbol: into[symbol, states - 1] + 1 for symbol, states in before.states.items()}
    assert same(with_refinement(refined, found), Model(states, expected))


@given(cases(), SHARES, SHARES)
def test_smoothing_moves_towards_the_mean_of_the_siblings(case, rules, pairs):
    before = model_of(case.refined)
    found = smooth(case.refined.skeleton(), case.refined.refinements[0], rules, pairs)
    expected = {}
    for what, table in before.probability.items():
        part = pairs if len(symbols_of(what)) == 1 else rules
        siblings = range(before.states[symbols_of(what)[0]])
        expected[what] = {
            states: (1 - part) * probability
            + part * sum(table[(one, *states[1:])] for one in siblings) / len(siblings)
            for states, probability in table.items()
        }
    after = with_refinement(case.refined, found)
    assert same(after, Model(before.states, expected))
    if (rules, pairs) == (0.0, 0.0):
        assert same(after, before)


@given(cases(), st.sampled_from([0.01, 0.5]))
def test_noise_is_small_and_depends_on_the_seed(case, noise):
    plain = halved(case.refined)
    one, again, other = (halved(case.refined, noise, seed) for seed in (1, 1, 2))
    assume(len(one.probability) == len(plain.probability))  # what is close to 0 is left out
    for name in ("probability", "pair_probability"):
        quotient = getattr(one, name) / getattr(plain, name)
        assert np.all(quotient <= (1 + noise) / (1 - noise) + 1e-9)
        assert np.all(quotient >= (1 - noise) / (1 + noise) - 1e-9)
        assert np.array_equal(getattr(one, name), getattr(again, name))
    assert not np.array_equal(one.pair_probability, other.pair_probability)


@given(cases(), st.integers(0, 9))
def test_shares_of_sisters(case, seed):
    refinement = halved(case.refined)
    places = [(label, state) for label, n in enumerate(refinement.states) for state in range(n)]
    random = np.random.default_rng(seed)
    frequency = dict(zip(places, random.random(len(places)), strict=True))
    found = shares(refinement, np.array([*frequency.values()]))
    for (label, state), share in zip(places, found, strict=True):
        sister = frequency.get((label, state ^ 1), 0.0)
        assert share == close(frequency[label, state] / (frequency[label, state] + sister))
