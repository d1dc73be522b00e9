"""Collapsed constituents."""

from itertools import chain

from demo_trees import demo_trees

from plcfrs.drawing.picture import collapse
from plcfrs.trees.tree import runs


def test_each_constituent_of_the_demo_is_collapsed_to_its_parts():
    for tree in demo_trees():
        yields = tree.yields()
        for node in tree.nodes():
            shut = collapse(tree, [node])
            drawn = dict(zip(shut.nodes, shut.tree.nodes(), strict=True))[node]
            parts = [shut.parts[token] for token in drawn.children]
            assert [(part[0], part[-1] + 1) for part in parts] == runs(yields[node])
            assert sorted(chain(*shut.parts)) == list(range(len(tree.tokens)))
            assert all(one in tree.nodes() for one in shut.nodes)


def test_what_is_inside_a_collapsed_constituent_stays_hidden():
    tree = demo_trees()[0]
    once = collapse(tree, [tree.root])
    assert collapse(tree, tree.nodes()).tree == once.tree
    assert once.nodes == [tree.root]
    assert collapse(tree, []).tree == tree
