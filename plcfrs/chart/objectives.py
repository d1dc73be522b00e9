"""Other derivations than the most probable one: that with the most constituents expected right."""

from __future__ import annotations

import numpy as np

from plcfrs.chart.compile import CompiledGrammar
from plcfrs.chart.forest import Forest
from plcfrs.chart.kernel.arrays import Int32
from plcfrs.chart.kernel.sums import choose_edges
from plcfrs.chart.sums import Sums, edges_of
from plcfrs.grammar import Derivation


def most_constituents(forest: Forest, sums: Sums) -> Derivation:
    """Return the derivation with the highest expected number of correct constituents.

    This is the Labelled Recall algorithm of Goodman (1996, Parsing algorithms and metrics), over
    the derivations of a forest: the sum of the posteriors of the items is maximal. Items of
    treebank categories count, tags and intermediate symbols do not. A constituent is a
    nonterminal and a span: those that differ only in their split or functions are different ones.

    No item is below itself: in a cycle of unary rules, children have lower Viterbi costs than
    their mothers (equal ones in the order in which the best derivations need them). So the
    derivations to choose from include the most probable one. Equal sums are decided by the lower
    cost, then by the order of the edges.

    Parameters
    ----------
    forest : Forest
    sums : Sums
        Of the forest.

    Returns
    -------
    Derivation
        Of the compiled grammar.
    """
    is_category = np.array([symbol.kind == "category" for symbol in forest.compiled.labels])
    gain = np.where(is_category[forest.label], sums.posterior, 0.0)
    chosen = choose_edges(edges_of(forest), gain)
    return trace_back(
        forest.compiled,
        forest.label,
        forest.edge_rule[chosen],
        forest.edge_left[chosen],
        forest.edge_right[chosen],
        forest.goal,
    )


def trace_back(
    compiled: CompiledGrammar, label: Int32, rule: Int32, left: Int32, right: Int32, goal: int
) -> Derivation:
    """Return the derivation of an item, given the last step of each.

    Parameters
    ----------
    compiled : CompiledGrammar
    label : int32 array (items,)
    rule : int32 array (items,)
        -1 for a scanned tag.
    left, right : int32 arrays (items,)
        Items of the children, -1 for none.
    goal : int
        The item.
    """
    symbols = list(compiled.labels)
    order: list[int] = []
    stack = [goal]
    while stack:
        item = stack.pop()
        order.append(item)
        stack.extend(child for child in (left[item], right[item]) if child >= 0)
    derivations: dict[int, Derivation] = {}
    for item in reversed(order):
        children = [child for child in (left[item], right[item]) if child >= 0]
        derivations[item] = Derivation(
            symbols[label[item]],
            compiled.rules[rule[item]].yield_function if rule[item] >= 0 else (),
            tuple(derivations[child] for child in children),
        )
    return derivations[goal]
