"""Grammars of many sizes from the same trees, by annotation and by split symbols."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import product
from random import Random
from typing import NamedTuple

from plcfrs.binarize import binarize
from plcfrs.extract import extract
from plcfrs.grammar import Grammar, Nonterminal, Rule
from plcfrs.trees import Node, Tree

_SEED = 1


class Recipe(NamedTuple):
    """How a grammar is made.

    Parameters
    ----------
    functions : bool
        Whether function tags are part of the nonterminals.
    ancestors : int
        How many ancestors are part of the category: 1 for parent annotation, which is
        vertical Markovization v = 2.
    shared : bool
        See `binarize`.
    states : int
        Into how many each symbol is split; see `split_symbols`.
    """

    functions: bool = False
    ancestors: int = 0
    shared: bool = True
    states: int = 1

    def __str__(self) -> str:
        parts = [
            "function tags" if self.functions else "plain",
            f"v = {self.ancestors + 1}" if self.ancestors else "",
            "" if self.shared else "unshared",
            f"{self.states} states a symbol" if self.states > 1 else "",
        ]
        return ", ".join(part for part in parts if part)

    def grammar(self, trees: Iterable[Tree]) -> Grammar:
        """Return the binarized grammar of transformed trees."""
        annotated = (annotate(tree, self.ancestors) for tree in trees)
        extracted = extract(annotated, functions=self.functions)
        return split_symbols(binarize(extracted, shared=self.shared), self.states)


# The ambiguity of a sentence falls with the first, and rises with the second.
LADDERS = {
    "annotated trees": [
        Recipe(),
        Recipe(functions=True),
        Recipe(functions=True, ancestors=1),
        Recipe(functions=True, ancestors=2),
        Recipe(functions=True, ancestors=2, shared=False),
    ],
    "split symbols": [
        Recipe(),
        Recipe(functions=True),
        Recipe(states=2),
        Recipe(functions=True, states=2),
        Recipe(states=3),
    ],
}


def annotate(tree: Tree, ancestors: int) -> Tree:
    """Return a copy of a tree with the categories of ancestors in those of all nodes.

    Examples
    --------
    >>> tree = Tree(Node("ROOT", children=[Node("S", children=[Node("VP", children=[0])])]), [])
    >>> [node.category for node in annotate(tree, 1).nodes()]
    ['ROOT', 'S^ROOT', 'VP^S']
    """
    mothers = tree.parents()
    copies: dict[Node, Node] = {}
    for node in tree.bottom_up():
        names = [node.category]
        ancestor = node
        while len(names) <= ancestors and ancestor in mothers:
            ancestor = mothers[ancestor]
            names.append(ancestor.category)
        children = [
            child if isinstance(child, int) else copies.pop(child) for child in node.children
        ]
        copies[node] = replace(node, category="^".join(names), children=children)
    return replace(tree, root=copies[tree.root])


def split_symbols(grammar: Grammar, states: int) -> Grammar:
    """Return a grammar with several symbols for each but the start and the tags.

    Each rule becomes one for each choice of states, as before the first round of training of
    latent annotations (Petrov et al. 2006): its count times a random number between 0.5 and 1.5.
    """
    if states == 1:
        return grammar
    random = Random(_SEED)
    split = Grammar({}, grammar.lexicon, grammar.start)

    def variants(symbol: Nonterminal) -> list[Nonterminal]:
        if symbol.kind == "tag" or symbol == grammar.start:
            return [symbol]
        return [symbol._replace(category=f"{symbol.category}/{n}") for n in range(states)]

    for rule, count in grammar.rules.items():
        for lhs, *rhs in product(*map(variants, (rule.lhs, *rule.rhs))):
            split.add(Rule(lhs, tuple(rhs), rule.yield_function), count * random.uniform(0.5, 1.5))
    return split
