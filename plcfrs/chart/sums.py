"""Sums over all derivations of a forest: probabilities, posteriors, expected rule counts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from plcfrs.chart.forest import Forest
from plcfrs.chart.kernel.arrays import Costs
from plcfrs.chart.kernel.sums import Edges, sum_inside, sum_outside
from plcfrs.errors import GrammarError
from plcfrs.grammar import Nonterminal, Rule


class Sums(NamedTuple):
    """Sums over the derivations of a forest of I items and E edges, in natural logarithms.

    The sums include derivations that go through a unary cycle any number of times. Posteriors are
    expected numbers for a derivation drawn by its probability; with unary cycles they can exceed 1.

    Parameters
    ----------
    log_probability : float
        Of the sentence.
    inside : float64 array (I,)
        Sum over the derivations of each item.
    outside : float64 array (I,)
        Sum over the complete derivations with a hole at each item; -inf if there are none.
    posterior : float64 array (I,)
        Expected number of occurrences of each item in a derivation (not a logarithm).
    edge_posterior : float64 array (E,)
        Expected number of occurrences of each edge in a derivation (not a logarithm).
    """

    log_probability: float
    inside: Costs
    outside: Costs
    posterior: Costs
    edge_posterior: Costs


def inside_outside(forest: Forest) -> Sums:
    """Return the inside and outside sums of a forest, and the posteriors (Baker 1979).

    Parameters
    ----------
    forest : Forest

    Raises
    ------
    GrammarError
        If the probabilities along a cycle of unary rules add up to infinity.

    Examples
    --------
    >>> from plcfrs.chart import ChartParser
    >>> from plcfrs.grammar import Grammar, tag
    >>> s, a = Nonterminal("S"), tag("a")
    >>> grammar = Grammar({Rule(s, (s, s), ((0, 1),)): 2, Rule(s, (a,), ((0,),)): 3}, start=s)
    >>> sums = inside_outside(ChartParser(grammar).forest([{a: 0.0}] * 3))
    >>> float(round(np.exp(sums.log_probability), 5))  # twice 0.4 ** 2 * 0.6 ** 3
    0.06912
    """
    edges = edges_of(forest)
    inside = np.empty(len(forest.label))
    outside = np.empty(len(forest.label))
    failed = sum_inside(edges, inside)
    if failed >= 0:
        symbol = list(forest.compiled.labels)[forest.label[failed]]
        raise GrammarError(
            f"the sum over the derivations of {symbol} is infinite, because a cycle of unary rules "
            f"leads from {symbol} back to it with probability 1 or more: "
            "the probabilities of the rules of one symbol must add up to 1"
        )
    sum_outside(edges, forest.goal, inside, outside)
    log_probability = float(inside[forest.goal])
    below = np.append(inside, 0.0)  # the last is for the child -1
    log_edge = outside[forest.edge_mother] - forest.edge_cost
    log_edge += below[forest.edge_left] + below[forest.edge_right]
    return Sums(
        log_probability,
        inside,
        outside,
        np.exp(inside + outside - log_probability),
        np.exp(log_edge - log_probability),
    )


def expected_rule_counts(forest: Forest, sums: Sums) -> dict[Rule, float]:
    """Return how often each rule of the compiled grammar is expected in a derivation, if at all.

    Parameters
    ----------
    forest : Forest
    sums : Sums
    """
    rules = forest.compiled.rules
    is_rule = forest.edge_rule >= 0
    counts = np.bincount(
        forest.edge_rule[is_rule], sums.edge_posterior[is_rule], minlength=len(rules)
    )
    return {rules[number]: float(counts[number]) for number in np.flatnonzero(counts)}


def constituent_posteriors(
    forest: Forest, posterior: Costs
) -> dict[tuple[Nonterminal, int], float]:
    """Return how often each constituent and each tag is expected in a derivation, if at all.

    A span is a bitset (see `plcfrs.trees.spans`). Intermediate symbols are left out.

    Parameters
    ----------
    forest : Forest
    posterior : float64 array (I,)
    """
    symbols = list(forest.compiled.labels)
    return {
        (symbols[forest.label[item]], span_of_item(forest, int(item))): float(posterior[item])
        for item in np.flatnonzero(posterior)
        if symbols[forest.label[item]].kind != "intermediate"
    }


def edges_of(forest: Forest) -> Edges:
    """Return the part of a forest that the kernels see."""
    return Edges(
        forest.component, forest.edge_start, forest.edge_left, forest.edge_right, forest.edge_cost
    )


def span_of_item(forest: Forest, item: int) -> int:
    """Return the tokens of an item as a bitset (see `plcfrs.trees.spans`)."""
    return int.from_bytes(forest.bits[item].astype("<u8").tobytes(), "little")
