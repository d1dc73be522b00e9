"""Sums over chains of steps that read no word, cycles included."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import numpy as np

from plcfrs.prefix.positions import Node

Steps = Mapping[Node, Mapping[Node, float]]


def closure(steps: Steps) -> dict[Node, dict[Node, float]]:
    """Return the sum over all chains of steps between each two nodes, with the empty chain.

    The sums are finite. A system of linear equations is solved for each set of nodes that reach
    each other (Stolcke 1995, section 4.5.1).

    >>> from plcfrs.grammar import Nonterminal
    >>> a, b = Node(Nonterminal("A"), 1), Node(Nonterminal("B"), 1)
    >>> closure({a: {a: 0.5, b: 0.5}})[a] == {a: 2.0, b: 1.0}
    True
    """
    found: dict[Node, dict[Node, float]] = {}
    for component in components(steps):
        inside = np.eye(len(component))
        leaving: list[dict[Node, float]] = []
        for node, row in zip(component, inside, strict=True):
            leaving.append(defaultdict(float, {node: 1.0}))
            for target, weight in steps.get(node, {}).items():
                if target in found:
                    for end, chain in found[target].items():
                        leaving[-1][end] += weight * chain
                else:
                    row[component.index(target)] -= weight
        for node, row in zip(component, np.linalg.inv(inside).tolist(), strict=True):
            sums: dict[Node, float] = defaultdict(float)
            for weight, ends in zip(row, leaving, strict=True):
                for end, chain in ends.items():
                    sums[end] += weight * chain
            found[node] = dict(sums)
    return found


def components(steps: Steps) -> list[list[Node]]:
    """Return the sets of nodes that reach each other, each after all those that it reaches."""
    import networkx as nx  # only here: those who parse need not wait for it

    graph: nx.DiGraph[Node] = nx.DiGraph()
    graph.add_nodes_from(steps)
    graph.add_edges_from((node, target) for node, row in steps.items() for target in row)
    condensed = nx.condensation(graph)
    order = reversed(list(nx.topological_sort(condensed)))
    return [sorted(condensed.nodes[each]["members"]) for each in order]
