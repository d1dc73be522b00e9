"""Training: EM step by step against enumeration, and what must hold on any treebank."""

from collections import Counter
from copy import deepcopy
from dataclasses import replace
from itertools import groupby, pairwise
from math import fsum, log

import numpy as np
import pytest
from demo_trees import demo_trees
from hypothesis import assume, given
from hypothesis import strategies as st
from naive.latent import (
    Model,
    events_of,
    expected_counts,
    likelihood,
    maximize,
    merge_loss,
    model_of,
    number_of_assignments,
    totals,
)
from quick import core, examples
from refining import train, train_product
from strategies import trees

from plcfrs.errors import TreebankError
from plcfrs.grammar import Markovization, Recipe, binarize_tree, derivation_of, tag
from plcfrs.parsers.refined.grammar import compile_trees
from plcfrs.parsers.refined.training import Refining, Schedule, run_together
from plcfrs.transformation import transform

FROM_LEFT = Markovization("left-to-right", horizontal=1)
TREEBANKS = st.lists(trees(max_tokens=4), min_size=1, max_size=4)
ONLY_SPLIT = Schedule(
    cycles=1, iterations=0, merged_iterations=0, smoothed_iterations=0, noise=0.3, merged=0.0
)


@pytest.fixture(scope="module")
def demo():
    """The demo treebank, compiled."""
    return compile_trees(demo_trees())


def compiled(treebank, rare=1):
    return compile_trees(treebank, FROM_LEFT, rare)


def all_events(treebank, classes):
    """Return the events of trees for the reference."""
    found = []
    for tree in deepcopy(treebank):
        derivation = derivation_of(binarize_tree(tree, FROM_LEFT))
        found.append(events_of(derivation, classes.of_sentence([t.form for t in tree.tokens])))
    return found


def few_assignments(treebank):
    """Leave out trees with too many assignments even for two states of each symbol."""
    sizes = [2 ** (len(tree.tokens) + 2 * len(tree.nodes())) for tree in treebank]
    kept = [tree for tree, size in zip(treebank, sizes, strict=True) if size <= 2**14]
    assume(kept)
    return kept


def trained(training, seed, **changes) -> Model:
    """Return the result of training that only splits, with some changes."""
    *_, last = train(training, replace(ONLY_SPLIT, **changes), seed)
    training.refined.refinements = (last.refinement,)
    return model_of(training.refined)


def steps_of(training, schedule, seed=1):
    """Return the log likelihoods of each phase of each cycle, and all cycles."""
    steps = []
    cycles = list(train(training, schedule, seed, steps.append))
    phases = groupby(steps, key=lambda step: (step.cycle, step.phase))
    return {phase: [step.log_likelihood for step in of] for phase, of in phases}, cycles


def check_phases(training, schedule, seed=1):
    """Check that the likelihood never falls, except by smoothing."""
    phases, cycles = steps_of(training, schedule, seed)
    for (_, phase), found in phases.items():
        assert np.all(np.isfinite(found))
        if phase != "smooth":
            for before, after in pairwise(found):
                assert after >= before - 1e-9 * (1 + abs(before))
    for cycle in cycles:
        training.refined.refinements = (cycle.refinement,)
        for total in totals(model_of(training.refined)).values():
            assert total == pytest.approx(1, rel=1e-9)
    return phases, cycles


@given(TREEBANKS)
def test_a_treebank_is_counted(treebank):
    before = deepcopy(treebank)
    refined = compiled(treebank).refined
    assert treebank == before
    plain = Recipe("left-to-right", horizontal=1).grammar(treebank)
    assert refined.grammar.rules == plain.rules
    assert refined.grammar.lexicon.words == plain.lexicon.words
    assert compiled(treebank).tokens == sum(len(tree.tokens) for tree in treebank)
    seen = Counter()
    for tree in treebank:
        classes = refined.classes.of_sentence([token.form for token in tree.tokens])
        seen.update((tag(token.tag), of) for token, of in zip(tree.tokens, classes, strict=True))
    assert refined.pairs == seen


@given(TREEBANKS)
def test_the_unrefined_grammar_has_relative_frequencies(treebank):
    training = compiled(treebank)
    (cycle,) = train(training, Schedule(cycles=0))
    assert cycle.number == 0
    assert set(cycle.refinement.states) == {1}
    rules = training.refined.grammar.probabilities()
    tags = Counter()
    for (name, _), count in training.refined.pairs.items():
        tags[name] += count
    terms = [log(rules[rule]) * count for rule, count in training.refined.grammar.rules.items()]
    for (name, _), count in training.refined.pairs.items():
        terms.append(count * log(count / tags[name]))
    assert cycle.log_likelihood == pytest.approx(fsum(terms), abs=1e-9)


@given(TREEBANKS, st.integers(0, 5), st.integers(0, 2))
def test_a_step_is_expectation_and_maximization(treebank, seed, iterations):
    treebank = few_assignments(treebank)
    training = compiled(treebank)
    before = trained(training, seed, iterations=iterations)
    events = all_events(treebank, training.refined.classes)
    assume(sum(number_of_assignments(before, tree) for tree in events) <= 4_000)
    after = trained(training, seed, iterations=iterations + 1)
    expected = maximize(before, expected_counts(before, events))
    for what, table in expected.probability.items():
        assert after.probability[what] == pytest.approx(table, rel=1e-9, abs=1e-12)


