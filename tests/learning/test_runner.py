"""Training with scores after each round, of which the best is kept, and resumed training."""

from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest
from demo_trees import demo_trees
from quick import core, full
from trained import SMALL

from plcfrs.errors import GrammarError, InputError
from plcfrs.evaluation import score
from plcfrs.learning.runner import Runner
from plcfrs.parsing.registry import find_family, load_model
from plcfrs.settings import change_settings
from plcfrs.storage.model_file import load, save
from plcfrs.storage.stored_values import pack

NETWORKS = [
    {"exploration": 0.5},
    {"explored": "steps", "exploration": 0.9},
    {"heads": "transitions", "oracle": "static", "tags": "given"},
    {"heads": "transitions", "exploration": 0.5, "tags": "given"},
    {"heads": "spans", "tags": "given"},
]
RESUMING = [
    ("gap", {"epochs": 6}),
    full("cgap", {"epochs": 6}),
    full("swap", {"epochs": 6}),
    full("skipshift", {"epochs": 6}),
    full("gap", {"epochs": 6, "update": "max-violation"}),
    full("refined", {}),
    full("features", {"epochs": 3}),
    full("reduction", {"epochs": 6}),
    *(full("neural", {"epochs": 3, "threads": 1, **values}) for values in NETWORKS),
]


def demo(first=0, last=None):
    return demo_trees()[first:last]


def runner(kind="gap", trees=None, development=None, checkpoint=None, log=None, **values):
    family = find_family(kind)
    if family.kind == "refined":
        values = {"cycles": 3, "grammars": 2, "jobs": 2, **values}
    if family.kind == "features":
        values = {"folds": 2, **values}
    if family.kind == "neural":
        family = replace(family, settings=replace(family.settings, **SMALL))
    trainer = family.trainer(
        demo(0, 60) if trees is None else trees, change_settings(family.settings, values), {}
    )
    development = demo(60, 90) if development is None else development
    return Runner(trainer, development, checkpoint=checkpoint, log=log)


def same(one, other) -> bool:
    (text, arrays), (other_text, others) = pack(one.contents), pack(other.contents)
    return text == other_text and all(
        arrays[name].tobytes() == others[name].tobytes() for name in {**arrays, **others}
    )


def without_time(rounds):
    return [
        (each.number, {**each.figures, "seconds": 0}, each.f1, each.discontinuous_f1, each.is_best)
        for each in rounds
    ]


@pytest.fixture(scope="module")
def fourteen():
    run = runner(epochs=14)
    return run, list(run.rounds())


@pytest.fixture(scope="module")
def one_round(tmp_path_factory):
    """The checkpoint of a training."""
    path = tmp_path_factory.mktemp("training") / "demo.checkpoint"
    next(runner(checkpoint=path).rounds())
    return path


def test_the_best_round_is_kept(fourteen):
    run, rounds = fourteen
    assert [each.number for each in rounds] == list(range(1, 15))
    best = max(rounds, key=lambda each: each.f1)
    assert run.best == best.number < 14
    assert run.model.about["epochs"] == str(best.number)
    is_best = [
        number == 0 or all(each.f1 > earlier.f1 for earlier in rounds[:number])
        for number, each in enumerate(rounds)
    ]
    assert [each.is_best for each in rounds] == is_best
    gold = demo(60, 90)
    scores = score(gold, [run.model.parse(tree).tree for tree in gold])
    assert scores.labelled.f1 == best.f1
    assert scores.labelled_discontinuous.f1 == best.discontinuous_f1


def test_training_ends_when_no_score_gets_better(fourteen, tmp_path):
    _, rounds = fourteen
    best = 1
    for last in rounds:
        best = last.number if last.is_best else best
        if last.number - best == 1:
            break
    assert last.number < 14
    path = tmp_path / "demo.checkpoint"
    run = runner(epochs=14, checkpoint=path)
    run.trainer.patience = 1
    assert without_time(run.rounds()) == without_time(rounds[: last.number])
    assert (run.done, run.best, list(run.left)) == (last.number, best, [])
    again = runner(epochs=14)
    again.trainer.patience = 1
    again.resume(path)
    assert list(again.rounds()) == []
    assert same(again.model, run.model)
    again.trainer.patience = 14
    assert list(again.left) == list(range(last.number + 1, 15))


def test_patience_needs_scores():
    trainer = runner().trainer
    trainer.patience = 3
    with pytest.raises(InputError, match="patience: add a development set"):
        Runner(trainer)


@pytest.mark.full
def test_without_a_development_set_the_last_one_is():
    run = runner(development=[], epochs=8)
    for number, each in enumerate(run.rounds(), start=1):
        assert (each.f1, each.discontinuous_f1, each.is_best) == (None, None, True)
        assert run.best == run.done == each.number == number
    assert each.figures["wrong"] < each.figures["sentences"] == 60


@pytest.mark.full
def test_without_a_development_set_a_model_is_made_when_it_is_asked_for(monkeypatch):
    run, made = runner(development=[], epochs=3), []
    model = run.trainer.model
    monkeypatch.setattr(run.trainer, "model", lambda: made.append(run.done) or model())
    list(run.rounds())
    assert made == []
    assert run.model is run.model
    assert made == [3]


