"""From trees to a grammar by a recipe."""

from copy import deepcopy

import pytest
from demo_trees import demo_trees, raw_demo_trees
from hypothesis import given
from hypothesis import strategies as st
from quick import core
from recipe_strategies import RECIPES
from strategies import trees

from plcfrs.errors import InputError, TreebankError
from plcfrs.grammar import PRESETS, Grammar, Markovization, Recipe, binarize, binarize_tree, extract
from plcfrs.parsers.grammar.model import GrammarModel
from plcfrs.transformation import Options, transform
from plcfrs.treebank import read_trees
from plcfrs.trees.heads import mark_heads


@given(st.lists(trees(), min_size=1, max_size=3), RECIPES)
def test_the_trees_stay_as_they_are(treebank, recipe):
    treebank = list(map(mark_heads, treebank))
    before = deepcopy(treebank)
    grammar = recipe.grammar(treebank)
    grammar.check()
    assert treebank == before
    assert [node.head for tree in treebank for node in tree.nodes()] == [
        node.head for tree in before for node in tree.nodes()
    ]
    assert recipe.binarization == "none" or grammar.rank() <= 2


def test_the_default_is_the_deterministic_binarization():
    treebank = demo_trees()
    assert Recipe().grammar(treebank).rules == binarize(extract(treebank)).rules
    unshared = Recipe(shared=False).grammar(treebank)
    assert unshared.rules == binarize(extract(treebank), shared=False).rules


@pytest.mark.full
def test_trees_that_are_binarized_already_stay_so():
    treebank = demo_trees()
    recipe = Recipe("head-outward", horizontal=1, vertical=2)
    expected = recipe.grammar(treebank)
    binarized = [binarize_tree(tree, Markovization("head-outward", 1, 2)) for tree in treebank]
    assert Recipe("none").grammar(binarized).rules == expected.rules


def test_function_tags_are_kept_on_demand():
    treebank = demo_trees()
    symbols = Recipe("head-outward", 1, functions=True).grammar(treebank).nonterminals()
    assert any(symbol.functions for symbol in symbols)


@core(1, "name", PRESETS)
def test_every_preset_parses(name):
    options, recipe = PRESETS[name]
    treebank = demo_trees(options)
    model = GrammarModel.train(treebank[:110], recipe)
    for tree in treebank[110:120]:
        parse = model.parse(tree)
        assert parse.status == "parsed"
        labels = [(node.split, node.ancestors, node.intermediate) for node in parse.tree.nodes()]
        assert set(labels) == {("", (), False)}


def test_heads_must_be_marked():
    tree = next(tree for tree in read_trees("plcfrs:demo") if len(tree.tokens) > 6)
    for node in tree.nodes():
        node.head = None
    with pytest.raises(TreebankError, match=r"is not marked: use plcfrs\.trees\.mark_heads"):
        Recipe("head-outward").grammar([tree])


@pytest.mark.full
def test_a_preset_forbids_the_splits_that_it_does_not_have():
    preset = PRESETS["kallmeyer-maier"]
    raw = raw_demo_trees()
    split = list(map(transform, raw))
    with pytest.raises(
        InputError, match=r"sentence demo:1: .*\^.* is split.*Options\(splits=\(\)\)"
    ):
        preset.recipe.grammar(split)
    with pytest.raises(InputError, match="is split"):
        GrammarModel.train(split, "kallmeyer-maier")
    expected = preset.recipe.grammar(transform(tree, Options(splits=())) for tree in raw)
    assert preset.grammar(raw).rules == expected.rules


@core(
    1,
    ("make", "message"),
    [
        (lambda: Recipe(estimator="mle"), "estimator: 'mle' is not one of maximum-likelihood, "),
        (lambda: Recipe("head-outwards"), "binarization: 'head-outwards' is not one of none, det"),
        (lambda: Recipe("head-outward", -1), "horizontal: -1 is not a whole number of at least 0"),
        (lambda: Recipe(horizontal=1), "horizontal: needs a binarization of trees: head-out"),
        (lambda: Markovization("up"), "binarization: 'up' is not one of head-outward, "),
        (lambda: Markovization(vertical=0), "vertical: 0 is not a whole number of at least 1"),
        (lambda: Options(punctuation="up"), "punctuation: 'up' is not one of leave, low, high"),
        (lambda: Options(splits=("np",)), r"splits: 'np' is not one of wh, vp, inf"),
        (lambda: Options(reattach="*T*"), r"reattach: '\*T\*' is not a tuple of"),
        (lambda: binarize(Grammar(), "best"), "order: 'best' is not one of deterministic, opt"),
    ],
)
def test_settings_are_checked_where_they_enter(make, message):
    with pytest.raises(InputError, match=message):
        make()


def test_no_trees_make_a_grammar_without_rules():
    for preset in PRESETS.values():
        assert not preset.grammar([]).rules
