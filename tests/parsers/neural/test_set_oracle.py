"""The oracles against an exhaustive search over all continuations, and costs of transitions."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive.set_oracle import attainable, cost, dynamic_oracle, reachable
from quick import examples
from set_walks import golds, legal_transitions, mask, random_walk

from plcfrs.parsers.neural.configuration import (
    SHIFT,
    CombineSets,
    Configuration,
    LabelFocus,
    NoLabel,
    SetState,
    Shift,
    apply,
    constituents_of,
    narrowed,
    run,
)
from plcfrs.parsers.neural.oracle import example, static_oracle
from plcfrs.transformation import transform_all
from plcfrs.treebank import read_trees

randoms = st.randoms(use_true_random=False)


def exhaustive(gold, length):
    """Return a function that gives the most sets of a tree that a continuation makes.

    Sets are frozensets here, and nothing is shared with the package.
    """
    wanted = {frozenset(t for t in range(length) if tokens >> t & 1) for tokens in gold}

    @cache
    def most(memory, focus, following, is_label_step):
        if is_label_step:
            return (focus in wanted) + most(memory, focus, following, False)
        found = []
        if following < length:
            memory_after = memory | {focus} if focus else memory
            found.append(most(memory_after, frozenset({following}), following + 1, True))
        found += [most(memory - {part}, focus | part, following, True) for part in memory]
        return max(found, default=0)

    return most


def most_of(most, configuration):
    def tokens(part):
        return frozenset(t for t in range(configuration.length) if part >> t & 1)

    memory = frozenset(map(tokens, configuration.memory))
    is_label_step = configuration.steps % 2 == 1
    return most(memory, tokens(configuration.focus), configuration.next, is_label_step)


def check_walk(gold, length, walk):
    """Check the oracle and all costs in the configurations of a walk."""
    most = exhaustive(gold, length)
    labels = {*gold.values(), "NP"}
    configurations, transitions = walk
    for configuration in configurations:
        assert len(reachable(gold, configuration)) == most_of(most, configuration)
        if configuration.is_final:
            continue
        costs = {
            each: cost(gold, configuration, each)
            for each in legal_transitions(configuration, labels)
        }
        assert min(costs.values()) == 0
        right = dynamic_oracle(gold, configuration)
        assert all(costs[each] == 0 for each in right)
        if configuration.steps % 2 == 0:
            assert set(right) == {each for each in costs if costs[each] == 0}
            assert in_the_paper(gold, configuration) <= set(right)
        assert right
        for transition, lost in costs.items():
            after = apply(configuration, transition)
            made = len(gold.items() & dict(after.constituents).items())
            before = len(gold.items() & dict(configuration.constituents).items())
            assert lost == (most_of(most, configuration) + before) - (most_of(most, after) + made)
    lost = sum(map(cost, [gold] * len(transitions), configurations, transitions))
    built = dict(configurations[-1].constituents)
    assert lost == len(gold.items() - built.items())


@examples(40)
@given(golds(5), randoms)
def test_reachable_sets_and_costs_agree_with_an_exhaustive_search(pair, random):
    gold, length = pair
    labels = sorted({*gold.values(), "NP"})
    check_walk(gold, length, random_walk(random, length, labels))


@pytest.mark.full
@settings(max_examples=400)
@given(golds(6), randoms)
def test_the_same_with_more_and_longer_trees(pair, random):
    gold, length = pair
    for _ in range(4):
        check_walk(gold, length, random_walk(random, length, [*gold.values()]))


def in_the_paper(gold, configuration):
    """Return the transitions of its oracle at a structure step, without the focus as a target."""
    target, focus = reachable(gold, configuration)[0], configuration.focus
    found = {
        CombineSets(min(token for token in range(configuration.length) if part >> token & 1))
        for part in configuration.memory
        if (part | focus) & target == part | focus
    }
    return found | {Shift()} if target.bit_length() > focus.bit_length() else found


@given(golds(10))
def test_the_preferred_transition_is_the_static_one_along_gold_derivations(pair):
    gold, length = pair
    follow_both(gold, length)


@pytest.mark.full
def test_the_same_with_all_trees_of_the_treebanks(penn_treebank, potsdam):
    for tree in [*transform_all(penn_treebank), *transform_all(read_trees(potsdam))]:
        follow_both(constituents_of(tree), len(tree.tokens))


def follow_both(gold, length):
    derivation = static_oracle(gold, length)
    for configuration, transition in zip(run(derivation, length), derivation, strict=False):
        assert dynamic_oracle(gold, configuration)[0] == transition
    numbers = {label: number for number, label in enumerate(sorted({*gold.values()}), start=1)}
    found = example(gold, length, numbers)
    assert found.right.tolist() == right_candidates(gold, derivation, length)


def right_candidates(gold, derivation, length):
    """Return the number of the right candidate in each configuration with a choice."""
    found = []
    for configuration in run(derivation, length)[:-1]:
        candidates = legal_transitions(configuration)
        if configuration.steps % 2 == 0 and len(candidates) > 1:
            found.append(candidates.index(dynamic_oracle(gold, configuration)[0]))
    return found


@given(golds(9), randoms, st.data())
def test_the_oracle_makes_all_that_is_reachable_and_nothing_else(pair, random, data):
    gold, length = pair
    configurations, _ = random_walk(random, length)
    configuration = data.draw(st.sampled_from(configurations))
    before, wanted = len(configuration.constituents), reachable(gold, configuration)
    while not configuration.is_final:
        right = dynamic_oracle(gold, configuration)
        assert all(cost(gold, configuration, each) == 0 for each in right)
        configuration = apply(configuration, random.choice(right))
    made = configuration.constituents[before:]
    assert sorted(made) == [(tokens, gold[tokens]) for tokens in wanted]


@pytest.mark.full
@given(golds(9), randoms)
def test_the_quick_states_agree(pair, random):
    gold, length = pair
    configurations, transitions = random_walk(random, length)
    state, left = SetState(), sorted(gold)
    for configuration, transition in zip(configurations[::2], transitions[::2], strict=False):
        assert state == (configuration.memory, configuration.focus, configuration.next)
        assert left == reachable(gold, configuration)
        options = state.options(length)
        steps = [state.step(option) for option in options]
        assert [
            Shift() if step == SHIFT else CombineSets(step) for step in steps
        ] == legal_transitions(configuration)
        assert tuple(map(state.option, steps)) == options
        right = state.step(state.right_option(left))
        preferred = dynamic_oracle(gold, configuration)[0]
        assert preferred == (Shift() if right == SHIFT else CombineSets(right))
        state = state.after(options[legal_transitions(configuration).index(transition)])
        left = narrowed(left, state.focus)
    assert left == []


def test_a_mother_that_ends_with_its_child():
    """(S (NP a b) (VP c (NP d e))): the focus de has its label, so VP is next."""
    gold = {
        mask(0, 1): "NP",
        mask(3, 4): "NP",
        mask(2, 3, 4): "VP",
        mask(0, 1, 2, 3, 4): "ROOT+S",
    }
    derivation = static_oracle(gold, 5)
    configuration = run(derivation[:14], 5)[-1]
    assert configuration.focus == mask(3, 4)
    assert configuration.constituents[-1] == (mask(3, 4), "NP")
    assert reachable(gold, configuration) == [mask(2, 3, 4), mask(0, 1, 2, 3, 4)]
    assert dynamic_oracle(gold, configuration) == [CombineSets(2)]
    assert cost(gold, configuration, CombineSets(0)) == 1
    assert attainable(gold, Configuration(5)) == 4


def test_costs_of_labels():
    gold = {0b01: "NP", 0b11: "ROOT"}
    [configuration] = run([Shift()], 2)[1:]
    assert dynamic_oracle(gold, configuration) == [LabelFocus("NP")]
    costs = [
        cost(gold, configuration, each) for each in (LabelFocus("NP"), LabelFocus("VP"), NoLabel())
    ]
    assert costs == [0, 1, 1]
    last = run([Shift(), NoLabel(), Shift()], 2)[-1]
    assert dynamic_oracle(gold, last) == [NoLabel()]
    assert [cost(gold, last, each) for each in (LabelFocus("NP"), NoLabel())] == [0, 0]


def test_parts_of_a_later_constituent_are_joined_as_well():
    """The oracle of the paper has only SHIFT here."""
    gold = {mask(2, 3): "NP", mask(0, 1, 2, 3): "ROOT"}
    configuration = run([Shift(), NoLabel(), Shift(), NoLabel()], 4)[-1]
    assert in_the_paper(gold, configuration) == {Shift()}
    assert dynamic_oracle(gold, configuration) == [CombineSets(0), Shift()]
