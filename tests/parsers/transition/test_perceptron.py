"""Training: the same for each seed, resumed without a difference, averaged correctly."""

from copy import deepcopy

import pytest
from demo_trees import demo_trees
from quick import core
from weights_by_key import KEY, averages, learned_weights

from plcfrs.errors import InputError
from plcfrs.parsers.transition.settings import TransitionSettings
from plcfrs.parsers.transition.training import TransitionTrainer

SYSTEMS = ("gap", "cgap", "swap", "skipshift")
one_system = core(1, "system", SYSTEMS)


@pytest.fixture(scope="module")
def treebank():
    return demo_trees()[:60]


def weights_of(parser):
    """Return all weights of a parser that are not 0, by the lower bits of their keys."""
    return {place: value for place, value in averages(parser.weights).items() if value != 0}


def trained(treebank, settings, epochs):
    training = TransitionTrainer(deepcopy(treebank), settings, {})
    for epoch in range(1, epochs + 1):
        training.run(epoch, lambda: None)
    return training


def without_functions(tree):
    tree = deepcopy(tree)
    tree.secondary_edges = []
    for node in tree.nodes():
        node.functions, node.index, node.gap_index = (), None, None
    return tree


@one_system
def test_what_has_been_learned_is_known(treebank, system):
    training = trained(treebank, TransitionSettings(system), 0)
    figures = [training.run(epoch, lambda: None) for epoch in range(1, 16)]
    assert all(each["sentences"] == len(treebank) for each in figures)
    assert figures[0]["wrong"] > len(treebank) // 2
    assert figures[-1]["wrong"] < figures[0]["wrong"] // 2
    parser = training.model().parser
    found = [parser.parse(tree.tokens).tree for tree in treebank]
    right = sum(one == without_functions(tree) for one, tree in zip(found, treebank, strict=True))
    assert right > 0.6 * len(treebank)


@pytest.mark.full
def test_a_step_for_each_sentence(treebank):
    training, steps = trained(treebank, TransitionSettings(), 0), []
    training.run(1, lambda: steps.append(training.epoch))
    assert steps == [1] * len(treebank)


@pytest.mark.full
def test_the_average_is_that_of_the_weights_after_each_sentence(treebank):
    training = trained(treebank[:12], TransitionSettings(features=("baseline",), beam=2), 0)
    seen = [{}]
    learn = training._learn

    def learn_and_look(example, time):
        is_mistake = learn(example, time)
        seen.append(raw_weights(training))
        return is_mistake

    training._learn = learn_and_look
    for epoch in (1, 2):
        training.run(epoch, lambda: None)
    assert len(seen) == 25
    expected = {}
    for weights in seen:
        for place, weight in weights.items():
            expected[place] = expected.get(place, 0.0) + weight / len(seen)
    found = weights_of(training.model().parser)
    assert found.keys() <= expected.keys()
    for place, weight in expected.items():
        assert found.get(place, 0.0) == pytest.approx(weight, rel=2**-8, abs=1e-6)  # of 16 bits


def raw_weights(training):
    return {
        (key % KEY, action): value
        for (key, action), value in learned_weights(training._weights).items()
    }


@pytest.mark.full
def test_hapaxes_are_one_unknown_word(treebank):
    training = trained(treebank, TransitionSettings(), 0)
    forms = [token.form for tree in treebank for token in tree.tokens]
    assert set(training.vocabulary.words) == {form for form in forms if forms.count(form) > 1}


@core(
    1,
    ("options", "message"),
    [
        (
            {"system": "shift"},
            "'shift' is not a transition system: choose from gap, cgap, swap, skipshift",
        ),
        ({"update": "late"}, "update: 'late' is not one of early, max-violation"),
        ({"beam": 0}, "beam: 0 is not a whole number from 1 to 10000"),
        ({"importance": 0}, "importance must be at least 1, not 0"),
        ({"order": "middle"}, "middle"),
    ],
)
def test_settings_that_make_no_sense(options, message):
    with pytest.raises(InputError, match=message):
        TransitionSettings(**options)
