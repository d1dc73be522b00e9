"""The uses of a rule are as many as its count."""

from itertools import islice

import pytest
from demo_trees import demo_trees
from quick import core

from plcfrs.grammar import Recipe
from plcfrs.grammar.binarization import origins
from plcfrs.grammar.extraction import uses

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
    return demo_trees()


@core(1, "recipe", RECIPES.values(), ids=RECIPES)
def test_a_rule_is_used_as_often_as_it_was_counted(trees, recipe):
    grammar = recipe.grammar(trees)
    whole = origins(grammar)
    assert list(whole) == list(grammar.rules)
    for rule, count in islice(grammar.rules.items(), 0, None, 20):
        assert len(list(uses(trees, recipe, whole[rule]))) == count


@core(1, "recipe", RECIPES.values(), ids=RECIPES)
def test_several_rules_are_found_at_once(trees, recipe):
    rules = recipe.extract(trees).rules
    assert len(list(uses(trees, recipe, rules))) == sum(rules.values())


def test_constituents_are_whole(trees):
    recipe = RECIPES["markov"]
    rules = list(recipe.extract(trees).rules)
    below = list(uses(trees, recipe, [r for r in rules if r.lhs.kind == "intermediate"]))
    assert below
    assert all(not one.node.intermediate and one.node in one.tree.nodes() for one in below)
    rule = next(r for r in rules if r.lhs.fanout == 2 and r.lhs.kind == "category")
    used = list(uses(trees, recipe, [rule]))
    assert {one.node.category for one in used} == {rule.lhs.category}
    assert all(one.tree.id == trees[one.number].id for one in used)


@core(1, "recipe", RECIPES.values(), ids=RECIPES)
def test_a_grammar_states_its_recipe(trees, recipe):
    assert Recipe.of(recipe.grammar(trees[:9]).options) == recipe
