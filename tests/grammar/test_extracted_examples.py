from collections import Counter

import pytest
from demo_trees import demo_trees

from plcfrs.grammar import Nonterminal, Recipe, derivation_of, extract
from plcfrs.trees.tree import runs


def demo():
    return demo_trees()


def test_examples_are_the_shortest_sentences_with_the_rule():
    trees = demo()
    grammar = extract(trees, examples=2)
    assert grammar.rules == extract(trees).rules
    uses = {tree.id: set(derivation_of(tree).rules()) for tree in trees}
    for rule in grammar.rules:
        using = [tree for tree in trees if rule in uses[tree.id]]
        shortest = sorted(using, key=lambda tree: len(tree.tokens))[:2]
        assert [one.sentence for one in grammar.examples[rule]] == [tree.id for tree in shortest]


def test_brackets_are_where_a_constituent_of_the_tree_is():
    trees = {tree.id: tree for tree in demo()}
    grammar = extract(trees.values(), examples=3)
    for rule, examples in grammar.examples.items():
        for example in examples:
            tree = trees[example.sentence]
            yields = tree.yields()
            assert example.words == tuple(token.form for token in tree.tokens)
            assert any(
                node.category == rule.lhs.category and tuple(runs(yields[node])) == example.ranges
                for node in tree.nodes()
            )


def test_a_sentence_stands_once_below_a_rule():
    grammar = extract(demo(), examples=9)
    for examples in grammar.examples.values():
        assert max(Counter(one.sentence for one in examples).values()) == 1


@pytest.mark.full
def test_every_recipe_keeps_examples_of_rules_that_it_keeps():
    for recipe in (
        Recipe(examples=1),
        Recipe("optimal", examples=1),
        Recipe("head-outward", 1, examples=1),
        Recipe("right-to-left", 2, 2, "interpolated", examples=1),
        Recipe(estimator="factored", examples=1),
    ):
        grammar = recipe.grammar(demo())
        assert set(grammar.examples) <= set(grammar.rules)
        found = {rule.lhs for rule in grammar.examples}
        assert Nonterminal("S") in found or any(one.category == "S" for one in found)
        for rule, examples in grammar.examples.items():
            assert all(len(one.ranges) == rule.lhs.fanout for one in examples)
    assert not Recipe().grammar(demo()).examples
