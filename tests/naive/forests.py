"""All derivations of a small forest, written naively."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np

from plcfrs.budget import UNLIMITED
from plcfrs.chart import ChartParser, Forest

EVERYTHING = 500.0


def derivations_of_item(forest: Forest, item: int) -> list[list[int]]:
    """Return the edges of each derivation of an item."""
    found = []
    for edge in range(forest.edge_start[item], forest.edge_start[item + 1]):
        children = [
            child for child in (forest.edge_left[edge], forest.edge_right[edge]) if child >= 0
        ]
        for below in product(*(derivations_of_item(forest, int(child)) for child in children)):
            found.append([edge, *(each for edges in below for each in edges)])
    return found


def derivations_of(forest: Forest) -> list[list[int]]:
    """Return the edges of each complete derivation."""
    return derivations_of_item(forest, forest.goal)


def forest_of(grammar, tags) -> Forest:
    """Return a forest of all derivations, without cycles; the sentence must have a parse."""
    _, forest = ChartParser(grammar, budget=UNLIMITED).parse_with_forest(tags, EVERYTHING)
    assert forest is not None
    return forest


def random_scores(size: int, random: Random, forbidden: float = 0.0):
    """Return scores of all sizes; the given fraction of them is negative infinity."""
    return np.array(
        [-np.inf if random.random() < forbidden else random.gauss(0, 3) for _ in range(size)]
    )
