"""The search against all derivations, listed one by one, and sampling against the softmax."""

from collections import Counter
from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from quick import core
from set_walks import LABELS, WildScorer, golds, random_walk

from plcfrs.parsers.neural.configuration import (
    SHIFT,
    CombineSets,
    Configuration,
    Shift,
    apply,
    slots,
    structure_transitions,
    tree_of,
)
from plcfrs.parsers.neural.oracle import example
from plcfrs.parsers.neural.search import sample, search, show, transitions_of
from plcfrs.trees import Token

seeds = st.integers(0, 10_000)


def naive_slots(tokens):
    """The slots of a set, by looking at each token."""
    inside = [token for token in range(tokens.bit_length()) if tokens >> token & 1]
    gap = [token for token in range(inside[0], inside[-1]) if token not in inside]
    return (inside[0], inside[-1], *((gap[0], gap[-1]) if gap else (-1, -1)))


@given(st.integers(1, 1 << 70))
def test_slots(tokens):
    assert slots(tokens) == naive_slots(tokens)


def log_softmax(scores):
    total = log(sum(map(exp, scores)))
    return [score - total for score in scores]


def naive_choices(configuration, scorer):
    """Return the structure transitions of a configuration with the logs of their probabilities."""
    transitions = structure_transitions(configuration)
    if len(transitions) == 1:
        return [(transitions[0], 0.0)]
    focus = naive_slots(configuration.focus)
    sets = [1 << configuration.next] * (configuration.next < configuration.length)
    rows = [naive_slots(part) + focus for part in (*sets, *configuration.memory)]
    scores = scorer.structure(np.array(rows, np.int32)).tolist()
    return list(zip(transitions, log_softmax(scores), strict=True))


def after_pair(configuration, transition):
    """Return the configuration after a structure step and any label step."""
    after = apply(configuration, transition)
    return after._replace(steps=after.steps + 1)


def all_derivations(length, scorer):
    """Return all sequences of structure transitions with their scores, the best first."""
    open_, found = [(Configuration(length), [], [])], []
    while open_:
        configuration, transitions, scores = open_.pop()
        if configuration.is_final:
            found.append((sum(scores), transitions, scores))
        else:
            for transition, score in naive_choices(configuration, scorer):
                after = after_pair(configuration, transition)
                open_.append((after, [*transitions, transition], [*scores, score]))
    return sorted(found, key=lambda each: -each[0])


def naive_greedy(length, scorer):
    configuration, found = Configuration(length), []
    while not configuration.is_final:
        found.append(max(naive_choices(configuration, scorer), key=lambda each: each[1])[0])
        configuration = after_pair(configuration, found[-1])
    return found


def structure(steps):
    return [Shift() if step == SHIFT else CombineSets(step) for step in steps]


@core(2, "length", [1, 2, 3, 4, 5, pytest.param(6, marks=pytest.mark.full)])
@core(2, "seed", [1, 2])
def test_a_wide_beam_finds_all_derivations_in_order(length, seed):
    scorer = WildScorer([length], seed)
    every = all_derivations(length, scorer)
    [(found, *_)] = search([length], scorer, LABELS, beam=10**6)
    assert len(found) == len(every) == {1: 1, 2: 1, 3: 3, 4: 15, 5: 105, 6: 945}[length]
    scores = [sum(each.step_scores) for each in found]
    assert scores == pytest.approx([score for score, _, _ in every])
    assert sum(map(exp, scores)) == pytest.approx(1)
    by_steps = {tuple(map(str, steps)): scores for _, steps, scores in every}
    for derivation in found:
        steps = tuple(map(str, structure(derivation.steps)))
        assert derivation.step_scores == pytest.approx(by_steps.pop(steps), abs=1e-6)


@given(st.integers(1, 9), seeds)
def test_a_beam_of_one_is_greedy(length, seed):
    scorer = WildScorer([length], seed)
    [([found], *_)] = search([length], scorer, LABELS)
    assert structure(found.steps) == naive_greedy(length, scorer)


@given(st.lists(st.integers(1, 9), max_size=5), st.integers(1, 5), seeds)
def test_many_sentences_are_parsed_as_one_at_a_time(lengths, beam, seed):
    together = search(lengths, WildScorer(lengths, seed), LABELS, beam)
    for length, (found, *_) in zip(lengths, together, strict=True):
        [(alone, *_)] = search([length], WildScorer([length], seed), LABELS, beam)
        assert [each[:3] for each in found] == [each[:3] for each in alone]
        for one, other in zip(found, alone, strict=True):
            assert one.step_scores == pytest.approx(other.step_scores)
            assert one.label_scores == pytest.approx(other.label_scores)


@given(st.integers(1, 8), st.integers(2, 6), seeds)
def test_a_beam_is_sorted_and_has_no_derivation_twice(length, beam, seed):
    [(found, *_)] = search([length], WildScorer([length], seed), LABELS, beam)
    totals = [sum(each.step_scores) for each in found]
    assert totals == sorted(totals, reverse=True)
    assert len({tuple(each.steps) for each in found}) == len(found) <= beam


@given(st.integers(1, 8), seeds)
def test_labels(length, seed):
    """They are the best ones; those of a sentence begin with ROOT, and no others do."""
    scorer = WildScorer([length], seed)
    [([found], *_)] = search([length], scorer, LABELS)
    full = (1 << length) - 1
    for tokens, label, score in zip(found.sets, found.labels, found.label_scores, strict=True):
        allowed = [2, 3] if tokens == full else [0, 1, 4]
        [row] = scorer.labels(np.array([naive_slots(tokens)], np.int32)).tolist()
        logs = log_softmax([row[number] for number in allowed])
        assert score == pytest.approx(max(logs), abs=1e-5)
        assert label == allowed[logs.index(max(logs))]
    assert found.sets[-1] == full
    assert found.constituents == {
        tokens: label for tokens, label in zip(found.sets, found.labels, strict=True) if label
    }
    assert found.log_probability == pytest.approx(sum(found.step_scores + found.label_scores))


