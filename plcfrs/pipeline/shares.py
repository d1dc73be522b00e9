"""The bounds of the search, learned for the grammar of a treebank."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from plcfrs.chart.kernel.arrays import Costs
from plcfrs.chart.multipliers import train_shares
from plcfrs.grammar import Grammar, tag
from plcfrs.trees import Tree

# They are learned from so many trees of at most this many tokens.
_SENTENCES = 1000
_SHORT = 40


def shares_of(grammar: Grammar, trees: Sequence[Tree]) -> Costs:
    """Return the cost of each component of each rule, learned from some of the trees.

    Parameters
    ----------
    grammar : Grammar
        Of rank 2 at most.
    trees : sequence of Tree

    Returns
    -------
    float64 array (components,)
        See `plcfrs.chart.multipliers.train_shares`.
    """
    short = [tree for tree in trees if len(tree.tokens) <= _SHORT]
    some = short[:: max(1, ceil(len(short) / _SENTENCES))]
    tagged = ([{tag(token.tag): 0.0} for token in tree.tokens] for tree in some)
    return train_shares(grammar, tagged)