@core(1, "kind", ["gap", "refined", "features"])
def test_a_round_has_the_steps_that_a_bar_expects(kind):
    run = runner(kind, development=[])
    steps = []
    rounds = run.rounds(lambda: steps.append(run.done))
    for number in run.left[:3]:
        steps.clear()
        next(rounds)
        assert len(steps) == (0 if (kind, number) == ("refined", 0) else run.trainer.steps)


def test_there_is_no_model_before_the_first_round(tmp_path):
    run = runner()
    with pytest.raises(InputError, match="there is no model before the first epoch"):
        _ = run.model
    with pytest.raises(InputError, match="before the first epoch"):
        run.save(tmp_path / "demo.checkpoint")


@pytest.mark.full
def test_jackknifed_tags_are_not_written_into_the_trees():
    trees = demo(0, 60)
    before = deepcopy(trees)
    run = runner(trees=trees, tags="own", epochs=1)
    (epoch,) = run.rounds()
    assert trees == before
    # The development set is parsed with the tags of the tagger, which knows the gold tags.
    development = demo(60, 90)
    parses = [run.model.parse([token.form for token in tree.tokens]).tree for tree in development]
    assert score(development, parses).labelled.f1 == epoch.f1
    gold = [[token.tag for token in tree.tokens] for tree in trees]
    assert [run.model.tagger([token.form for token in tree.tokens]) for tree in trees] == gold


@pytest.mark.parametrize(("kind", "values"), RESUMING)
def test_a_seed_gives_the_same_model(kind, values, request):
    if kind == "neural":
        request.getfixturevalue("pytorch")
    trees = demo(0, 60 if kind == "features" else 20)  # it learns nothing from few trees
    values = {"trees": trees, "development": [], **values}
    first, second, other = (runner(kind, seed=seed, **values) for seed in (1, 1, 2))
    for run in (first, second, other):
        list(run.rounds())
    assert same(first.model, second.model)
    assert not same(first.model, other.model)


@pytest.mark.parametrize(("kind", "values"), RESUMING)
def test_a_training_goes_on_to_the_same_result(tmp_path, kind, values, request):
    path = tmp_path / "demo.checkpoint"
    values = {"seed": 7, **values}
    if kind == "neural":
        request.getfixturevalue("pytorch")
    values = {"trees": demo(0, 30), "development": demo(60, 75), **values}
    whole = runner(kind, **values)
    rounds = list(whole.rounds())
    for interrupted in {1, len(rounds) - 2}:
        first = runner(kind, checkpoint=path, **values)
        going = first.rounds()
        for _ in range(interrupted):
            next(going)
        assert same(load_model(path), first.model)
        second = runner(kind, **values)
        second.resume(path)
        assert (second.done, second.best) == (rounds[interrupted - 1].number, first.best)
        assert same(second.model, first.model)
        assert without_time(second.rounds()) == without_time(rounds[interrupted:])
        assert same(second.model, whole.model)
        assert same(second.trainer.model(), whole.trainer.model())


@pytest.mark.full
@core(
    1,
    ("changes", "what"),
    [
        ({"beam": 5}, r"in beam \(4, now 5\)"),
        ({"kind": "cgap"}, "in system"),
        ({"tags": "own"}, r"in tags \(given, now own\)"),
        ({"development": demo(60, 80)}, "in the development set"),
        ({"trees": demo(0, 59)}, "in the training set"),
    ],
)
def test_another_training_does_not_go_on(one_round, changes, what):
    with pytest.raises(InputError, match=what):
        runner(**changes).resume(one_round)


@pytest.mark.full
def test_another_refinement_does_not_go_on(tmp_path):
    path = tmp_path / "demo.checkpoint"
    next(runner("refined", checkpoint=path).rounds())
    with pytest.raises(InputError, match=r"in seed \(1, now 2\)"):
        runner("refined", seed=2).resume(path)
    runner("refined", cycles=4, jobs=1).resume(path)  # a cycle does not depend on these


@pytest.mark.full
@core(1, "kind", ["gap", "refined", "features", "reduction"])
def test_what_no_training_can_go_on_from(tmp_path, kind):
    path, few = tmp_path / "demo.model", demo(0, 20)
    first = runner(kind, few, demo(60, 65), checkpoint=path)
    going = first.rounds()
    next(going), next(going)
    contents = load(path)
    first.model.save(path)
    with pytest.raises(GrammarError, match="a model, not a checkpoint"):
        runner(kind, few, demo(60, 65)).resume(path)
    second = runner(kind, few, demo(60, 65))
    with pytest.raises(GrammarError, match="No such file"):
        second.resume(tmp_path / "missing")
    _, header, arrays = contents
    for name in ("progress", "state"):
        others = {each: header[each] for each in header if each != name}
        save(path, contents._replace(header=others))
        with pytest.raises(GrammarError, match=str(path)):
            second.resume(path)
    states = [name for name in arrays if name.startswith("state.")]
    assert states
    for name in states:
        changed = (arrays[name][:-1], np.zeros(3), arrays[name].reshape(1, -1))
        for array in changed:
            save(path, contents._replace(arrays={**arrays, name: array}))
            with pytest.raises(GrammarError, match=str(path)):
                second.resume(path)
    assert second.done is None
