"""Training with scores after each epoch, of which the best is kept, and training resumed."""

import numpy as np
import pytest

from plcfrs.errors import GrammarError, InputError, TreebankError
from plcfrs.evaluation import score
from plcfrs.pipeline import Learning, TransitionModel, load_model
from plcfrs.storage.model_file import load, save
from plcfrs.transformation import transform
from plcfrs.transition.settings import Settings
from plcfrs.transition.tagger import jackknifed_tags
from plcfrs.treebank import read_trees


def demo(first=0, last=None):
    return [transform(tree) for tree in list(read_trees("plcfrs:demo"))[first:last]]


def learning(**changes):
    arguments = {"settings": Settings(), "development": demo(60, 90), **changes}
    return Learning(arguments.pop("trees", None) or demo(0, 60), **arguments)


def same(one: TransitionModel, other: TransitionModel) -> bool:
    (_, header, arrays), (_, other_header, others) = one.contents(), other.contents()
    return header == other_header and all(
        arrays[name].tobytes() == others[name].tobytes() for name in {**arrays, **others}
    )


def test_the_best_epoch_is_kept():
    training = learning()
    epochs = [training.run_epoch() for _ in range(14)]
    assert [epoch.number for epoch in epochs] == list(range(1, 15))
    best = max(epochs, key=lambda epoch: epoch.f1)
    assert training.best == best.number < 14
    assert training.model.options["epochs"] == str(best.number)
    is_best = [
        epoch.number == 1 or all(epoch.f1 > e.f1 for e in epochs[: epoch.number - 1])
        for epoch in epochs
    ]
    assert [epoch.is_best for epoch in epochs] == is_best
    gold = demo(60, 90)
    parses = [training.model.parse_tokens(tree.tokens, tagged=True).tree for tree in gold]
    scores = score(gold, parses)
    assert scores.labelled.f1 == best.f1
    assert scores.labelled_discontinuous.f1 == best.discontinuous_f1


def test_without_a_development_set_the_last_one_is():
    training = learning(development=[])
    for number in range(1, 9):
        epoch = training.run_epoch()
        assert (epoch.f1, epoch.discontinuous_f1, epoch.is_best) == (None, None, True)
        assert training.best == training.epochs == number
    assert epoch.mistakes < epoch.sentences == 60


def test_jackknifed_tags():
    trees = demo(0, 60)
    expected = list(jackknifed_tags([tree.tokens for tree in demo(0, 60)]))
    gold = [[token.tag for token in tree.tokens] for tree in trees]
    training = learning(trees=trees, tags="jackknifed")
    assert [[token.tag for token in tree.tokens] for tree in trees] == expected != gold
    epoch = training.run_epoch()
    # The development set is parsed with the tags of the tagger, which knows the gold tags.
    development = demo(60, 90)
    parses = [
        training.model.parse([token.form for token in tree.tokens]).tree for tree in development
    ]
    assert score(development, parses).labelled.f1 == epoch.f1
    assert [training.model.tagger([token.form for token in tree.tokens]) for tree in trees] == gold


@pytest.mark.parametrize("system", ["gap", "skipshift"])
def test_a_training_goes_on_to_the_same_result(tmp_path, system):
    path = tmp_path / "demo.checkpoint"
    changes = {"settings": Settings(system, seed=7)}
    whole = learning(**changes)
    epochs = [whole.run_epoch() for _ in range(6)]
    for interrupted in (1, 4):
        first = learning(**changes)
        for _ in range(interrupted):
            first.run_epoch()
        first.save(path)
        assert same(load_model(path), first.model)
        second = learning(**changes)
        second.resume(path)
        assert (second.epochs, second.best) == (interrupted, first.best)
        assert same(second.model, first.model)
        found = [second.run_epoch() for _ in range(6 - interrupted)]
        for epoch, expected in zip(found, epochs[interrupted:], strict=True):
            assert epoch._replace(seconds=0) == expected._replace(seconds=0)
        assert same(second.model, whole.model)
        assert same(
            TransitionModel(second.training.parser(), second.model.tagger),
            TransitionModel(whole.training.parser(), whole.model.tagger),
        )


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"settings": Settings(beam=5)}, r"another beam \(4, now 5\)"),
        ({"settings": Settings("cgap")}, "another system"),
        ({"tags": "jackknifed"}, r"another tags \(gold, now jackknifed\)"),
        ({"development": demo(60, 80)}, "another development set"),
        ({"trees": demo(0, 59)}, "another training set"),
    ],
)
def test_another_training_does_not_go_on(tmp_path, changes, what):
    path = tmp_path / "demo.checkpoint"
    first = learning()
    first.run_epoch()
    first.save(path)
    with pytest.raises(InputError, match=what):
        learning(**changes).resume(path)


def test_what_no_training_can_go_on_from(tmp_path):
    path = tmp_path / "demo.gap"
    first = learning()
    first.run_epoch()
    first.model.save(path)
    with pytest.raises(GrammarError, match="no training can go on"):
        learning().resume(path)
    with pytest.raises(GrammarError, match="No such file"):
        learning().resume(tmp_path / "missing")
    first.save(path)
    whole = load(path)
    _, header, arrays = whole
    second = learning()
    for name in [name for name in header if name.startswith("training.")]:
        others = {each: header[each] for each in header if each != name}
        save(path, whole._replace(header=others))
        with pytest.raises(GrammarError, match=str(path)):
            second.resume(path)
    for name in [name for name in arrays if name.startswith("training.")]:
        for changed in (arrays[name][:-1], np.zeros(3), arrays[name].reshape(1, -1)):
            save(path, whole._replace(arrays={**arrays, name: changed}))
            with pytest.raises(GrammarError, match=str(path)):
                second.resume(path)
    assert second.epochs == 0


def test_no_trees():
    with pytest.raises(TreebankError, match="nothing to train on"):
        Learning([])
