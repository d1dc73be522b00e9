"""Where rules are used: the constituents of trees from which each rule is extracted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from plcfrs.extraction.extraction import derivations_of
from plcfrs.extraction.recipes import Recipe
from plcfrs.grammar import Rule
from plcfrs.trees import Node, Tree


class Use(NamedTuple):
    """A constituent from which a rule is extracted.

    Parameters
    ----------
    number : int
        Of the tree, from 0.
    tree : Tree
        In the form that is counted.
    node : Node
        The constituent; if the rule is of an intermediate node, the one that it is a part of.
    """

    number: int
    tree: Tree
    node: Node


def uses(trees: Iterable[Tree], recipe: Recipe) -> dict[Rule, list[Use]]:
    """Return the uses of all rules, before rules are binarized, in the order of the trees.

    Parameters
    ----------
    trees : iterable of Tree
        As for `Recipe.grammar`.
    recipe : Recipe

    Raises
    ------
    TreebankError, InputError
        As `Recipe.grammar`.

    Examples
    --------
    >>> from plcfrs.treebank import read_trees
    >>> from plcfrs.transformation import transform
    >>> trees = [transform(tree) for tree in read_trees("plcfrs:demo")]
    >>> found = uses(trees, Recipe())
    >>> all(found[rule][0].tree in trees for rule in Recipe().extract(trees).rules)
    True
    """
    found: dict[Rule, list[Use]] = defaultdict(list)
    for number, tree in enumerate(recipe.labelled(trees)):
        derivations = derivations_of(tree, functions=recipe.functions)
        whole: dict[Node, Node] = {}
        for node in tree.nodes():  # mothers come before their children
            shown = whole.setdefault(node, node)
            whole.update((child, shown if child.intermediate else child) for child in node.nodes)
            found[derivations[node].rule].append(Use(number, tree, shown))
    return dict(found)
