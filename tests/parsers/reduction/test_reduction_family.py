"""From sentences to trees by dependencies."""

from math import isclose

import pytest
from demo_trees import demo_trees
from naive.dependency import is_projective
from quick import core
from stored import REFUSED, reread

from plcfrs.errors import InputError
from plcfrs.evaluation import score
from plcfrs.parsers.reduction.model import ReductionSettings
from plcfrs.parsing.registry import load_model, train
from plcfrs.parsing.sentence import Sentence
from plcfrs.transformation import Options, to_dependencies, without_unaries

WORDS = [("What", "WP"), ("should", "MD"), ("we", "PRP"), ("do", "VB"), ("?", ".")]


def demo():
    return demo_trees(Options(splits=()))


@pytest.fixture(scope="module")
def model(trained):
    return load_model(trained("reduction", 140))


def f1(model):
    trees = demo()[::3]
    parses = [model.parse(tree) for tree in trees]
    for tree, parse in zip(trees, parses, strict=True):
        assert (parse.status, parse.fallback, parse.derivation) == ("parsed", "none", None)
        assert (parse.tree.tokens, parse.tree.id) == (tree.tokens, tree.id)
        assert parse.tree.yields()[parse.tree.root] == (1 << len(tree.tokens)) - 1
    return score(trees, (parse.tree for parse in parses)).labelled.f1


def test_trees_of_the_training_data(model):
    assert f1(model) > 90


@pytest.mark.full
@pytest.mark.parametrize(
    ("encoding", "unaries"),
    [
        pytest.param("delta", "classifier", marks=pytest.mark.full),
        ("direct", "labels"),
        pytest.param("hall-nivre", "labels", marks=pytest.mark.full),
    ],
)
def test_encodings(model, encoding, unaries):
    """The heads are those of the other model: only the rest is trained anew."""
    other = train("reduction", demo(), encoding=encoding, unaries=unaries, epochs=1)
    other.backbone = model.backbone
    assert (other.unaries is None) == (unaries == "labels")
    assert f1(other) > 85


@pytest.mark.full
def test_right_dependencies_make_the_right_tree(model):
    found = [model.constituents(to_dependencies(tree)) for tree in demo()]
    assert score(map(without_unaries, demo()), map(without_unaries, found)).labelled.f1 == 100


@pytest.mark.full
def test_gaps_come_from_crossing_arcs_alone_if_nested():
    trees = demo()[:40]
    model = train("reduction", trees, epochs=1)
    model.nested = True
    for tree in trees:
        if is_projective([-1, *model.dependencies(Sentence.of(tree)).heads]):
            assert model.parse(tree).tree.gap_degree() == 0


def test_explanation(model):
    parse = model.parse(WORDS, explained=True)
    steps = parse.explanation.rows
    dependencies = model.dependencies(Sentence.of(WORDS))
    assert isclose(sum(step.score for step in steps), parse.score, abs_tol=1e-3)
    assert [step.text for step in steps] == dependencies.relations
    assert [step.positions[0] for step in steps] == [0, 1, 2, 3, 4]
    root = dependencies.heads.index(0)
    assert (steps[root].positions, steps[root].clause) == (
        [root],
        f"ROOT -> {root}={WORDS[root][0]}",
    )
    lines = model.explain(WORDS).lines()
    assert lines[0] == "0=What 1=should 2=we 3=do 4=?"
    assert len(lines) == len(WORDS) + 4


@pytest.mark.full
def test_other_heads_cost_something(model):
    for tree in demo()[:20]:
        for step in model.parse(tree, explained=True).explanation.rows:
            assert (step.cells[-1] or 0) >= -1e-5


def test_continuous_trees_if_it_is_loaded_so(model, tmp_path):
    model.save(tmp_path / "demo.reduction")
    assert load_model(tmp_path / "demo.reduction", nested=True).nested


@core(
    1,
    "changes",
    [
        {"settings.candidates": 0},
        {"settings.unaries": "labels"},
        {"unaries": None},
        {"tagger": None},
        {"about": {"x": 1}},
    ],
)
def test_texts_that_do_not_fit(model, changes):
    with pytest.raises(REFUSED):
        reread(model.contents, changes)


@pytest.mark.full
def test_jackknifed_tags():
    model = train("reduction", demo()[:20], epochs=1, tags="own")
    assert model.settings == ReductionSettings(epochs=1, tags="own")
    assert model.parse(["What", "now", "?"]).status == "parsed"


def test_unknown_settings():
    for name in ("encoding", "unaries"):
        with pytest.raises(InputError, match=f"{name}: 'x' is not one of"):
            train("reduction", demo()[:2], **{name: "x"})
