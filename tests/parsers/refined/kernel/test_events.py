"""Sums over the substates of fixed trees, against their enumeration; also as plain Python."""

from math import log

import numpy as np
import pytest
from hypothesis import given
from naive.latent import (
    Model,
    events_of,
    expected_counts,
    likelihood,
    merge_loss,
    model_of,
    state_counts,
    tables_of,
)
from naive.refinements import cases, kernel_events, refinement_of
from quick import examples

from plcfrs.grammar import Derivation, Grammar, Nonterminal, Rule, tag
from plcfrs.grammar.words import WordClasses
from plcfrs.parsers.refined.grammar import RefinedGrammar
from plcfrs.parsers.refined.kernel import EventWorkspace, add_merge_losses, count_events

S, A = Nonterminal("S"), tag("a")


def close(expected):
    return pytest.approx(expected, rel=1e-9, abs=1e-12)


def workspace(refinement, trees):
    """Return memory for the kernels; the output is NaN at first."""
    size = max(map(len, trees)), int(max(refinement.states))
    inside, outside = np.full((2, size[0] + 1, size[1]), np.nan)
    inside[-1, 0] = 1.0
    zeros = map(np.zeros_like, (refinement.probability, refinement.pair_probability))
    return EventWorkspace(inside, outside, np.full(size[0], np.nan), *zeros)


def counted(refined, trees):
    """Return the log likelihood and the expected counts that the kernel finds."""
    refinement = refined.refinements[0]
    work = workspace(refinement, trees)
    log_likelihood = count_events(kernel_events(refined, trees), refinement, work)
    counts = refinement._replace(probability=work.counts, pair_probability=work.pair_counts)
    return log_likelihood, tables_of(refined, counts).probability


@examples(250)
@given(cases())
def test_expected_counts_and_likelihood(case):
    model = model_of(case.refined)
    trees = [events_of(derivation, case.classes) for derivation in case.derivations]
    expected = expected_counts(model, trees)
    log_likelihood, counts = counted(case.refined, trees)
    assert log_likelihood == close(sum(log(likelihood(model, tree)) for tree in trees))
    assert counts == {what: close(table) for what, table in expected.items()}


@examples(250)
@given(cases())
def test_merge_losses(case):
    model = model_of(case.refined)
    trees = [events_of(derivation, case.classes) for derivation in case.derivations]
    frequency = state_counts(expected_counts(model, trees))
    sisters, share, start = {}, [], [0]
    for symbol, states in model.states.items():
        firsts = range(0, states - 1, 2)
        sisters |= {len(share) + one: (symbol, one, one + 1) for one in firsts}
        for state in range(states):
            of_both = [frequency.get((symbol, one), 0.0) for one in (state, state ^ 1)]
            share.append(of_both[0] / sum(of_both) if sum(of_both) else 0.5)
        start.append(len(share))
    refinement = case.refined.refinements[0]
    losses = np.zeros(len(share))
    add_merge_losses(
        kernel_events(case.refined, trees),
        refinement,
        workspace(refinement, trees),
        np.array(start, np.int64),
        np.array(share),
        losses,
    )
    for place, loss in enumerate(losses):
        if place not in sisters or not frequency.get(sisters[place][:2]):
            assert loss == 0
        else:
            assert loss == pytest.approx(merge_loss(model, trees, *sisters[place]), abs=1e-9)


def test_a_tree_by_hand():
    """S -> a, S -> a: the states of the tag by the rule of Bayes."""
    rule = Rule(S, (A,), ((0,),))
    model = Model(
        {S: 1, A: 2},
        {
            rule: {(0, 0): 0.25, (0, 1): 0.75},
            (A, "x"): {(0,): 0.5, (1,): 0.1},
            (A, "y"): {(0,): 0.5, (1,): 0.9},
        },
    )
    refined = with_model(Grammar({rule: 1}, start=S), model)
    tree = events_of(Derivation(S, ((0,),), (Derivation(A),)), ["x"])
    log_likelihood, counts = counted(refined, [tree, tree])
    assert log_likelihood == pytest.approx(2 * log(0.2))  # 0.125 + 0.075
    assert counts[rule] == pytest.approx({(0, 0): 2 * 0.625, (0, 1): 2 * 0.375})
    assert counts[A, "x"] == pytest.approx({(0,): 2 * 0.625, (1,): 2 * 0.375})
    assert counts[A, "y"] == {(0,): 0, (1,): 0}


@pytest.mark.full
@pytest.mark.parametrize("words", [150, 3000])
def test_no_underflow_in_long_sentences(words):
    """A chain of S -> a S, each tag with its own state."""
    longer, last = Rule(S, (A, S), ((0, 1),)), Rule(S, (A,), ((0,),))
    model = Model(
        {S: 1, A: 2},
        {
            longer: {(0, 0, 0): 0.25, (0, 1, 0): 0.25},
            last: {(0, 0): 0.25, (0, 1): 0.25},
            (A, "x"): {(0,): 1e-6, (1,): 2e-6},
            (A, "y"): {(0,): 1 - 1e-6, (1,): 1 - 2e-6},
        },
    )
    refined = with_model(Grammar({longer: 1, last: 1}, start=S), model)
    derivation = Derivation(S, ((0,),), (Derivation(A),))
    for _ in range(words - 1):
        derivation = Derivation(S, ((0, 1),), (Derivation(A), derivation))
    log_likelihood, counts = counted(refined, [events_of(derivation, ["x"] * words)])
    assert log_likelihood == pytest.approx(words * log(0.75e-6), rel=1e-12)
    above = words - 1
    assert counts[longer] == pytest.approx({(0, 0, 0): above / 3, (0, 1, 0): above * 2 / 3})
    assert counts[last] == pytest.approx({(0, 0): 1 / 3, (0, 1): 2 / 3})
    assert counts[A, "x"] == pytest.approx({(0,): words / 3, (1,): words * 2 / 3})


def with_model(grammar, model):
    """Return a grammar with two frequent words that has one refinement."""
    pairs = {pair: 1.0 for pair in model.probability if not isinstance(pair, Rule)}
    refined = RefinedGrammar(grammar, WordClasses(frozenset("xy"), frozenset()), pairs)
    refined.refinements = (refinement_of(model, refined),)
    return refined
