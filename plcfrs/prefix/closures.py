"""Sums over chains of steps that read no word, cycles included: (I - steps) inverted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import numpy as np

from plcfrs.prefix.positions import Node

Steps = Mapping[Node, Mapping[Node, float]]


def closure(steps: Steps) -> dict[Node, dict[Node, float]]:
    """Return the sum over all chains of steps between each two nodes, with the empty chain.

    A system of linear equations is solved for each set of nodes that are connected (Stolcke 1995,
    section 4.5.1).

    Parameters
    ----------
    steps : mapping of Node to mapping of Node to float
        The weight of each step from a node to another one. Their sums are finite.

    Examples
    --------
    >>> from plcfrs.grammar import Nonterminal
    >>> a, b = Node(Nonterminal("A"), 1), Node(Nonterminal("B"), 1)
    >>> closure({a: {a: 0.5, b: 0.5}})[a] == {a: 2.0, b: 1.0}
    True
    """
    nodes = {*steps, *(node for row in steps.values() for node in row)}
    numbers = {node: number for number, node in enumerate(sorted(nodes))}
    matrix = np.eye(len(numbers))
    for node, row in steps.items():
        for target, weight in row.items():
            matrix[numbers[node], numbers[target]] -= weight
    inverse = np.linalg.inv(matrix)
    found = {}
    for node in numbers:
        reached = _reached(steps, node)  # all else is zero but for rounding
        row = inverse[numbers[node]]
        found[node] = {target: float(row[numbers[target]]) for target in reached}
    return found


def apply(
    chains: Mapping[Node, Mapping[Node, float]], weights: Mapping[Node, float]
) -> dict[Node, float]:
    """Return the weights of all nodes that chains lead to.

    Parameters
    ----------
    chains : mapping of Node to mapping of Node to float
        See `closure`; nodes that are not there have no steps.
    weights : mapping of Node to float
        Where chains begin.
    """
    found: dict[Node, float] = defaultdict(float)
    for node, weight in weights.items():
        for target, chain in chains.get(node, {node: 1.0}).items():
            found[target] += weight * chain
    return found


def _reached(steps: Steps, start: Node) -> dict[Node, None]:
    reached, waiting = {start: None}, [start]
    while waiting:
        for node in steps.get(waiting.pop(), ()):
            if node not in reached:
                reached[node] = None
                waiting.append(node)
    return reached