@given(TREEBANKS, st.integers(0, 5))
def test_likelihoods_are_those_of_the_trees(treebank, seed):
    treebank = few_assignments(treebank)
    training = compiled(treebank)
    schedule = Schedule(cycles=1, iterations=3, merged_iterations=2, smoothed_iterations=2)
    phases, cycles = steps_of(training, schedule, seed)
    assert [(key, len(found)) for key, found in phases.items()] == [
        ((1, "split"), 3),
        ((1, "merge"), 2),
        ((1, "smooth"), 2),
    ]
    events = all_events(treebank, training.refined.classes)
    for cycle in cycles:
        training.refined.refinements = (cycle.refinement,)
        model = model_of(training.refined)
        assume(sum(number_of_assignments(model, tree) for tree in events) <= 4_000)
        expected = fsum(log(likelihood(model, tree)) for tree in events)
        assert cycle.log_likelihood == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.full
@given(TREEBANKS, st.integers(0, 5), st.sampled_from([0.3, 0.5, 0.9, 1.0]))
def test_the_splits_that_are_undone_bring_least(treebank, seed, merged):
    treebank = few_assignments(treebank)
    training = compiled(treebank)
    before = trained(training, seed, iterations=1)
    events = all_events(treebank, training.refined.classes)
    assume(sum(number_of_assignments(before, tree) for tree in events) <= 2_000)
    after = trained(training, seed, iterations=1, merged=merged)
    losses = {
        symbol: merge_loss(before, events, symbol, 0, 1)
        for symbol, states in before.states.items()
        if states == 2
    }
    undone = [losses[symbol] for symbol in losses if after.states[symbol] == 1]
    assert len(undone) == int(merged * len(losses))
    least = sorted(losses.values())[: len(undone)]
    assert sorted(undone) == pytest.approx(least, abs=2e-6)  # smaller differences are none


@examples(300)
@given(TREEBANKS, st.integers(0, 5))
def test_likelihood_never_falls_on_random_treebanks(treebank, seed):
    schedule = Schedule(cycles=3, iterations=10, merged_iterations=6, noise=0.2)
    check_phases(compiled(treebank), schedule, seed)


@pytest.mark.full
def test_likelihood_never_falls_on_the_demo_treebank(demo):
    phases, cycles = check_phases(demo, Schedule(cycles=3))
    assert [cycle.number for cycle in cycles] == [0, 1, 2, 3]
    assert cycles[-1].log_likelihood > cycles[0].log_likelihood + 100
    assert all(phases[cycle, "split"][-1] > phases[cycle, "split"][0] for cycle in (1, 2, 3))
    assert cycles[-1].refinement.states[0] == 1
    assert max(cycles[-1].refinement.states) > 2


def test_a_split_without_noise_keeps_the_likelihood_of_the_demo_treebank(demo):
    schedule = Schedule(2, 3, 2, 0, noise=0.0)
    phases, (unrefined, *cycles) = steps_of(demo, schedule)
    for found in [*phases.values(), [cycle.log_likelihood for cycle in cycles]]:
        assert found == pytest.approx([unrefined.log_likelihood] * len(found), rel=1e-12)


def same(one, other):
    return all(np.array_equal(left, right) for left, right in zip(one, other, strict=True))


def test_one_seed_gives_one_refinement(demo):
    schedule = Schedule(cycles=2, iterations=3, merged_iterations=2, smoothed_iterations=1)
    one, again, other = (list(train(demo, schedule, seed)) for seed in (1, 1, 2))
    for left, right in zip(one, again, strict=True):
        assert same(left.refinement, right.refinement)
        assert left.log_likelihood == right.log_likelihood
    assert not same(one[-1].refinement, other[-1].refinement)
    assert same(one[0].refinement, other[0].refinement)


@pytest.mark.full
@core(1, "jobs", [3, 1])
def test_several_seeds_at_once(demo, jobs):
    schedule = Schedule(cycles=1, iterations=3, merged_iterations=2, smoothed_iterations=1)
    refined = train_product(demo, schedule, [3, 1, 2], jobs=jobs)
    for seed, refinement in zip([3, 1, 2], refined.refinements, strict=True):
        *_, last = train(demo, schedule, seed)
        assert same(last.refinement, refinement)
    assert refined.pairs == demo.refined.pairs


def refinings(training, seeds):
    return [Refining(training, Schedule(), seed) for seed in seeds]


@core(1, "jobs", [2, 1])
def test_an_interruption_stops_all_seeds(demo, jobs):
    steps = []

    def report(step):
        steps.append(step)
        if len(steps) == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_together(refinings(demo, [1, 2, 3, 4]), 1, report, jobs=jobs)
    # The others would go to their ends; a thread may take some steps before it is stopped.
    assert len(steps) < 3 * Schedule().steps


def test_an_error_of_a_later_seed_stops_all(demo):
    steps = []

    def report(step):
        steps.append(step)
        if step.seed == 3:
            raise RuntimeError("the disk is full")

    with pytest.raises(RuntimeError, match="the disk is full"):
        run_together(refinings(demo, [1, 2, 3]), 1, report, jobs=3)
    assert len(steps) < 3 * Schedule().steps


def test_nothing_to_train_on():
    with pytest.raises(TreebankError, match="no trees"):
        compile_trees([])


def test_a_tree_without_heads():
    tree = demo_trees()[0]
    for node in tree.nodes():
        node.head = None
    before = deepcopy(tree)
    with pytest.raises(TreebankError, match="head"):
        compile_trees([tree])
    assert tree.tokens == before.tokens


@pytest.mark.full
def test_likelihood_never_falls_on_the_penn_treebank(penn_treebank):
    training = compile_trees(map(transform, penn_treebank[:3396]))
    schedule = Schedule(cycles=2, iterations=8, merged_iterations=5, smoothed_iterations=3)
    _, cycles = check_phases(training, schedule)
    found = [cycle.log_likelihood for cycle in cycles]
    assert found == sorted(found)
