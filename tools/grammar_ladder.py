"""Grammars of many sizes from the same trees, made by annotation and by splitting symbols."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import product
from random import Random
from typing import NamedTuple

from plcfrs.grammar import Grammar, Nonterminal, Recipe, Rule
from plcfrs.trees import Tree

_SEED = 1


class Rung(NamedTuple):
    """A grammar of some size.

    Parameters
    ----------
    recipe : Recipe
    states : int
        Number of states for each symbol; see `split_symbols`.
    """

    recipe: Recipe = Recipe()
    states: int = 1

    def __str__(self) -> str:
        parts = [
            "function tags" if self.recipe.functions else "plain",
            f"v = {self.recipe.vertical}" if self.recipe.vertical > 1 else "",
            "" if self.recipe.shared else "unshared",
            f"{self.states} states a symbol" if self.states > 1 else "",
        ]
        return ", ".join(part for part in parts if part)

    def grammar(self, trees: Iterable[Tree]) -> Grammar:
        """Return the binarized grammar of transformed trees."""
        return split_symbols(self.recipe.grammar(trees), self.states)


_PLAIN, _FUNCTIONS = Recipe(), Recipe(functions=True)

# The ambiguity of a sentence falls with the first, and rises with the second.
LADDERS = {
    "annotated trees": [
        *(Rung(_PLAIN), Rung(_FUNCTIONS), Rung(replace(_FUNCTIONS, vertical=2))),
        *(Rung(replace(_FUNCTIONS, vertical=3, shared=shared)) for shared in (True, False)),
    ],
    "split symbols": [
        *(Rung(_PLAIN), Rung(_FUNCTIONS), Rung(_PLAIN, 2), Rung(_FUNCTIONS, 2), Rung(_PLAIN, 3)),
    ],
}


def split_symbols(grammar: Grammar, states: int) -> Grammar:
    """Return a grammar with several symbols for each one except the start symbol and tags.

    Each rule becomes one rule for each choice of states, as before the first round of training
    latent annotations (Petrov et al. 2006). Its count is multiplied by a random number between 0.5
    and 1.5.
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