@given(st.integers(1, 8), seeds)
def test_a_derivation_has_a_tree_and_can_be_shown(length, seed):
    [([found], *_)] = search([length], WildScorer([length], seed), LABELS)
    tokens = [Token(f"w{place}", "A") for place in range(length)]
    tree = tree_of({part: LABELS[label] for part, label in found.constituents.items()}, tokens)
    assert len(tree.tokens) == length
    transitions = transitions_of(found, LABELS)
    assert len(transitions) == 4 * length - 2
    configuration = Configuration(length)
    for transition in transitions:
        configuration = apply(configuration, transition)
    assert show(configuration, tree.words())["memory"] == ""
    assert dict(configuration.constituents) == {
        part: LABELS[label] for part, label in found.constituents.items()
    }


@given(st.integers(1, 9), seeds)
def test_steps_without_a_choice_are_not_scored(length, seed):
    scorer = WildScorer([length], seed)
    [([found], *_)] = search([length], scorer, LABELS)
    configuration, candidates = Configuration(length), []
    for step, score in zip(structure(found.steps), found.step_scores, strict=True):
        number = len(configuration.memory) + (configuration.next < length)
        if number == 1:
            assert score == 0
        else:
            candidates.append(number)
        configuration = after_pair(configuration, step)
    assert [len(rows) for rows in scorer.rows] == candidates


@given(st.integers(1, 9), seeds)
def test_the_search_asks_what_an_example_has(length, seed):
    scorer = WildScorer([length], seed)
    [([found], *_)] = search([length], scorer, LABELS)
    gold = {tokens: LABELS[label] for tokens, label in found.constituents.items()}
    numbers = {label: number for number, label in enumerate(LABELS)}
    learned = example(gold, length, numbers, found.steps)
    asked = np.concatenate([np.zeros((0, 8), np.int32), *scorer.rows])
    assert learned.candidates.tolist() == asked.tolist()
    assert learned.label.tolist() == found.labels
    assert learned.labelled.tolist() == [list(naive_slots(tokens)) for tokens in found.sets]
    assert learned.starts[-1] == len(asked)
    assert len(learned.right) == len(learned.starts) - 1
    assert (learned.right < np.diff(learned.starts)).all()


def test_samples_follow_the_softmax():
    scorer = WildScorer([3, 4], seed=3)
    every = all_derivations(4, WildScorer([4], seed=3))
    random = np.random.default_rng(1)
    size = 2000
    lengths = [4] * size
    counts = Counter(
        tuple(map(str, structure(steps)))
        for steps in sample(lengths, WildScorer(lengths, seed=3), random)
    )
    for score, transitions, _ in every:
        expected, seen = size * exp(score), counts[tuple(map(str, transitions))]
        assert abs(seen - expected) < 4 * (expected + 1) ** 0.5
    assert sum(counts.values()) == size
    short, long = sample([3, 4], scorer, random)
    assert (len(short), len(long)) == (5, 7)


@given(golds(8), seeds)
def test_samples_that_never_follow_the_softmax_are_those_of_the_oracle(pair, seed):
    gold, length = pair
    random = np.random.default_rng(seed)
    scorer = WildScorer([length], seed)
    [steps] = sample([length], scorer, random, [gold], follow=0.0)
    numbers = {label: number for number, label in enumerate(sorted({*gold.values()}), start=1)}
    for one, other in zip(
        example(gold, length, numbers, steps), example(gold, length, numbers), strict=True
    ):
        assert one.tolist() == other.tolist()


@pytest.mark.full
def test_samples_follow_the_oracle_as_often_as_asked():
    gold = {(1 << 6) - 1: "ROOT"}  # the oracle combines at once
    lengths = [6] * 300
    scorer, random = WildScorer(lengths, 2), np.random.default_rng(1)
    firsts = []
    for follow in (0.0, 0.5, 1.0):
        found = sample(lengths, scorer, random, [gold] * 300, follow)
        firsts.append(sum(steps[2] == 0 for steps in found) / 300)
    assert firsts[0] == 1
    assert firsts[1] == pytest.approx((1 + firsts[2]) / 2, abs=0.1)
    assert firsts[2] < 0.95


@given(st.integers(1, 8), st.randoms(use_true_random=False))
def test_examples_along_any_derivation_have_the_labels_of_the_tree(length, random):
    configurations, transitions = random_walk(random, length)
    steps = [
        SHIFT if each == Shift() else each.left
        for each in transitions
        if isinstance(each, (Shift, CombineSets))
    ]
    gold = {(1 << length) - 1: "ROOT", 1 << (length - 1): "ROOT" if length == 1 else "NP"}
    found = example(gold, length, {"NP": 1, "ROOT": 2}, steps)
    focuses = [configuration.focus for configuration in configurations[1::2]]
    names = ("", "NP", "ROOT")
    assert [names[number] for number in found.label] == [gold.get(part, "") for part in focuses]
    assert found.label[-1] == 2
    assert all(array.dtype == np.int32 for array in found)


def test_no_sentences():
    assert search([], WildScorer([]), LABELS) == []
    assert sample([], WildScorer([]), np.random.default_rng(1)) == []
