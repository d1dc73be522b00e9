"""A grammar with the weights of features, and the grammar of trees."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from plcfrs.binarization import binarize_tree
from plcfrs.chart.kernel.arrays import Costs
from plcfrs.experts import MARKOVIZATION
from plcfrs.extraction import extract
from plcfrs.grammar import Grammar
from plcfrs.linear.kernel.arrays import Scores
from plcfrs.trees import Tree

# Hashed features share so many weights. A place is a number of 32 bits.
PLACES = 1 << 22
MOST_PLACES = 2**31 - 1


@dataclass(frozen=True, slots=True)
class FeatureGrammar:
    """A grammar with the weights of features.

    Parameters
    ----------
    grammar : Grammar
        Of rank 2 at most.
    weights : float32 array (places,)
        Usually `PLACES`.
    shares : float64 array (components,), optional
        The cost of each component of each rule, for the search (see `ChartParser`).
    """

    grammar: Grammar
    weights: Scores
    shares: Costs | None = None


def grammar_of(trees: Iterable[Tree]) -> Grammar:
    """Return the grammar of binarized trees.

    Parameters
    ----------
    trees : iterable of Tree
        Without null elements, and with heads marked.

    Raises
    ------
    TreebankError
        If a tree cannot be derived by an LCFRS, or a head is missing.
    """
    grammar = extract(binarize_tree(tree, MARKOVIZATION) for tree in trees)
    grammar.options = {
        "binarization": MARKOVIZATION.order,
        "horizontal": str(MARKOVIZATION.horizontal),
        "vertical": str(MARKOVIZATION.vertical),
    }
    return grammar


def folds_of(trees: Sequence[Tree], number: int) -> list[list[int]]:
    """Return the numbers of the trees of each part, for jackknifing.

    Examples
    --------
    >>> folds_of("abcde", 2)
    [[0, 2, 4], [1, 3]]
    """
    return [list(range(first, len(trees), number)) for first in range(number)]
