"""How much constituents count, given the trees of a sentence: votes for other parsers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from plcfrs.trees import Tree

Constituent = tuple[str, int]
"""A category, and a span as a bitset (see `plcfrs.trees.tree`)."""


def chances_of(trees: Iterable[tuple[float, Tree]]) -> dict[Constituent, float]:
    """Return the chance of each constituent, given trees of one sentence with their chances.

    Parameters
    ----------
    trees : iterable of (float, Tree)
        The chances add up to at most 1.

    Examples
    --------
    >>> tree = Tree.from_string("(ROOT (S (NP (NNS 0=Dogs)) (VP (VBP 1=bark))))")
    >>> chances_of([(0.75, tree)])
    {('ROOT', 3): 0.75, ('S', 3): 0.75, ('NP', 1): 0.75, ('VP', 2): 0.75}
    """
    chances: dict[Constituent, float] = defaultdict(float)
    for chance, tree in trees:
        spans = tree.yields()
        for constituent in dict.fromkeys((node.category, spans[node]) for node in tree.nodes()):
            chances[constituent] += chance
    return dict(chances)


def shares_of(scores: Sequence[float], temperature: float) -> list[float]:
    """Return how much each parse of an n-best list counts.

    The shares are proportional to the exponentials of the scores, divided by a temperature.

    Parameters
    ----------
    scores : sequence of float
        At least one; higher is better.
    temperature : float
        In the unit of the scores, more than 0; 1 for the natural logarithms of probabilities.

    Returns
    -------
    list of float
        They add up to 1.

    Examples
    --------
    >>> [round(share, 2) for share in shares_of([300.0, 250.0, 100.0], 50.0)]
    [0.72, 0.27, 0.01]
    """
    weights = np.exp((np.array(scores) - max(scores)) / temperature)
    shares: list[float] = (weights / weights.sum()).tolist()
    return shares
