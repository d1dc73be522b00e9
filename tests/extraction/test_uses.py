"""The uses of a rule are as many as its count."""

import pytest

from plcfrs.binarization.restore import origins
from plcfrs.extraction import Recipe
from plcfrs.extraction.uses import uses
from plcfrs.transformation import transform_all
from plcfrs.treebank import read_trees

RECIPES = {
    "none": Recipe("none"),
    "deterministic": Recipe("deterministic"),
    "unshared": Recipe("deterministic", shared=False),
    "optimal": Recipe("optimal"),
    "ancestors": Recipe("deterministic", vertical=2),
    "functions": Recipe("deterministic", functions=True),
    "markov": Recipe("head-outward", horizontal=1, vertical=2),
    "all siblings": Recipe("right-to-left"),
}


@pytest.fixture(scope="module")
def trees():
    return list(transform_all(read_trees("plcfrs:demo")))


@pytest.mark.parametrize("recipe", RECIPES.values(), ids=RECIPES)
def test_a_rule_is_used_as_often_as_it_was_counted(trees, recipe):
    grammar = recipe.grammar(trees)
    found, whole = uses(trees, recipe), origins(grammar)
    assert list(whole) == list(grammar.rules)
    for rule, count in grammar.rules.items():
        assert sum(len(found[one]) for one in whole[rule]) == count


def test_constituents_are_whole(trees):
    found = uses(trees, RECIPES["markov"])
    below = [one for rule, used in found.items() if rule.lhs.kind == "intermediate" for one in used]
    assert below
    assert all(not one.node.intermediate and one.node in one.tree.nodes() for one in below)
    rule, used = next((rule, used) for rule, used in found.items() if rule.lhs.fanout == 2)
    assert {one.node.category for one in used} == {rule.lhs.category}
    assert all(one.tree.id == trees[one.number].id for one in used)


@pytest.mark.parametrize("recipe", RECIPES.values(), ids=RECIPES)
def test_a_grammar_states_its_recipe(trees, recipe):
    assert Recipe.of(recipe.grammar(trees[:9]).options) == recipe
