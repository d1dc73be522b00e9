"""Where rules are used: the constituents of trees from which each rule is extracted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from plcfrs.extraction.extraction import derivations_of
from plcfrs.extraction.recipes import Recipe
from plcfrs.grammar import Rule
from plcfrs.trees import Node, Tree


class Use(NamedTuple):
    """A constituent from which a rule is extracted, and its tree, which is numbered from 0.

    For a rule of an intermediate node, `node` is the constituent of which that is a part.
    """

    number: int
    tree: Tree
    node: Node


def uses(trees: Iterable[Tree], recipe: Recipe, rules: Collection[Rule]) -> Iterator[Use]:
    """Yield the uses of some rules before binarization, in the order of the trees.

    >>> from plcfrs.treebank import read_trees
    >>> from plcfrs.transformation import transform
    >>> trees = [transform(tree) for tree in read_trees("plcfrs:demo")]
    >>> grammar = Recipe().extract(trees)
    >>> rule, count = next(iter(grammar.rules.items()))
    >>> len(list(uses(trees, Recipe(), [rule]))) == count
    True
    """
    wanted = frozenset(rules)
    parts = defaultdict(list)
    for rule in wanted:
        parts[rule.lhs.category].append(
            {symbol.category for symbol in rule.rhs if symbol.kind != "intermediate"}
        )
    for number, tree in enumerate(trees):
        if _may_have(tree, parts):
            (labelled,) = recipe.labelled([tree])
            for rule, node in _rules(labelled, recipe):
                if rule in wanted:
                    yield Use(number, labelled, node)


def _may_have(tree: Tree, parts: Mapping[str, list[set[str]]]) -> bool:
    """Whether a constituent has a category and all children that go with it."""
    # Binarization adds intermediate nodes, which this disregards: most trees need none.
    for node in tree.root.preorder():
        if node.category in parts:
            below = {
                tree.tokens[child].tag if isinstance(child, int) else child.category
                for child in node.children
            }
            if any(needed <= below for needed in parts[node.category]):
                return True
    return False


def _rules(tree: Tree, recipe: Recipe) -> Iterator[tuple[Rule, Node]]:
    """Yield the rule of each node, with the constituent that the node is or is a part of."""
    derivations = derivations_of(tree, functions=recipe.functions)
    whole: dict[Node, Node] = {}
    for node in tree.nodes():  # mothers come before their children
        shown = whole.setdefault(node, node)
        whole.update((child, shown if child.intermediate else child) for child in node.nodes)
        yield derivations[node].rule, shown
